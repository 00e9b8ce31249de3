"""The fault table: what each fault was tried on and what it cost, printed when the run ends.

A row travels with its test's report, so it comes home from every test process. `tests/conftest.py` takes the hooks
from here.
"""

from dataclasses import asdict, astuple, dataclass, fields
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

PROPERTY = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One fault on one pair of database and broker.

    `tries` are the pieces of work (mails, filings) that it could hurt; of these `lost` never came to an end, `doubled`
    had their effect twice, `late` had it later than the fault allows.
    """

    fault: str
    pair: str
    tries: int
    lost: int
    doubled: int
    late: int
    note: str = ""

    @property
    def clean(self) -> bool:
        """Nothing was lost, doubled or late, and something was tried."""
        return self.tries > 0 and (self.lost, self.doubled, self.late) == (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Table:
    """Where a test writes its rows."""

    item: pytest.Item

    def add(self, row: Row) -> None:
        """Write a row down, then fail if it is not clean: the table shows what failed too."""
        self.item.user_properties.append((PROPERTY, asdict(row)))
        assert row.clean, f"{row.fault} on {row.pair}: {row}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--matrix`: every fault on every pair where it makes sense, not only where it bites."""
    group = parser.getgroup("faults")
    group.addoption("--matrix", action="store_true", help="run every fault on every pair of database and broker")
    group.addoption("--chaos-seconds", type=float, default=20.0, help="how long the chaos lasts at most")
    group.addoption("--chaos-cases", type=int, default=0, help="how many cases must be filed in it; 0: as many as do")
    group.addoption("--chaos-seed", type=int, default=None, help="repeat a run of the chaos")


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Print the table."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    rows = [Row(**value) for report in reports for name, value in _properties(report) if name == PROPERTY]
    if rows:
        terminalreporter.section("faults")
        terminalreporter.write_line(printed(rows))


def printed(rows: list[Row]) -> str:
    """The table as text, by fault and pair."""
    lines = [_NAMES, *(tuple(map(str, astuple(row))) for row in sorted(rows, key=lambda row: (row.fault, row.pair)))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_NAMES))]
    return "\n".join(
        "  ".join(cell.rjust(width) if 2 <= at <= 5 else cell.ljust(width)
                  for at, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines
    )  # fmt: skip


def _properties(report: object) -> list[tuple[str, Any]]:
    if getattr(report, "when", "") != "call":
        return []
    return [(name, value) for name, value in getattr(report, "user_properties", ())]


_NAMES = tuple(field.name for field in fields(Row))
