"""Results and frequency tables as people type or paste them, and the same written out again."""

import re
from collections.abc import Sequence
from fractions import Fraction

from casework.domain.bridge.contract import Contract, parse_tricks, render_tricks
from casework.domain.bridge.notation import Language, Unreadable, Vulnerability
from casework.domain.bridge.scoring.matchpoints import Line
from casework.domain.bridge.scoring.outcomes import Outcome, impossible, read_percent
from casework.domain.bridge.scoring.working import shown, signed
from casework.text import t

_SCORE = re.compile(r"[+-]?[0-9]{1,5}")
_PLAYED = re.compile(r"(?P<contract>.*[^0-9=+-])(?P<tricks>=|[+-]?[0-9]{1,2})")
_TABLES = re.compile(r"(?P<what>.*?[0-9%])\s+(?P<tables>[0-9]{1,3})")
_TIMES = re.compile(r"(?P<what>.+?)\s*[x×*]\s*(?P<tables>[0-9]{1,3})", re.IGNORECASE)
_TIMES_FIRST = re.compile(r"(?P<tables>[0-9]{1,3})\s*[x×*]\s*(?P<what>.+)", re.IGNORECASE)
_NUMBERS = re.compile(r"[-+0-9\s]+([x×*][-+0-9\s]+)?", re.IGNORECASE)
MOST_TABLES = 999
_SHARE = r"(?:[0-9][0-9.,]*\s*%?|A[-+=]?)"
_SHARES = re.compile(rf"(?P<north_south>{_SHARE})\s*/\s*(?P<east_west>{_SHARE})", re.IGNORECASE)
AVERAGES = {"A+": Fraction(60), "A": Fraction(50), "A=": Fraction(50), "A-": Fraction(40)}
"""What programs write for an artificial score, with the part of a top that it is (R75)."""
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
    """A line of a frequency table: a result as `read_outcome`, "60/40" or "A+ / A-", with how often: "620 x 3"."""
    what, tables = _counted(typed.translate(_SIGNS).strip())
    if tables < 1:
        raise Unreadable(t("A result has been got at one table or more."))
    if match := _SHARES.fullmatch(what):
        return Line(percent=(_share(match["north_south"]), _share(match["east_west"])), tables=tables)
    if tables == 1 and _NUMBERS.fullmatch(what) and not _SCORE.fullmatch("".join(what.split())):
        raise Unreadable(t("Write the score first and then at how many tables, at most {most}, for example {example}.",
                           most=MOST_TABLES, example="−620 x 3"))  # fmt: skip
    return Line(read_outcome(what, vulnerability).ns_score, tables)


def _counted(plain: str) -> tuple[str, int]:
    """What is written, and at how many tables. After a contract a bare number is the tricks, and an x doubles it."""
    ways = [way for each in (_TIMES, _TIMES_FIRST, _TABLES) if (way := each.fullmatch(plain))]
    for way in ways:
        if _is_whole(way["what"], played=way.re is not _TABLES):
            return way["what"], int(way["tables"])
    number = next((way for way in ways if _SCORE.fullmatch("".join(way["what"].split()))), None)
    return (number["what"], int(number["tables"])) if number else (plain, 1)


def _is_whole(typed: str, *, played: bool) -> bool:
    """Whether it is a result by itself, so that nothing more belongs to it; `played`: also contract and tricks."""
    score = "".join(typed.split())
    if _SHARES.fullmatch(typed.strip()) or (_SCORE.fullmatch(score) and not impossible(int(score))):
        return True
    try:
        return played and read_outcome(typed, Vulnerability.none).contract is not None
    except Unreadable:
        return False


def _share(typed: str) -> Fraction:
    average = AVERAGES.get(typed.strip().upper())
    return read_percent(typed) if average is None else average


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
