"""The people of the tests' cases: two pairs, a tournament's staff, a jury, and the Law Commission."""

from datetime import date
from uuid import UUID

from casework.domain.rules.procedure import ProcedureProfile, profile_on
from casework.domain.terms import Role, Side
from casework.domain.workflow.facts import MemberFacts, PartyFacts
from casework.text import t

NORTH, SOUTH, EAST, WEST = (UUID(int=n) for n in range(1, 5))
DIRECTOR, OTHER_DIRECTOR, CHIEF, ORGANISER, OFFICE, STRANGER = (UUID(int=n) for n in range(11, 17))
JURORS = J1, J2, J3, J4 = tuple(UUID(int=n) for n in range(21, 25))
LK_CHAIR, L1, L2, L3, L4, L5 = (UUID(int=n) for n in range(31, 37))
NS, EW = UUID(int=101), UUID(int=102)

PARTIES = (
    PartyFacts(
        id=NS,
        side=Side.NORTH_SOUTH,
        label=t("pair {number}", number=7),
        members=(MemberFacts(person_id=NORTH), MemberFacts(person_id=SOUTH)),
    ),
    PartyFacts(
        id=EW,
        side=Side.EAST_WEST,
        label=t("pair {number}", number=12),
        members=(MemberFacts(person_id=EAST), MemberFacts(person_id=WEST)),
    ),
)
SINGLES = tuple(
    PartyFacts(
        id=UUID(int=110 + player.int),
        side=side,
        label=t("player {number}", number=player.int),
        members=(MemberFacts(person_id=player),),
    )
    for side, players in ((Side.NORTH_SOUTH, (NORTH, SOUTH)), (Side.EAST_WEST, (EAST, WEST)))
    for player in players
)
"""The same four in an individual event: each a party of his own."""
STAFF = frozenset(
    {
        (DIRECTOR, Role.DIRECTOR),
        (OTHER_DIRECTOR, Role.ASSISTANT_DIRECTOR),
        (CHIEF, Role.CHIEF_DIRECTOR),
        (ORGANISER, Role.ORGANISER),
        (OFFICE, Role.OFFICE),
        (LK_CHAIR, Role.LK_CHAIR),
        *((person, Role.JURY_MEMBER) for person in JURORS),
        *((person, Role.LK_MEMBER) for person in (L1, L2, L3)),
        *((person, Role.LK_RESERVE) for person in (L4, L5)),
    }
)
EVERYBODY = (NORTH, SOUTH, EAST, WEST, *(sorted({person for person, _ in STAFF}, key=str)), STRANGER)


def members(party_id: UUID) -> tuple[UUID, ...]:
    """The persons of a party."""
    party = next(party for party in (*PARTIES, *SINGLES) if party.id == party_id)
    return tuple(member.person_id for member in party.members)


def profile(**own: int) -> ProcedureProfile:
    """The newest shipped profile, with own numbers."""
    return profile_on(date(2026, 6, 1)).with_overrides(own)
