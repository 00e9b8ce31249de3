"""The page of a case's proof of notice."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor, Permission
from casework.domain.errors import Missing
from casework.domain.models import CaseFile
from casework.services import case_files, notice_proof
from casework.services.case_rows import read_case
from casework.services.notice_proof import Told


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofPage:
    """What the page shows, with the newest PDF of the same."""

    case_id: UUID
    case_number: str
    tournament: str
    told: Sequence[Told]
    file: CaseFile | None


def proof_page(session: Session, case_id: UUID, actor: Actor, now: datetime, *, language: str) -> ProofPage:
    """The proof of notice for its reader. Raises Missing where he may not read it."""
    rows = read_case(session, case_id, actor, now)
    if not rows.may(Permission.READ_PROOF):
        raise Missing
    masked = not rows.may(Permission.READ_CONTACTS)
    return ProofPage(
        case_id=case_id,
        case_number=rows.loaded.case.number,
        tournament=rows.loaded.tournament.name,
        told=notice_proof.told(session, rows, masked=masked),
        file=case_files.proof_file(session, case_id, masked=masked, language=language),
    )
