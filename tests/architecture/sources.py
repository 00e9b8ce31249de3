"""The project's own files, as the architecture tests read them."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = {".woff2", ".woff", ".ttf", ".otf", ".png", ".jpg", ".ico", ".pdf", ".gz", ".icc"}


@cache
def files() -> tuple[Path, ...]:
    """Every file that git tracks or would track, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return tuple(sorted(path for name in listed.split("\0") if name and (ROOT / (path := Path(name))).is_file()))


def texts(*folders: str, suffixes: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """(path, content) of the text files under the folders (all files without any)."""
    for path in files():
        wanted = not folders or path.parts[0] in folders
        if wanted and path.suffix not in BINARY and (not suffixes or path.suffix in suffixes):
            yield path.as_posix(), (ROOT / path).read_text(encoding="utf-8")


@cache
def trees(*folders: str) -> tuple[tuple[str, ast.Module], ...]:
    """(path, syntax tree) of the Python files under the folders."""
    return tuple((path, ast.parse(text, path)) for path, text in texts(*folders, suffixes=(".py",)))


def calls(*folders: str) -> Iterator[tuple[str, ast.Call, str]]:
    """(path:line, call, dotted name of what is called) for every call."""
    for path, tree in trees(*folders):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield f"{path}:{node.lineno}", node, dotted(node.func)


def dotted(node: ast.expr) -> str:
    """`a.b.c` for names and attributes; an unknown start is left out (`.c`)."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case _:
            return ""
