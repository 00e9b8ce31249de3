"""Whether a kept notice is what was sent: the links are put back, and the bytes compared with their hash (R-PROOF1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import product

from sqlmodel import Session, col, select

from casework.adapters.mail import filled
from casework.domain.models import Case, Event, Notice
from casework.domain.terms import ActionName
from casework.services.links import links_in, secrets_ever
from casework.services.reminder_choice import stop_secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A mail that was sent, and whether what is kept of it gives the very bytes again."""

    case_number: str
    notice: Notice
    whole: bool


def checked(session: Session, case_number: str = "") -> Iterator[Checked]:
    """Every mail that was handed over, of one case or of all, in order."""
    query = select(Case, Notice).join(Notice, col(Notice.case_id) == col(Case.id)).where(col(Notice.mime).is_not(None))
    if case_number:
        query = query.where(Case.number == case_number)
    for case, notice in session.exec(query.order_by(col(Case.number), col(Notice.handed_over_at), col(Notice.id))):
        whole = notice.sha256 in sent_before(session, notice) and _recorded(session, notice) in ("", notice.sha256)
        yield Checked(case_number=case.number, notice=notice, whole=whole)


def sent_before(session: Session, notice: Notice) -> Iterator[str]:
    """The hashes that a kept mail may have had: its links may have been replaced since it was sent."""
    kept = filled(notice.mime or b"", stop_secrets(notice))
    for secrets in product(*(secrets_ever(link, notice.id) for link in links_in(session, notice.id))):
        yield sha256(filled(kept, {mark: one for each in secrets for mark, one in each.items()})).hexdigest()


def _recorded(session: Session, notice: Notice) -> str:
    """The hash that the case's history holds; empty where the notice starts nobody's time."""
    proof = select(Event).where(Event.case_id == notice.case_id, Event.action == ActionName.RECORD_PROOF)
    for event in session.exec(proof):
        if event.data.get("subject") == str(notice.id) and "sha256" in event.data:
            return str(event.data["sha256"])
    return ""
