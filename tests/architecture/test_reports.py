"""Every reported fault of the list has a test that carries its id, and runs where the fault could bite."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tests.architecture.reports import REPORTS
from tests.architecture.sources import ROOT, texts

ID = re.compile(r"\b(B[12]\.\d+|X\d{2})\b")
IN_NAME = re.compile(r"_(b[12])_(\d+)_")
WHERE = re.compile(r"\b(sqlite|postgres)(?:\+(file|rabbitmq|redis))?\b")


def carried() -> Mapping[str, set[str]]:
    """Id → the tests that carry it, as path::name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, text in texts("tests", suffixes=(".py",)):
        if ID.search(text) or IN_NAME.search(text):
            for test in _tests(ast.parse(text, path)):
                for each in _ids(test):
                    found[each].add(f"{path}::{test.name}")
    return found


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def _ids(test: ast.FunctionDef) -> Iterator[str]:
    yield from ID.findall(ast.get_docstring(test) or "")
    yield from (f"{part.upper()}.{number}" for part, number in IN_NAME.findall(test.name))


def collected(paths: Iterable[str]) -> Mapping[str, set[str]]:
    """Test → on which databases and brokers it runs, as pytest collects it for `make test`."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *sorted(paths)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = defaultdict(set)
    for line in listed.splitlines():
        name, _, parameters = line.partition("[")
        found[name] |= {place for pair in WHERE.findall(parameters) for place in pair if place}
    return found


def test_each_reported_fault_has_a_test_where_it_could_bite() -> None:
    carriers = carried()
    tests = {report: carriers.get(report.id, set()) for report in REPORTS}
    places = collected({name.partition("::")[0] for names in tests.values() for name in names})
    wrong = {
        f"{report.id}, {report.about}: on {sorted(report.on)}": {name: sorted(places[name]) for name in names}
        for report, names in tests.items()
        if not any(name in places and report.on <= places[name] for name in names)
    }
    assert wrong == {}


def test_each_id_is_listed_once() -> None:
    ids = [report.id for report in REPORTS]
    assert len(ids) == len(set(ids))
