"""Results and frequency tables as people type or paste them, and the same written out again."""

import re
from collections.abc import Sequence

from casework.domain.bridge.contract import Contract, parse_tricks, render_tricks
from casework.domain.bridge.notation import Language, Unreadable, Vulnerability
from casework.domain.bridge.scoring.matchpoints import Line
from casework.domain.bridge.scoring.outcomes import Outcome, impossible, read_percent
from casework.domain.bridge.scoring.working import shown, signed
from casework.text import t

_SCORE = re.compile(r"[+-]?[0-9]{1,5}")
_PLAYED = re.compile(r"(?P<contract>.*[^0-9=+-])(?P<tricks>=|[+-]?[0-9]{1,2})")
_TABLES = re.compile(r"(?P<what>.*?[0-9%])(?:\s*[x×*]\s*|\s+)(?P<tables>[0-9]{1,3})")
_SHARES = re.compile(r"(?P<north_south>[0-9][0-9.,]*\s*%?)\s*/\s*(?P<east_west>[0-9][0-9.,]*\s*%?)")
_SIGNS = str.maketrans({"−": "-", "–": "-", "\t": " ", ";": " "})


def read_outcome(typed: str, vulnerability: Vulnerability) -> Outcome:
    """A result: "4♠ E −2", "3NT W 10", "Pass", or its score from North-South's side, "−620"."""
    plain = "".join(typed.translate(_SIGNS).split())
    if _SCORE.fullmatch(plain):
        points = int(plain)
        if wrong := impossible(points):
            raise Unreadable(wrong)
        return Outcome(points)
    match = _PLAYED.fullmatch(plain)
    contract, declarer = Contract.parse(match["contract"] if match else plain)
    if contract.passed_out:
        return Outcome.of(contract, None, 0, vulnerability)
    if match is None or declarer is None:
        raise Unreadable(
            t("Write contract, declarer and result, for example {example}, or the score.", example="4♠ S −1")
        )
    return Outcome.of(contract, declarer, parse_tricks(match["tricks"], contract), vulnerability)


def render_outcome(outcome: Outcome, language: Language) -> str:
    """A result as it is typed: `read_outcome` gives it back."""
    if outcome.contract is None:
        return signed(outcome.ns_score)
    contract = outcome.contract.render(language, outcome.declarer)
    return contract if outcome.tricks is None else f"{contract} {render_tricks(outcome.tricks, outcome.contract)}"


def read_line(typed: str, vulnerability: Vulnerability) -> Line:
    """A line of a frequency table: a result as `read_outcome`, or "60/40", each with how often: "620 x 3"."""
    plain = typed.translate(_SIGNS).strip()
    counted = _TABLES.fullmatch(plain)
    what, tables = (counted["what"], int(counted["tables"])) if counted and _is_line(counted["what"]) else (plain, 1)
    if tables < 1:
        raise Unreadable(t("A result has been got at one table or more."))
    if match := _SHARES.fullmatch(what):
        both = (read_percent(match["north_south"]), read_percent(match["east_west"]))
        return Line(percent=both, tables=tables)
    return Line(read_outcome(what, vulnerability).ns_score, tables)


def _is_line(typed: str) -> bool:
    """Whether a number after it says how often: not after a contract, where it is the tricks."""
    return bool(_SCORE.fullmatch("".join(typed.split())) or _SHARES.fullmatch(typed.strip()))


def read_frequency(typed: str, vulnerability: Vulnerability) -> tuple[Line, ...]:
    """A frequency table, one result a line. Unreadable names the line."""
    lines = []
    for number, line in enumerate(typed.splitlines(), start=1):
        if line.strip():
            try:
                lines.append(read_line(line, vulnerability))
            except Unreadable as error:
                raise Unreadable(t("Line {number}: {reason}", number=number, reason=error.reason)) from error
    return tuple(lines)


def render_frequency(lines: Sequence[Line]) -> str:
    """A frequency table as it is typed: `read_frequency` gives it back."""
    return "\n".join(render_line(line) for line in lines)


def render_line(line: Line) -> str:
    """One line of it."""
    if line.percent is not None:
        what = " / ".join(f"{shown(percent, 4)} %" for percent in line.percent)
    else:
        what = signed(line.ns_score or 0)
    return what if line.tables == 1 else f"{what} x {line.tables}"
