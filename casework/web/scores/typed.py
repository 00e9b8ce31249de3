"""A filed score as the editor begins with it: what `ScoreForm.read` would read as the same."""

from fractions import Fraction
from typing import Any

from casework.domain.bridge.notation import Language
from casework.domain.bridge.scoring.adjustment import SideScore
from casework.domain.bridge.scoring.artificial import IMPS, ArtificialScore
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, Method, method_name
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.penalties import Penalty
from casework.domain.bridge.scoring.typed import (
    render_frequency,
    render_line,
    render_outcome,
)
from casework.domain.bridge.scoring.working import shown
from casework.domain.terms import Form as EventForm
from casework.domain.terms import Side
from casework.services.scores import SavedScore
from casework.web.scores.fields import ARTIFICIAL, ASSIGNED, MATCH, MATCH_LATER, MATCHPOINTS, SAME, STANDS


def typed_of(saved: SavedScore, language: Language) -> dict[str, Any]:
    """What the form begins with where a score is filed; empty where it was taken back."""
    if saved.score is None:
        return {}
    plan = saved.score.adjustment
    same = isinstance(plan.north_south, AssignedScore) and plan.north_south == plan.east_west
    north_south = {"kind": STANDS} if plan.stands else _typed_side(plan.north_south, language)
    east_west = {"kind": SAME} if same else _typed_side(plan.east_west, language)
    return {
        "north_south": north_south | _typed_penalty(plan.penalty(Side.NORTH_SOUTH), language),
        "east_west": east_west | _typed_penalty(plan.penalty(Side.EAST_WEST), language),
        "split_because": plan.split_because or "",
        "differs": bool(saved.differs_because),
        "differs_because": saved.differs_because,
    } | typed_method(plan.method, saved.at_table, language)


def _typed_penalty(penalty: Penalty | None, language: Language) -> dict[str, Any]:
    if penalty is None:
        return {}
    return {"penalty": _percent(penalty.amount, language), "measure": penalty.measure.value}


def _typed_side(score: SideScore, language: Language) -> dict[str, Any]:
    if isinstance(score, ArtificialScore):
        return {
            "kind": ARTIFICIAL,
            "ground": score.ground.value,
            "fault": score.fault.value,
            "own_percent": _percent(score.own_percent, language),
            "own_method": score.method,
            "played": _plain(score.played),
            "boards": _plain(score.boards),
        }
    alone = len(score.shares) == 1
    rows = [
        {"result": render_outcome(each.outcome, language), "percent": "" if alone else _percent(each.percent, language)}
        for each in score.shares
    ]
    return {"kind": ASSIGNED, "shares": rows}


def typed_method(method: Method, at_table: Outcome | None, language: Language) -> dict[str, Any]:
    """The part of it that is no decision: the results of the board."""
    result = render_outcome(at_table, language) if at_table else ""
    later = isinstance(method, ByImps) and method.waits
    name = MATCH_LATER if later else method_name(method)
    return {"method": name, "at_table": result} | _typed_results(method, at_table)


def _typed_results(method: Method, at_table: Outcome | None) -> dict[str, Any]:
    match method:
        case ByMatchpoints(frequency, table):
            return {
                "frequency": render_frequency(frequency.lines),
                "comparison": frequency.comparison.value,
                "missing": str(frequency.missing or ""),
                "common_top": str(frequency.common_top or ""),
            } | ({} if at_table else {"at_table": render_line(table)})
        case ByImps():
            return {
                "other_table": _plain(method.other_table),
                "knock_out": method.knock_out,
                "other_boards": _plain(method.other_boards),
                "boards": _plain(method.boards),
                "average": "" if method.average == IMPS else str(method.average),
            }
        case _:
            return {}


def _percent(percent: Fraction | None, language: Language) -> str:
    """A percentage as it is typed: it was read with at most four decimals, so none is lost."""
    plain = "" if percent is None else str(shown(percent, 4))
    return plain.replace(".", ",") if language == "sv" else plain


def _plain(number: int | None) -> str:
    return "" if number is None else str(number)


def usual(event: EventForm) -> dict[str, Any]:
    """What the form begins with where nothing is filed."""
    return {
        "north_south": {"kind": ASSIGNED},
        "east_west": {"kind": SAME},
        "method": MATCH if event is EventForm.TEAMS else MATCHPOINTS,
    }
