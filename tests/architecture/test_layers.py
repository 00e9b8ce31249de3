"""Who may import whom (architecture, "The picture"). import-linter's contracts stand in pyproject.toml."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, trees

DOMAIN_MAY_IMPORT = {"pydantic", "sqlmodel", "sqlalchemy", "dateutil", "casework.text", "casework.domain"}
"""`dateutil` for the day of Easter alone."""


def test_the_contracts_hold() -> None:
    """In a process of its own: import-linter switches off every logger that is there when it starts."""
    program = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run([program, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_the_domain_imports_nothing_but_its_own_and_the_words() -> None:
    wrong = [
        f"{path}:{line} imports {name}"
        for path, tree in trees("casework")
        if path.startswith("casework/domain/")
        for line, name in imported(tree)
        if not allowed_in_domain(name)
    ]
    assert wrong == []


def allowed_in_domain(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names or any(
        name == module or name.startswith(module + ".") for module in DOMAIN_MAY_IMPORT
    )


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, module) of every import; `from casework import x` counts as `casework.x`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                whole = module == "casework"
                yield from ((node.lineno, f"{module}.{alias.name}" if whole else module) for alias in names)
