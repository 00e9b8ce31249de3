"""Times that stand still: which may, for whom, and what is said of it.

The rules give no ground for a suspension and none against one (C10: every time is configuration). Own reading, shown
as such: the body and the office may let a party's own time stand still, for a stated reason, as they may give more of
it. Officials' times never: no right ends with them, and a body must not stop its own clock.
"""

from datetime import datetime, timedelta
from uuid import UUID

from casework.domain.minutes import has_run
from casework.domain.terms import ActionName, Audience, DeadlineKind, NoticeKind, Part, State
from casework.domain.workflow.facts import Ask, DeadlineFacts, Facts
from casework.domain.workflow.guards import typed
from casework.domain.workflow.table import About, Action, Tells
from casework.text import Text, t

SUSPENDABLE = frozenset({DeadlineKind.APPEAL_WINDOW, DeadlineKind.STATEMENT, DeadlineKind.ANSWER})
"""The parties' own times."""
LONGEST = 60
"""Days: how long at a time, and how far off or back it may begin; without an end it lasts until it is lifted."""


def can_stand_still(facts: Facts) -> tuple[DeadlineFacts, ...]:
    """This proceeding's times that may be suspended: the parties' own, begun or not, that have not ended."""
    return tuple(
        d
        for d in facts.deadlines
        if d.proceeding_id == facts.this.id and d.kind in SUSPENDABLE and d.ended is None and not d.halted
    )


def stand_still(facts: Facts) -> tuple[DeadlineFacts, ...]:
    """This proceeding's times that stand still until somebody lifts it."""
    return tuple(d for d in facts.deadlines if d.proceeding_id == facts.this.id and d.halted and d.ended is None)


def a_time_can_stand_still(facts: Facts, ask: Ask) -> Text | None:
    """Only what runs or is to run."""
    return None if can_stand_still(facts) else t("No time of a party runs here.")


def a_time_stands_still(facts: Facts, ask: Ask) -> Text | None:
    """Only what stands still can go on."""
    return None if stand_still(facts) else t("No time stands still here.")


def chosen_objection(facts: Facts, ask: Ask) -> Text | None:
    """What is chosen runs or is to run, and does not run out before."""
    chosen: frozenset[UUID] = frozenset(ask.data.get("deadline_ids", ()))
    if not chosen:
        return t("Tick the times that are to stand still.")
    possible = {d.id: d for d in can_stand_still(facts)}
    if not chosen <= possible.keys():
        return t("This time has ended or stands still already.")
    begins: datetime = ask.data.get("begins", ask.now)
    out = {d.party_id for d in possible.values() if d.id in chosen and has_run(d.instant, max(begins, ask.now))}
    if who := [party.label for party in facts.parties if party.id in out]:
        return t("The time of {who} runs out before it would begin to stand still. Give more time instead.", who=who)
    return None


def interval_objection(facts: Facts, ask: Ask) -> Text | None:
    """It has a beginning and an end not too far off; without an end it has begun."""
    begins: datetime | None = ask.data.get("begins")
    if begins is None:
        return t("Write when it begins.")
    ends: datetime | None = ask.data.get("ends")
    furthest = timedelta(days=LONGEST)
    if abs(begins - ask.now) > furthest:
        return t("It can begin at most {count} days from today.", count=LONGEST)
    if ends is None and begins > ask.now:
        return t("Write also when it ends, as it has not begun.")
    if ends is not None and ends <= begins:
        return t("It must end after it begins.")
    if ends is not None and ends - begins > furthest:
        return t("At most {count} days at a time. Leave the end empty if it is not known.", count=LONGEST)
    return None


def suspension(who: frozenset[Part]) -> tuple[Action, ...]:
    """To let the parties' times of a proceeding stand still, and to let them go on; both sides are told of either."""
    return (
        Action(
            name=ActionName.SUSPEND_TIMES,
            label=t("Let a time stand still"),
            done=t("A time was made to stand still"),
            rule="C10",
            start=frozenset(State),
            who=who,
            guards=(a_time_can_stand_still,),
            checks=(
                About("ends", interval_objection),
                About("deadlines", chosen_objection),
                typed("because", t("Write why the time is to stand still.")),
            ),
            tells=(
                Tells(NoticeKind.TIME_SUSPENDED, Audience.PARTIES),
                Tells(NoticeKind.TIME_SUSPENDED, Audience.DIRECTOR),
            ),
        ),
        Action(
            name=ActionName.LIFT_SUSPENSION,
            label=t("Let the times go on"),
            done=t("The times were let go on"),
            rule="C10",
            start=frozenset(State),
            who=who,
            guards=(a_time_stands_still,),
            tells=(
                Tells(NoticeKind.TIME_RESUMED, Audience.PARTIES),
                Tells(NoticeKind.TIME_RESUMED, Audience.DIRECTOR),
            ),
        ),
    )
