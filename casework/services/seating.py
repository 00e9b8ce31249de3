"""Who is proposed to sit in a body that decides from the papers: barred members replaced by reserves (R19)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session

from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import Body, Role, SeatRole
from casework.services import conflicts
from casework.services.conflicts import Candidate
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """All who could sit, who cannot and why, and whom the system proposes; `chair` is one of `members`."""

    free: Sequence[Candidate]
    barred: Sequence[Candidate]
    members: tuple[UUID, ...]
    chair: UUID | None

    def seats(self, members: Sequence[UUID], chair: UUID) -> dict[UUID, SeatRole]:
        """The chosen members in their roles."""
        reserves = {c.person.id for c in self.free if c.role is Role.LK_RESERVE}
        roles = {person: SeatRole.RESERVE if person in reserves else SeatRole.MEMBER for person in members}
        return roles | {chair: SeatRole.CHAIR}


def propose(session: Session, loaded: Loaded) -> Proposal:
    """The body's chair and members up to the profile's number, then its reserves; nobody who is barred."""
    found = conflicts.candidates(session, loaded, snapshot(loaded))
    on_jury = loaded.proceeding.body is Body.JURY
    free = sorted(
        (candidate for candidate in found if candidate.barred is None),
        key=lambda candidate: on_jury and candidate.role is not Role.JURY_MEMBER,
    )
    profile = ProcedureProfile.from_json(loaded.case.profile)
    size = profile.number("jury_size" if on_jury else "lk_size")
    members = tuple(candidate.person.id for candidate in free[:size])
    return Proposal(
        free=free,
        barred=[candidate for candidate in found if candidate.barred is not None],
        members=members,
        chair=members[0] if members else None,
    )
