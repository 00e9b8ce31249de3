"""Who has been told of a decision, how, and by what proof; and the words to read aloud (R32, R37)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Missing, NotAllowed
from casework.domain.labels import contestant, label
from casework.domain.models import Deadline, Decision, Notice, Party, Person
from casework.domain.terms import Channel, NoticeKind, NoticeState
from casework.domain.workflow import guards
from casework.services import untold
from casework.services.appeal_rights import AppealRights, appeal_rights, window_of
from casework.services.loading import Loaded
from casework.services.queries import load_visible
from casework.services.readings import around
from casework.services.times_ahead import why
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A member of a party and what has been done to tell him; `told_at` is the first proof."""

    person_id: UUID
    name: str
    captain: bool
    at_table: bool
    notices: Sequence[Notice]

    @property
    def told_at(self) -> datetime | None:
        """From when it is proven that he knows."""
        return min((notice.proven_at for notice in self.notices if notice.proven_at), default=None)

    def by(self, channel: str) -> Notice | None:
        """His newest notice through a channel."""
        return next((notice for notice in reversed(self.notices) if notice.channel == channel), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldParty:
    """A side, its members, the words about appealing, and its time as it now stands."""

    party_id: UUID
    label: Text
    members: Sequence[Told]
    rights: AppealRights
    window: Deadline | None
    why: Text | None
    """How its time was reckoned, or what it waits for; none where the decision is final."""


def refuse_waiting(session: Session, loaded: Loaded, now: datetime) -> None:
    """Raise NotAllowed where the decision waits to be sent or is stopped: nobody reads it aloud to one side first."""
    if untold.is_withheld(session, loaded, now):
        raise NotAllowed(guards.WAITS)


def decided(session: Session, case_id: UUID, actor: Actor) -> Loaded:
    """The case around its newest decision, the ruling or a body's, with the director among its persons.

    Raises:
        Missing: there is no such case, nothing is decided in it, or the actor may not know of it.
    """
    newest = load_visible(session, case_id, actor)
    given = [(decision.given_at, proceeding_id) for proceeding_id, decision in newest.decisions.items()]
    if not given:
        raise Missing
    loaded = around(newest, max(given)[1])
    director = loaded.proceeding.director_id
    if director is not None and director not in loaded.persons:
        loaded.persons[director] = session.get_one(Person, director)
    return loaded


def decision_of(loaded: Loaded) -> Decision:
    """The decision in force of the loaded proceeding. Raises Missing before there is one."""
    decision = loaded.decision()
    if decision is None:
        raise Missing
    return decision


def told_parties(session: Session, loaded: Loaded, now: datetime) -> list[ToldParty]:
    """Both sides of a decided case, with every notice of the decision. Raises Missing before it is decided."""
    decision = decision_of(loaded)
    query = select(Notice).where(
        Notice.decision_id == decision.id, col(Notice.kind).in_([NoticeKind.RULING, NoticeKind.DECISION])
    )
    query = query.options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    notices = list(session.exec(query.order_by(col(Notice.due_at), col(Notice.channel))))
    return [_party(loaded, party, notices, now) for party in loaded.parties]


def _party(loaded: Loaded, party: Party, notices: Sequence[Notice], now: datetime) -> ToldParty:
    window = window_of(loaded, party.id)
    return ToldParty(
        party_id=party.id,
        label=contestant(loaded.tournament.form, party.number, party.name),
        members=[
            Told(
                person_id=member.person_id,
                name=loaded.persons[member.person_id].name,
                captain=member.captain,
                at_table=member.at_table,
                notices=[notice for notice in notices if notice.person_id == member.person_id],
            )
            for member in loaded.party_of_member[party.id]
        ],
        rights=appeal_rights(loaded, party.id, now),
        window=window,
        why=why(loaded, window, mine=False) if window else None,
    )


def letter(session: Session, loaded: Loaded, notice_id: UUID) -> Notice:
    """A letter of the case. Raises Missing where it is none."""
    found = session.get(Notice, notice_id)
    if found is None or found.case_id != loaded.case.id or found.channel is not Channel.LETTER:
        raise Missing
    return found


def proof_words(notice: Notice) -> Text:
    """How a person is told, and what proves it."""
    match notice.channel:
        case Channel.SPOKEN | Channel.PHONE:
            at = notice.proven_at or notice.due_at
            by_phone = notice.channel is Channel.PHONE
            return t("Told by phone {at}.", at=at) if by_phone else t("Told in person {at}.", at=at)
        case Channel.MAIL if notice.handed_over_at and notice.state is NoticeState.HANDED_OVER:
            return t("By mail, handed over {at}.", at=notice.handed_over_at)
        case Channel.MAIL:
            return t("By mail. {state}.", state=label(notice.state))
    if notice.proven_at:
        return t("By letter, arrived {at}.", at=notice.proven_at)
    if notice.handed_over_at:
        return t("By letter, posted {at}.", at=notice.handed_over_at)
    return t("By letter. {state}.", state=label(notice.state))
