"""The access policy as a table: who may what, said once more from the reader's side."""

from uuid import UUID

import pytest

from casework.domain.access import GENERAL, IN_CASE, NOBODY, SYSTEM, Actor, LinkScope, Permission, can
from casework.domain.terms import Part, Role

PERSON, HERE, ELSEWHERE = UUID(int=1), UUID(int=2), UUID(int=3)
LINK = LinkScope(link_id=UUID(int=4), case_id=UUID(int=5), party_id=UUID(int=6), seat_id=None)

MAY: dict[Permission, set[Part]] = {
    Permission.READ_CASE: set(Part) - {Part.SYSTEM},
    Permission.READ_PAPERS: set(Part) - {Part.SYSTEM, Part.SEATED},
    Permission.READ_UNOPENED: {Part.DIRECTOR, Part.OFFICE},
    Permission.READ_CONTACTS: {Part.DIRECTOR, Part.OFFICE, Part.PANEL, Part.CHAIR, Part.LK_CHAIR},
    Permission.READ_DELIBERATION: {Part.PANEL, Part.CHAIR},
    Permission.READ_PROOF: {Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.ORGANISER, Part.OFFICE, Part.LK_CHAIR, Part.CHAIR},
    Permission.READ_ADVICE: {Part.PANEL, Part.CHAIR, Part.DIRECTOR, Part.CHIEF_DIRECTOR},
}
STAFF = {Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR}


def holding(role: Role, at: UUID | None = None) -> Actor:
    return Actor(person_id=PERSON, roles=frozenset({(role, at)}))


@pytest.mark.parametrize("part", Part)
@pytest.mark.parametrize("permission", MAY)
def test_a_part_in_the_case_gives_what_the_table_says(permission: Permission, part: Part) -> None:
    assert can(Actor(person_id=PERSON), permission, {part}) == (part in MAY[permission])


def test_no_permission_about_a_case_is_missing_here() -> None:
    assert set(MAY) == set(IN_CASE)


@pytest.mark.parametrize("permission", IN_CASE)
@pytest.mark.parametrize("role", Role)
def test_a_role_alone_opens_no_case(permission: Permission, role: Role) -> None:
    assert not can(holding(role), permission)


@pytest.mark.parametrize("part", [Part.PARTY, Part.APPELLANT])
def test_a_party_reads_its_case_and_nothing_that_is_others_(part: Part) -> None:
    """S-AC4, R29: not the deliberation, not addresses, not what is not yet open, not the others' proofs."""
    party = Actor(person_id=PERSON, link=LINK)
    given = {permission for permission in IN_CASE if can(party, permission, {part})}
    assert given == {Permission.READ_CASE, Permission.READ_PAPERS}


def test_who_has_not_answered_about_conflicts_reads_no_papers() -> None:
    """Section 7, 3: a member with a conflict does not read."""
    assert can(Actor(person_id=PERSON), Permission.READ_CASE, {Part.SEATED})
    assert not can(Actor(person_id=PERSON), Permission.READ_PAPERS, {Part.SEATED})


@pytest.mark.parametrize("role", Role)
def test_an_account_that_is_trusted_with_anything_is_official(role: Role) -> None:
    assert can(holding(role), Permission.OFFICIAL)


@pytest.mark.parametrize("role", Role)
def test_rulings_are_filed_by_directors(role: Role) -> None:
    assert can(holding(role), Permission.FILE_RULING) == (role in STAFF)


@pytest.mark.parametrize("role", Role)
def test_tournaments_are_run_by_their_staff_and_the_office(role: Role) -> None:
    assert can(holding(role), Permission.RUN_TOURNAMENT) == (role in STAFF | {Role.ORGANISER, Role.OFFICE})


@pytest.mark.parametrize("role", Role)
def test_all_cases_are_seen_by_the_office_only(role: Role) -> None:
    assert can(holding(role), Permission.SEE_ALL_CASES) == (role is Role.OFFICE)


@pytest.mark.parametrize("role", Role)
def test_the_system_is_tended_by_the_office_only(role: Role) -> None:
    assert can(holding(role), Permission.TEND_SYSTEM) == (role is Role.OFFICE)


@pytest.mark.parametrize("permission", [p for p in Permission if p is not Permission.ANYONE])
def test_who_is_not_signed_in_may_nothing(permission: Permission) -> None:
    assert not can(NOBODY, permission)


@pytest.mark.parametrize("permission", IN_CASE)
def test_the_system_reads_nothing(permission: Permission) -> None:
    assert not can(SYSTEM, permission, {Part.SYSTEM})


def test_anyone_is_anyone() -> None:
    assert can(NOBODY, Permission.ANYONE)


@pytest.mark.parametrize("permission", GENERAL)
def test_a_link_gives_no_role_s_permission(permission: Permission) -> None:
    """A link opens one case; what its holder is trusted with elsewhere needs signing in."""
    linked = Actor(person_id=PERSON, roles=frozenset({(Role.OFFICE, None), (Role.DIRECTOR, None)}), link=LINK)
    assert not can(linked, permission)
    assert not linked.official


def test_a_role_at_one_tournament_is_none_at_another() -> None:
    director = holding(Role.DIRECTOR, HERE)
    assert director.holds(Role.DIRECTOR, at=HERE)
    assert not director.holds(Role.DIRECTOR, at=ELSEWHERE)
    assert not director.holds(Role.DIRECTOR)


def test_a_role_in_the_federation_holds_everywhere() -> None:
    assert holding(Role.OFFICE).holds(Role.OFFICE, at=HERE)
