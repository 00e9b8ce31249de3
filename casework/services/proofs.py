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
from casework.domain.models import Case, EarlierCopy, Event, Notice
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
    """Every mail that was handed over or may have been, and every print that was posted, of one case or of all.

    In order, and each copy of a mail by itself.
    """
    printed = and_(col(Notice.channel) == Channel.LETTER, col(Notice.sha256) != "")
    copied = select(EarlierCopy.id).where(EarlierCopy.notice_id == Notice.id).exists()
    query = select(Case, Notice).join(Notice, col(Notice.case_id) == col(Case.id))
    query = query.where(or_(col(Notice.mime).is_not(None), printed, copied))
    if case_number:
        query = query.where(Case.number == case_number)
    for case, notice in session.exec(query.order_by(col(Case.number), col(Notice.handed_over_at), col(Notice.id))):
        for whole in _each(session, notice):
            yield Checked(case_number=case.number, notice=notice, whole=whole)


def _each(session: Session, notice: Notice) -> Iterator[bool]:
    """Whether each copy is whole, the earliest first; the case's history knows no other."""
    before = select(EarlierCopy).where(EarlierCopy.notice_id == notice.id).order_by(col(EarlierCopy.built_at))
    earlier = session.exec(before).all()
    for copy in earlier:
        yield copy.sha256 in _hashes(session, notice, copy.mime)
    if notice.sha256:
        kept = _printed(session, notice) if notice.channel is Channel.LETTER else sent_before(session, notice)
        known = {notice.sha256, *(copy.sha256 for copy in earlier)}
        yield notice.sha256 in kept and _recorded(session, notice) <= known


def sent_before(session: Session, notice: Notice) -> Iterator[str]:
    """The hashes that a kept mail may have had: its links may have been replaced since it was sent."""
    return _hashes(session, notice, notice.mime or b"")


def _hashes(session: Session, notice: Notice, mime: bytes) -> Iterator[str]:
    kept = filled(mime, stop_secrets(notice))
    for secrets in product(*(secrets_ever(link, notice.id) for link in links_in(session, notice.id))):
        yield sha256(filled(kept, {mark: one for each in secrets for mark, one in each.items()})).hexdigest()


def _printed(session: Session, notice: Notice) -> Iterator[str]:
    """The hash of the bytes that are kept of a posted print; none where the file is gone."""
    file = case_files.posted_print(session, notice)
    if file is not None:
        with suppress(Missing), case_files.content(file) as stream:
            yield sha256(stream.read()).hexdigest()


def _recorded(session: Session, notice: Notice) -> set[str]:
    """The hashes that the case's history holds; none where the notice starts nobody's time."""
    proof = select(Event).where(Event.case_id == notice.case_id, Event.action == ActionName.RECORD_PROOF)
    own = (event for event in session.exec(proof) if event.data.get("subject") == str(notice.id))
    return {str(event.data["sha256"]) for event in own if "sha256" in event.data}
