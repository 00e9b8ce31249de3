"""Mail links (S-LINK): their tokens and codes, which are stored nowhere, and what a token opens."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import or_, update
from sqlmodel import Session, col, select

from casework.adapters.mail import code_mark, link_mark
from casework.domain.models import (
    Case,
    Decision,
    Incident,
    Link,
    Notice,
    Panel,
    Person,
    Proceeding,
    Seat,
    SignIn,
    Tournament,
)
from casework.domain.terms import Body, ConflictState, State
from casework.services import link_codes
from casework.services.secret_addresses import fits, name_of, row_named, secret_of
from casework.settings import get_settings
from casework.text import Text, t

RENEWED = timedelta(days=30)
"""How long a link that ran out works after its holder asked for a new one."""

_KIND = "link"


@dataclass(frozen=True, slots=True)
class FoundLink:
    """What the token of a link names, and the language of the one it was made for.

    `open`: works; `renewable`: its holder may have a new one by mail; `shut_because`: it has nothing more to open.
    `guessed`: too many wrong codes, so that only a browser that knows the code gets in; `device`: that it does.
    """

    link_id: UUID
    case_id: UUID
    case_number: str
    tournament: str
    open: bool
    renewable: bool
    language: str
    guessed: bool
    device: str
    tries: bool = False
    """Whether it is the link of a seat: of somebody who tries the case, not of a party."""
    shut_because: Text | None = None


def link_token(link: Link) -> str:
    """The secret part of a link's address: its id and an HMAC with a key that stands outside the database."""
    return _token(link, link.generation)


def code_for(link: Link) -> str:
    """The code that a browser new to the link is asked for."""
    return link_codes.code_of(link.id, _state(link, link.generation))


def secrets_of(link: Link, notice_id: UUID) -> dict[str, str]:
    """What stands in the mail of a notice in place of the link's marks."""
    return _secrets(link, link.generation, notice_id)


def secrets_ever(link: Link, notice_id: UUID) -> tuple[dict[str, str], ...]:
    """The same for each generation that the link has had, the newest first."""
    return tuple(_secrets(link, generation, notice_id) for generation in range(link.generation, 0, -1))


def _secrets(link: Link, generation: int, notice_id: UUID) -> dict[str, str]:
    mark = mark_of(link, notice_id)
    return {
        link_mark(mark): _token(link, generation),
        code_mark(mark): link_codes.code_of(link.id, _state(link, generation)),
    }


def _token(link: Link, generation: int) -> str:
    return secret_of(_KIND, link.id, _state(link, generation))


def _state(link: Link, generation: int) -> str:
    return f"{generation}:{link.purpose}"


def mark_of(link: Link, notice_id: UUID) -> UUID:
    """What stands for a link in what is kept of one notice: nobody can have typed it into a text before."""
    return name_of("mark", notice_id, str(link.id))


def links_in(session: Session, notice_id: UUID) -> list[Link]:
    """The links that a notice's mail holds: of all whom it tells."""
    told = select(Link).join(Notice, col(Notice.link_id) == col(Link.id))
    return list(session.exec(told.where(or_(col(Notice.id) == notice_id, col(Notice.carried_by) == notice_id))))


def link_url(link: Link) -> str:
    """The address in a mail: from the settings, never from the Host header (S-LINK7)."""
    return f"{get_settings().public_base_url.rstrip('/')}/l/{link_token(link)}"


def find_link(session: Session, token: str, now: datetime) -> FoundLink | None:
    """The link that a token was made for, or None when it is not one of ours."""
    named = _link_and_generation(session, token)
    if named is None:
        return None
    link, generation = named
    case = session.get_one(Case, link.case_id)
    tournament = session.get_one(Tournament, session.get_one(Incident, case.incident_id).tournament_id)
    fresh = generation == link.generation and runs(link, now)
    guessed = link.wrong_codes >= link_codes.MOST_WRONG
    shut = shut_because(session, link.seat_id)
    return FoundLink(
        link.id,
        case.id,
        case.number,
        tournament.name,
        open=fresh and link.revoked_at is None and shut is None,
        renewable=(not fresh or guessed) and link.revoked_at is None and shut is None,
        language=session.get_one(Person, link.person_id).language,
        guessed=guessed,
        device=link_codes.device_mark(link.id, _state(link, link.generation)),
        tries=link.seat_id is not None,
        shut_because=shut,
    )


def runs(link: Link, now: datetime) -> bool:
    """Whether the link's time has not run out."""
    return link.expires_at is None or now < link.expires_at


def proves_code(session: Session, link_id: UUID, typed: str) -> int | None:
    """None when it is the link's code; else the try is counted, and so many are left (S-LINK2)."""
    link = session.get_one(Link, link_id, with_for_update=True)
    left = link_codes.MOST_WRONG - link.wrong_codes
    if left > 0 and link_codes.same(typed, code_for(link)):
        return None
    link.wrong_codes = min(link.wrong_codes + 1, link_codes.MOST_WRONG)
    return max(left - 1, 0)


def shut_because(session: Session, seat_id: UUID | None) -> Text | None:
    """Why a seat's link opens nothing more: its holder has left the body, or there is nothing more to decide."""
    seat = session.get(Seat, seat_id) if seat_id else None
    if seat is None:
        return None
    if seat.conflict is ConflictState.RECUSED:
        return t("You have a conflict of interest in the case and no longer read it.")
    if seat.conflict is ConflictState.REPLACED:
        return t("Somebody else sits in your place, so you no longer read the case.")
    return _nothing_to_decide(session, session.get_one(Proceeding, session.get_one(Panel, seat.panel_id).proceeding_id))


def _nothing_to_decide(session: Session, proceeding: Proceeding) -> Text | None:
    if proceeding.state is State.WRITTEN_OFF:
        return t("The appeal was withdrawn. The link was valid until then.")
    decided = select(Decision.id).where(Decision.proceeding_id == proceeding.id)
    if session.exec(decided).first() is None:
        return None
    if proceeding.body is Body.JURY:
        return t("The jury has decided. The link was valid until the decision.")
    return t("The Law Commission has decided. The link was valid until the decision.")


def note_link_seen(session: Session, link_id: UUID) -> None:
    """Count a visit to the link's page: it opens nothing and proves nothing (S-LINK1)."""
    session.execute(update(Link).where(col(Link.id) == link_id).values(seen=col(Link.seen) + 1))


def replace_link(session: Session, link_id: UUID, now: datetime) -> Link:
    """Make every token and sign-in of the link so far worthless: it was passed on, or has run out."""
    link = session.get_one(Link, link_id)
    link.generation, link.wrong_codes = link.generation + 1, 0
    if link.expires_at is not None:
        link.expires_at = max(link.expires_at, now + RENEWED)
    _end_sign_ins(session, link_id, now)
    return link


def revoke_link(session: Session, link_id: UUID, now: datetime) -> None:
    """Shut a link for good."""
    session.get_one(Link, link_id).revoked_at = now
    _end_sign_ins(session, link_id, now)


def _end_sign_ins(session: Session, link_id: UUID, now: datetime) -> None:
    mine = col(SignIn.link_id) == link_id
    session.execute(update(SignIn).where(mine, col(SignIn.ended_at).is_(None)).values(ended_at=now))


def _link_and_generation(session: Session, token: str) -> tuple[Link, int] | None:
    named = row_named(token)
    link = session.get(Link, named) if named else None
    if link is None:
        return None
    for generation in range(link.generation, 0, -1):
        if fits(token, _KIND, link.id, _state(link, generation)):
            return link, generation
    return None
