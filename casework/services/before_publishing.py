"""What recording the official score does, shown first: whose time moves, what opens again, who is told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.labels import label
from casework.domain.models import Session as PlayingSession
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, Part, State
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.decide import decide
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.held import publication_waits
from casework.domain.workflow.table import Changes
from casework.services.before_sending import Told, named
from casework.services.loading import Loaded, load
from casework.services.readings import party_label
from casework.services.reckoning import instant_from, reckoned_from, shortens
from casework.services.snapshot import snapshot
from casework.services.suspending import Standstill
from casework.services.windows import Window, rulings_of, windows
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """The times that move, with old and new end; the cases whose ruling is no longer final; who gets a notice."""

    moved: Sequence[Standstill]
    reopened: Sequence[str]
    told: Sequence[Told]
    """Somebody who is told in two cases stands here twice: each is a message of its own."""
    people: int
    """The same, each person once."""
    cases: int
    """In how many cases somebody is told."""
    waits: bool
    """Whether all of it is held for some minutes, and can be stopped."""


def before_publishing(session: Session, session_id: UUID, published_at: datetime, now: datetime) -> Publishing:
    """What recording `published_at` for a session would do to the rulings given in it."""
    moved: list[Standstill] = []
    reopened: list[str] = []
    told: list[Told] = []
    people: set[UUID] = set()
    cases: set[UUID] = set()
    for proceeding_id in rulings_of(session, session_id):
        loaded = load(session, proceeding_id)
        final = loaded.proceeding.state is State.FINAL
        ask = Ask(
            person_id=None, parts=frozenset({Part.OFFICE}), now=now, data={"published_at": published_at}
        )  # as the office: what it changes is the same whoever records it
        changes = decide(PROCEDURES[loaded.proceeding.kind], snapshot(loaded), ActionName.RECORD_PUBLICATION, ask)
        here = list(_moved(loaded, changes, published_at, now))
        if final and not any(one.new and one.new > now for one in here):
            continue
        moved += here
        reopened += [loaded.case.number] if final else []
        persons = list(_told(loaded, changes, final=final))
        told += named(session, persons)
        people |= {person_id for person_id, _ in persons}
        cases |= {loaded.case.id for _ in persons}
    return Publishing(
        moved=moved,
        reopened=reopened,
        told=told,
        people=len(people),
        cases=len(cases),
        waits=publication_waits(len(people), published_at, now),
    )


def shown_publication(row: PlayingSession, found: Sequence[Window], does: Publishing) -> Shown:
    """The check page of an official score: what is recorded now, and whose time another would start, move or end."""
    return Shown({Piece.TIMES: [row.published_at, found, does.moved, does.reopened], Piece.TOLD: does.told})


def publication_now(
    session: Session, row: PlayingSession, published_at: datetime, now: datetime, does: Publishing
) -> Shown:
    """The same, gathered as the page gathers it."""
    return shown_publication(row, windows(session, row.id, now, published_at=published_at), does)


def _moved(loaded: Loaded, changes: Changes, published_at: datetime, now: datetime) -> Iterator[Standstill]:
    rows = {row.id: row for row in loaded.deadlines}
    for each in changes.rebases:
        row = rows[each.deadline_id]
        if each.base is None or row.party_id is None or row.halted_at is not None:
            continue
        ends = instant_from(row, each.base, row.instant)
        if ends == row.instant or shortens(row, ends, now):
            continue
        yield Standstill(
            deadline_id=row.id,
            party=_of(loaded, party_label(loaded, row.party_id)),
            kind=label(row.kind),
            old=row.instant,
            new=ends,
            explanation=reckoned_from(row, each.base, each.base_is, published_at).explanation,
        )


def _told(loaded: Loaded, changes: Changes, *, final: bool) -> Iterator[tuple[UUID, Text]]:
    """Whose time it starts; where it opens a final ruling again also the others, and the director."""
    started = [(told.person_id, told.party_id) for told in changes.tellings]
    for person_id, party_id in started:
        yield person_id, _of(loaded, party_label(loaded, party_id) if party_id else label(Part.PARTY))
    if not final:
        return
    sides = {party_id for _, party_id in started}
    for member in loaded.members:
        if member.party_id not in sides:
            yield member.person_id, _of(loaded, party_label(loaded, member.party_id))
    if loaded.proceeding.director_id is not None:
        yield loaded.proceeding.director_id, _of(loaded, label(Part.DIRECTOR))


def _of(loaded: Loaded, who: Text) -> Text:
    return t("{party}, case {number}", party=who, number=loaded.case.number)
