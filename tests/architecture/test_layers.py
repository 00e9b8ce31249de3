"""Who may import whom (architecture, "The picture"). import-linter's contracts stand in pyproject.toml."""

import ast
import sys
from collections.abc import Iterator

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.architecture.sources import ROOT, trees

DOMAIN_MAY_IMPORT = {"pydantic", "sqlmodel", "sqlalchemy", "casework.text", "casework.domain"}


def test_the_contracts_hold() -> None:
    assert (
        lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True) == EXIT_STATUS_SUCCESS
    )


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
