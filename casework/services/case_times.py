"""The times of a case's page: which its reader sees, in which order, with what they are for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casework.domain.access import Permission
from casework.domain.calendar import Span, Unit
from casework.domain.explaining import left
from casework.domain.labels import label
from casework.domain.minutes import has_run
from casework.domain.models import Deadline
from casework.domain.terms import DeadlineEnd, DeadlineKind, ProceedingKind
from casework.services.case_choices import Choice
from casework.services.case_rows import CaseRows
from casework.services.standing import Standing, awaited, current
from casework.services.times_ahead import why
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A deadline; an official reads in its label which side it is for."""

    id: UUID
    kind: DeadlineKind
    label: Text
    instant: datetime | None
    passed: bool
    left: Text | None
    explanation: Text
    source: Text | None

    @property
    def started(self) -> bool:
        """Whether it runs."""
        return self.instant is not None

    @property
    def ahead(self) -> bool:
        """Whether it can be put into a calendar."""
        return self.started and not self.passed


def times(rows: CaseRows, standing: Standing, mine: tuple[Choice, ...]) -> tuple[Time | None, tuple[Time, ...]]:
    """The time of what a party is to do next; for officials that of the step the case waits for, and the others."""
    if not rows.may(Permission.READ_PAPERS):
        return None, ()
    here = current(rows.loaded.proceedings)
    running = sorted(
        (d for d in rows.loaded.deadlines if d.ended is None),
        key=lambda d: (d.proceeding_id != here.id, d.instant is None, d.instant or d.opened_at),
    )
    if rows.own_party is not None:
        own = _own_times(rows, mine, [d for d in running if d.party_id == rows.own_party])
        shown = [_time(rows, d) for d in own or _just_passed(rows, standing)]
        return (shown[0], tuple(shown[1:])) if shown else (None, ())
    first = next((d for d in running if awaited(d, here)), None)
    others = tuple(_time(rows, d) for d in running if d is not first)
    return (_time(rows, first) if first else None, others)


def _own_times(rows: CaseRows, mine: tuple[Choice, ...], running: list[Deadline]) -> list[Deadline]:
    """What the side is asked for; else its time to appeal, where it can or the decision stands unappealed."""
    if asked := [d for d in running if d.kind is not DeadlineKind.APPEAL_WINDOW]:
        return asked
    appeals = {c.proceeding_id for c in mine if c.appeals and c.duty and c.allowed}
    here = current(rows.loaded.proceedings)
    return [d for d in running if d.proceeding_id in appeals or awaited(d, here)]


def _just_passed(rows: CaseRows, standing: Standing) -> Iterator[Deadline]:
    """A party that could appeal sees that its time ran out, for as long as the decision stands unappealed."""
    if standing.scene.kind is ProceedingKind.RULING or standing.waiting.may:
        for deadline in rows.loaded.deadlines:
            mine = deadline.party_id == rows.own_party and deadline.kind is DeadlineKind.APPEAL_WINDOW
            if mine and deadline.ended is DeadlineEnd.EXPIRED and deadline.proceeding_id == rows.stands_in:
                yield deadline


_TO_A_PARTY = {
    DeadlineKind.APPEAL_WINDOW: t("Appeal no later than"),
    DeadlineKind.STATEMENT: t("Give your statement no later than"),
    DeadlineKind.ANSWER: t("Answer the others no later than"),
}


def _time(rows: CaseRows, deadline: Deadline) -> Time:
    span = Span(deadline.span_value, Unit(deadline.span_unit)).words
    preset = t("The time, {span}, is a preset that the federation has not confirmed yet.", span=span)
    instant = deadline.instant
    return Time(
        id=deadline.id,
        kind=deadline.kind,
        label=_label(rows, deadline),
        instant=instant,
        passed=has_run(instant, rows.now),
        left=left(instant, rows.now) if instant is not None else None,
        explanation=why(rows.loaded, deadline, mine=deadline.party_id == rows.own_party),
        source=None if deadline.confirmed else preset,
    )


def _label(rows: CaseRows, deadline: Deadline) -> Text:
    if rows.own_party is not None:
        return _TO_A_PARTY.get(deadline.kind, label(deadline.kind))
    if deadline.party_id is not None:
        return t("{what}, {party}", what=label(deadline.kind), party=rows.party_label(deadline.party_id))
    return label(deadline.kind)
