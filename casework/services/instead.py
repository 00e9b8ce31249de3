"""A letter in the place of a mail that does not reach its recipient."""

from datetime import datetime

from sqlmodel import Session

from casework.domain.models import Notice
from casework.domain.terms import Channel, NoticeState
from casework.services.overtaking import give_up_overtaken


def write_instead(session: Session, notice: Notice, at: datetime) -> None:
    """A letter goes in the place of a mail that came back, unless a newer notice says what holds now."""
    letter = letter_instead(notice)
    session.add(letter)
    give_up_overtaken(session, [letter], at)


def letter_instead(notice: Notice) -> Notice:
    """The same notice as a letter to be posted, for who is not reached by mail."""
    return Notice(
        case_id=notice.case_id,
        proceeding_id=notice.proceeding_id,
        kind=notice.kind,
        channel=Channel.LETTER,
        state=NoticeState.TO_BE_POSTED,
        person_id=notice.person_id,
        party_id=notice.party_id,
        decision_id=notice.decision_id,
        demand_id=notice.demand_id,
        link_id=notice.link_id,
        language=notice.language,
        due_at=notice.due_at,
        replaces_id=notice.id,
    )
