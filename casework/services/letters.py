"""Letters: notices for people without mail, to be made, posted, and at last known to have arrived (R37)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import or_
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col, select

from casework import clock
from casework.domain.access import Actor, visible_cases
from casework.domain.errors import Missing
from casework.domain.models import Case, CaseFile, Incident, Notice, Party, PartyMember, Person, Proceeding, Tournament
from casework.domain.terms import Channel, NoticeState, ProceedingKind, Role
from casework.services import case_files, notice_words
from casework.services.letter_times import by_letter
from casework.services.loading import Loaded, load
from casework.services.notice_words import PaperLetter
from casework.services.receipts import receipt_number
from casework.text import Text

SHOWN = 200
"""How many letters a list shows, the oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRow:
    """A letter in the list."""

    notice: Notice
    case_number: str
    tournament: str
    recipient: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterPage:
    """One letter with its words, the number of its receipts, and its PDF: as it was posted, or the newest print."""

    notice: Notice
    number: str
    case_number: str
    tournament: str
    words: PaperLetter
    file: CaseFile | None
    loaded: Loaded
    call: Notice | None
    """The person was told by phone in the letter's place."""
    called_by: str

    def times(self, arrived_at: datetime | None = None) -> Sequence[Text]:
        """What becomes of the side's times by this letter, where it is known to have arrived or would at a time."""
        return by_letter(self.loaded, self.notice, arrived_at)


def letters(session: Session, actor: Actor) -> tuple[Sequence[LetterRow], Sequence[LetterRow]]:
    """What waits to be posted, and what is posted and not known to have arrived: the office's, or a director's own."""
    instead = aliased(Notice)
    query: Any = (
        select(Notice, Case, Tournament, Person)
        .join(Case, col(Case.id) == col(Notice.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .join(Person, col(Person.id) == col(Notice.person_id))
        .where(
            Notice.channel == Channel.LETTER,
            col(Notice.state).in_((NoticeState.TO_BE_POSTED, NoticeState.POSTED)),
            col(Notice.proven_at).is_(None),
            or_(col(Notice.held_until).is_(None), col(Notice.held_until) <= clock.now()),
            col(Notice.id).not_in(select(col(instead.replaces_id)).where(col(instead.replaces_id).is_not(None))),
            col(Case.id).in_(visible_cases(actor)),
            col(Case.id).not_in(
                select(col(Party.case_id)).join(PartyMember).where(PartyMember.person_id == actor.person_id)
            ),
        )
        .order_by(col(Notice.due_at), col(Notice.id))
        .limit(SHOWN)
        .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    )
    if not actor.holds(Role.OFFICE):
        directs = select(col(Proceeding.case_id)).where(
            Proceeding.kind == ProceedingKind.RULING, Proceeding.director_id == actor.person_id
        )
        query = query.where(col(Case.id).in_(directs))
    rows = [
        LetterRow(notice=notice, case_number=case.number, tournament=tournament.name, recipient=person.name)
        for notice, case, tournament, person in session.exec(query)
    ]
    posted = [row for row in rows if row.notice.state is NoticeState.POSTED]
    return [row for row in rows if row not in posted], posted


def letter(session: Session, case_id: UUID, notice_id: UUID, actor: Actor) -> LetterPage:
    """A letter for who posts it. Raises Missing."""
    notice = session.get(Notice, notice_id)
    if notice is None or notice.case_id != case_id or notice.channel is not Channel.LETTER:
        raise Missing
    if not case_files.posts_letters(session, case_id, actor):
        raise Missing
    loaded = load(session, notice.proceeding_id)
    instead = select(Notice, Person).join(Person, col(Person.id) == col(Notice.proven_by))
    called = session.exec(instead.where(Notice.replaces_id == notice_id, Notice.channel == Channel.PHONE)).first()
    return LetterPage(
        notice=notice,
        number=receipt_number(loaded.case.number, notice.id),
        case_number=loaded.case.number,
        tournament=loaded.tournament.name,
        words=notice_words.letter_for(session, notice_id, clock.now()),
        file=case_files.posted_print(session, notice) or case_files.letter_file(session, notice),
        loaded=loaded,
        call=called[0] if called else None,
        called_by=called[1].name if called else "",
    )
