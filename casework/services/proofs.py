"""Whether a kept notice is what was sent: its bytes are compared with their hash (R-PROOF1).

A mail's links are put back first; a letter is the print that was posted.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import product

from sqlalchemy import and_, or_
from sqlmodel import Session, col, select

from casework.adapters.mail import filled
from casework.domain.errors import Missing
from casework.domain.models import Case, Event, Notice
from casework.domain.terms import ActionName, Channel
from casework.services import case_files
from casework.services.links import links_in, secrets_ever
from casework.services.reminder_choice import stop_secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A mail or letter that was sent, and whether what is kept of it gives the very bytes again."""

    case_number: str
    notice: Notice
    whole: bool


def checked(session: Session, case_number: str = "") -> Iterator[Checked]:
    """Every mail that was handed over and every print that was posted, of one case or of all, in order."""
    printed = and_(col(Notice.channel) == Channel.LETTER, col(Notice.sha256) != "")
    query = select(Case, Notice).join(Notice, col(Notice.case_id) == col(Case.id))
    query = query.where(or_(col(Notice.mime).is_not(None), printed))
    if case_number:
        query = query.where(Case.number == case_number)
    for case, notice in session.exec(query.order_by(col(Case.number), col(Notice.handed_over_at), col(Notice.id))):
        kept = _printed(session, notice) if notice.channel is Channel.LETTER else sent_before(session, notice)
        whole = notice.sha256 in kept and _recorded(session, notice) in ("", notice.sha256)
        yield Checked(case_number=case.number, notice=notice, whole=whole)


def sent_before(session: Session, notice: Notice) -> Iterator[str]:
    """The hashes that a kept mail may have had: its links may have been replaced since it was sent."""
    kept = filled(notice.mime or b"", stop_secrets(notice))
    for secrets in product(*(secrets_ever(link, notice.id) for link in links_in(session, notice.id))):
        yield sha256(filled(kept, {mark: one for each in secrets for mark, one in each.items()})).hexdigest()


def _printed(session: Session, notice: Notice) -> Iterator[str]:
    """The hash of the bytes that are kept of a posted print; none where the file is gone."""
    file = case_files.posted_print(session, notice)
    if file is not None:
        with suppress(Missing), case_files.content(file) as stream:
            yield sha256(stream.read()).hexdigest()


def _recorded(session: Session, notice: Notice) -> str:
    """The hash that the case's history holds; empty where the notice starts nobody's time."""
    proof = select(Event).where(Event.case_id == notice.case_id, Event.action == ActionName.RECORD_PROOF)
    for event in session.exec(proof):
        if event.data.get("subject") == str(notice.id) and "sha256" in event.data:
            return str(event.data["sha256"])
    return ""
