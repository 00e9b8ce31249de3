"""How far a hearing and its decision have come, as rows of the strip above the page."""

from datetime import datetime
from functools import reduce
from typing import Any

from casework.adapters.i18n import format_time
from casework.domain.labels import label
from casework.domain.terms import HearingStep, Part, State
from casework.domain.workflow.hearing_guards import AT_THE_LAPTOP
from casework.services.panel_view import PanelView, PartyRow
from casework.text import Text, t
from casework.web.words import language

FOLLOWERS = AT_THE_LAPTOP | {Part.PANEL, Part.LK_CHAIR, Part.ATTENDS}
"""Who follows the hearing's page: never a party."""

SHORT = {
    HearingStep.CHAIR_EXPLAINS: t("Opening"),
    HearingStep.DIRECTOR_PRESENTS: t("Presentation"),
    HearingStep.FACTS_SETTLED: t("Facts"),
    HearingStep.APPELLANTS_HEARD: t("Appellants"),
    HearingStep.RESPONDENTS_HEARD: t("Opponents"),
    HearingStep.ROOM_CLEARED: t("The room is cleared"),
}


def checklist(view: PanelView) -> list[dict[str, Any]]:
    """The hearing's steps in the federation's order, with their times."""
    current = following(view)
    return [
        {
            "title": SHORT[step],
            "note": _done(view, step),
            "current": step is current and view.state is State.HEARING,
            "later": step not in view.steps,
        }
        for step in HearingStep
    ]


def step_words(view: PanelView, step: HearingStep, at: datetime) -> Text:
    """What a step is, and who was not there to be heard in it."""
    turn = _turn(view, step)
    absent = [row for row in turn if row.absent(at)]
    if not absent:
        return label(step)
    if len(absent) == len(turn):
        return _not_there(absent)
    return t("{step}. {absent}", step=label(step), absent=_not_there(absent))


def _turn(view: PanelView, step: HearingStep) -> list[PartyRow]:
    """The parties that a step hears."""
    if step not in (HearingStep.APPELLANTS_HEARD, HearingStep.RESPONDENTS_HEARD):
        return []
    return [row for row in view.parties if row.appealing is (step is HearingStep.APPELLANTS_HEARD)]


def _not_there(rows: list[PartyRow]) -> Text:
    who = reduce(lambda one, other: t("{one} and {other}", one=one, other=other), [row.label for row in rows])
    return t("{party} was not there", party=who)


def following(view: PanelView) -> HearingStep | None:
    """The step that comes next; none when all are done."""
    return next((step for step in HearingStep if step not in view.steps), None)


def whole_way(view: PanelView) -> list[dict[str, Any]]:
    """From the opening to the decision, for the panel's room; what happens in a hearing only where there is one."""
    ballot = view.ballot
    voted = ballot.voted if ballot else 0
    closed = bool(ballot and ballot.closed_at)
    decided = view.state in (State.DECIDED, State.FINAL, State.APPEALED, State.TRIED)
    heard = [
        (t("Opening"), HearingStep.CHAIR_EXPLAINS),
        (t("Presentation"), HearingStep.DIRECTOR_PRESENTS),
        (SHORT[HearingStep.APPELLANTS_HEARD], HearingStep.APPELLANTS_HEARD),
        (SHORT[HearingStep.RESPONDENTS_HEARD], HearingStep.RESPONDENTS_HEARD),
    ]
    rows = [{"title": title, "note": _done(view, step), "later": step not in view.steps} for title, step in heard]
    alone = view.state is State.DELIBERATING
    rows = rows if view.on_site else []
    rows.append(
        {
            "title": t("Deliberation"),
            "note": t("Going on") if alone and not closed else t("Done") if closed else t("Not yet"),
            "current": alone and not voted and not closed,
            "later": not ballot,
        }
    )
    rows.append(
        {
            "title": t("The vote"),
            "note": _voted(view),
            "current": alone and bool(voted) and not closed,
            "later": not ballot,
        }
    )
    rows.append(
        {
            "title": t("Decision"),
            "note": t("Signed") if decided else t("Not yet"),
            "current": closed and not decided,
            "later": not closed,
        }
    )
    return rows


def _voted(view: PanelView) -> Text:
    ballot = view.ballot
    if ballot is None:
        return t("Not yet")
    if ballot.closed_at is not None:
        return t("Done at {time}", time=format_time(ballot.closed_at, language()))
    return t("{voted} of {seats} have voted", voted=ballot.voted, seats=ballot.seats)


def _done(view: PanelView, step: HearingStep) -> Text:
    if step not in view.steps:
        return t("Not yet")
    at = view.steps[step]
    absent = [row for row in _turn(view, step) if row.absent(at)]
    if absent:
        return t("{absent}, {time}", absent=_not_there(absent), time=format_time(at, language()))
    return t("Done at {time}", time=format_time(at, language()))
