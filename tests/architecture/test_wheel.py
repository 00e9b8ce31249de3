"""The wheel carries what the program reads ("Rooms")."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from casework import paths
from tests.architecture.sources import ROOT

PROBE = """
from casework import paths
for folder in (paths.TEMPLATES, paths.MIGRATIONS, paths.TRANSLATIONS, paths.STATIC):
    print(folder)
"""


def test_an_installed_wheel_finds_its_templates_migrations_words_and_assets(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    installed = tmp_path / "installed"
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(installed)
    printed = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    folders = [Path(line) for line in printed.splitlines()]
    assert all(folder.is_relative_to(installed) for folder in folders)
    here = (paths.TEMPLATES, paths.MIGRATIONS, paths.TRANSLATIONS, paths.STATIC)
    for folder, original in zip(folders, here, strict=True):
        assert contents(folder) == contents(original)


def contents(folder: Path) -> set[str]:
    """The files under a folder, without what Python leaves there."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
