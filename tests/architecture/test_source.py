"""What no file of the project may contain."""

import ast
import re

import pytest

from tests.architecture.sources import calls, files, texts, trees

PRODUCT = ("casework", "workers", "migrations")
CLOCKS = re.compile(
    r"(^|\.)(datetime\.(now|utcnow|today)|date\.today|time\.(time|time_ns|localtime|gmtime|strftime|ctime))$"
)
LONGEST = 400
LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX)\b")
MACHINE = re.compile(r"/(work|root|tmp)/|/home/[a-z]|--(extra-)?index-url|--find-links")
COMMITS = {"casework/adapters/database.py"}
MARKUP = {"templates/pdf/letter.html"}
"""The files that may declare text to be safe HTML: a letter's body is what templates/mail/body.html has escaped."""
GENERATED = "migrations/versions/"


def test_only_the_unit_of_work_commits() -> None:
    """One commit per request and per step of a job, in one place ("One way to act")."""
    wrong = [
        where
        for where, _, name in calls("casework", "workers")
        if name.endswith(".commit") and where.partition(":")[0] not in COMMITS
    ]
    assert wrong == []


def test_only_the_clock_reads_the_clock() -> None:
    wrong = [
        f"{where} calls {name}"
        for where, _, name in calls("casework", "workers")
        if CLOCKS.search(name) and not where.startswith("casework/clock.py:")
    ]
    assert wrong == []


def test_time_stands_in_rows_and_not_in_the_broker() -> None:
    """Retries, reminders and expiries are rows with a due time ("Jobs")."""
    wrong = [
        f"{where} {name}({keyword.arg}=…)"
        for where, call, name in calls("casework", "workers")
        for keyword in call.keywords
        if keyword.arg in {"eta", "countdown", "autoretry_for", "retry_backoff"}
    ]
    wrong += [
        f"{where} {name}"
        for where, _, name in calls("workers", "casework")
        if name in {"self.retry", "task.retry", "current_task.retry"}
    ]
    assert wrong == []


@pytest.mark.parametrize("suffix", [".py", ".html", ".css", ".js"])
def test_files_are_short(suffix: str) -> None:
    written = ((path, text) for path, text in texts(suffixes=(suffix,)) if not path.startswith(GENERATED))
    counts = {path: text.count("\n") for path, text in written if not vendored(path)}
    assert {path: count for path, count in counts.items() if count > LONGEST} == {}


def test_nothing_is_left_to_be_done() -> None:
    assert lines(LEFTOVERS) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    """Neither its folders nor where its packages came from."""
    assert lines(MACHINE) == []


def test_instants_are_stored_by_the_models_own_type() -> None:
    """`DateTime(timezone=True)` shifts instants on SQLite ("The database")."""
    wrong = [
        where
        for where, call, name in calls(*PRODUCT)
        if name.rpartition(".")[2] in {"DateTime", "TIMESTAMP"} and any(k.arg == "timezone" for k in call.keywords)
    ]
    assert wrong == []


def test_table_rows_are_built_from_named_values() -> None:
    """Table models do not validate and swallow unknown keywords: `Model(**…)` would lose data unseen."""
    tables = table_models()
    assert "Row" not in tables
    wrong = [
        f"{where} {name}(**…)"
        for where, call, name in calls("casework", "workers")
        if name.rpartition(".")[2] in tables and any(keyword.arg is None for keyword in call.keywords)
    ]
    wrong += [f"{where} {name}" for where, _, name in calls("casework", "workers") if name.endswith(".sqlmodel_update")]
    assert wrong == []


def test_only_the_listed_files_declare_html_to_be_safe() -> None:
    wrong = [
        where
        for where, _, name in calls("casework", "workers")
        if name.rpartition(".")[2] == "Markup" and where.partition(":")[0] not in MARKUP
    ]
    wrong += [path for path, text in texts("templates") if re.search(r"\|\s*safe\b", text) and path not in MARKUP]
    assert wrong == []


def test_templates_have_no_inline_style_or_script() -> None:
    """The policy refuses them in pages; a mail has one style sheet in its head, a PDF takes its own file."""
    inline = re.compile(r"""\s(style|on[a-z]+|hx-on[^=]*)\s*=\s*["']|<script(?![^>]*\ssrc=)|javascript:""")
    wrong = [
        f"{path}:{text.count(chr(10), 0, hit.start()) + 1}"
        for path, text in texts("templates", suffixes=(".html", ".svg"))
        if not path.startswith("templates/mail/")
        for hit in inline.finditer(text)
    ]
    wrong += [
        path
        for path, text in texts("templates", suffixes=(".html",))
        if "<style" in text and not path.startswith("templates/mail/")
    ]
    assert wrong == []


def test_the_top_level_holds_only_what_belongs_there() -> None:
    """Architecture, "Rooms"."""
    rooms = {"casework", "workers", "templates", "tests", "migrations"}
    tools = {"pyproject.toml", "requirements.lock", "Makefile", "README.md", "LICENSE", ".ci", ".gitignore"}
    tools.add("requirements-bridge.lock")  # the extra's packages
    assert {path.parts[0] for path in files()} <= rooms | tools


def table_models() -> set[str]:
    """The names of classes declared with `table=True`."""
    return {
        node.name
        for _, tree in trees("casework")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and any(keyword.arg == "table" for keyword in node.keywords)
    }


def lines(pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern stands in what people of the project wrote, this file apart."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts()
        if not vendored(path) and path != "tests/architecture/test_source.py"
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def vendored(path: str) -> bool:
    """What others wrote."""
    return "/vendor/" in path or path == "LICENSE" or path.endswith(".min.js")
