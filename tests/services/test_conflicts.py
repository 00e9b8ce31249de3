"""Who may sit: what bars, what is suggested, and what an answer leads to (R17, R19)."""

import pytest
from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.domain.access import visible_cases
from casework.domain.errors import NotAllowed
from casework.domain.models import Grant, Person, Seat
from casework.domain.terms import AppealRoute, ConflictState, Role, SeatRole
from casework.services import conflicts, hearings, tournaments
from casework.services.conflicts import Candidate
from casework.services.loading import load
from casework.services.snapshot import snapshot
from tests.factories import START, Federation, federation, open_case
from tests.juries import JURORS, JuryCase, answer, answered, appealed, called, composed, heard, roles
from tests.story import Story

pytestmark = pytest.mark.usefixtures("sqlite")


def candidates(case: JuryCase) -> dict[str, Candidate]:
    """By the names of the factories."""
    keys = {person: key for key, person in case.there.persons.items()}

    def ask(session: Session) -> dict[str, Candidate]:
        loaded = load(session, case.proceeding_id)
        found = conflicts.candidates(session, loaded, snapshot(loaded))
        return {keys[each.person.id]: each for each in found}

    with uow() as session:
        return ask(session)


def seat(case: JuryCase, who: str) -> Seat:
    """A member's seat as it stands."""
    with uow() as session:
        return session.get_one(Seat, case.seat(who))


def knows(case: JuryCase, who: str) -> bool:
    """Whether somebody may know of the case."""
    with uow() as session:
        ids = session.execute(visible_cases(case.there.actor(who))).scalars().all()
        return case.case_id in ids


def grant(there: Federation, who: str, role: Role) -> None:
    """Trust somebody with one role more at the tournament."""
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons[who], role=role, tournament_id=there.tournament_id))


def test_a_party_and_the_director_are_barred_with_the_reason() -> None:
    """R19."""
    there = federation()
    grant(there, "north", Role.JURY_MEMBER)
    grant(there, "director", Role.JURY_MEMBER)
    found = candidates(appealed(there))
    assert (found["north"].barred and found["north"].barred.msgid) == "is a party"
    assert found["director"].barred is not None
    assert found["juror_1"].barred is None


def test_the_same_club_is_suggested_above_club_level_and_bars_nobody() -> None:
    there = federation()
    _same_club(there, "juror_1")
    found = candidates(appealed(there))
    assert (found["juror_1"].suggestion and found["juror_1"].suggestion.msgid) == "belongs to the same club as a party"


def test_a_barred_person_cannot_be_seated() -> None:
    """R19: the reason is given."""
    there = federation()
    case = appealed(there)
    with pytest.raises(NotAllowed) as refusal:
        case.do(hearings.compose_panel, "organiser", seats=roles(there, ("juror_1", "juror_2", "south")))
    assert [reason.msgid for reason in refusal.value.reasons] == ["A party cannot sit on the panel."]


def test_who_has_a_conflict_loses_the_case_at_once() -> None:
    """S-AC5."""
    there = federation()
    case = composed(there)
    assert knows(case, "juror_2")
    answer(case, "juror_2", conflict=True)
    assert seat(case, "juror_2").conflict is ConflictState.RECUSED
    assert not knows(case, "juror_2")


def test_a_denied_suggestion_is_decided_by_another() -> None:
    there = federation()
    _same_club(there, "juror_2")
    case = composed(there)
    answer(case, "juror_2")
    assert seat(case, "juror_2").conflict is ConflictState.DECLARED
    with pytest.raises(NotAllowed):
        case.do(hearings.decide_conflict, "juror_2", seat_id=case.seat("juror_2"), recused=False, because="Nej.")
    case.do(hearings.decide_conflict, "organiser", seat_id=case.seat("juror_2"), recused=False, because="Stor klubb.")
    assert seat(case, "juror_2").conflict is ConflictState.NONE


def test_the_chair_who_is_recused_hands_on_the_chair() -> None:
    there = federation()
    case = composed(there)
    answer(case, "juror_1", conflict=True)
    with uow() as session:
        chairs = session.exec(select(Seat).where(col(Seat.role) == SeatRole.CHAIR)).all()
    assert [chair.person_id for chair in chairs] == [there.persons["juror_2"]]


def test_an_lk_member_who_was_called_and_then_sits_is_asked_like_the_others() -> None:
    """R17: who only attends answers nothing; who decides must."""
    there = federation()
    _present(there, "lk_1")
    case = called(there)
    assert seat(case, "lk_1").role is SeatRole.ATTENDEE
    case.do(hearings.compose_panel, "organiser", seats=roles(there, (*JURORS, "lk_1")))
    assert seat(case, "lk_1").role is SeatRole.MEMBER
    assert seat(case, "lk_1").conflict is not ConflictState.NONE
    assert case.token("lk_1")


def test_an_lk_member_who_steps_in_is_a_member_and_a_reserve_a_reserve() -> None:
    """R19: the word says who somebody is in the Law Commission, not how he came to sit."""
    there = federation(route=AppealRoute.LAW_COMMISSION)
    grant(there, "juror_3", Role.LK_MEMBER)
    story = Story(there, open_case(there))
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    for who in ("lk_1", "lk_2"):
        story.recuse(who)
    with uow() as session:
        seats = {seat.person_id: seat.role for seat in session.exec(select(Seat)) if seat.deciding}
    assert seats[there.persons["juror_3"]] is SeatRole.MEMBER
    assert seats[there.persons["lk_reserve"]] is SeatRole.RESERVE


def test_who_joins_a_jury_that_deliberates_must_hear_the_parties() -> None:
    there = federation()
    grant(there, "chief", Role.JURY_MEMBER)
    case = heard(there)
    case.do(hearings.decide_conflict, "organiser", seat_id=case.seat("juror_3"), recused=True, because="Släkt med Syd.")
    case.do(hearings.compose_panel, "organiser", seats=roles(there, ("juror_1", "juror_2", "chief")))
    with pytest.raises(NotAllowed) as refusal:
        case.do(hearings.open_hearing, "director")
    said = [reason.msgid for reason in refusal.value.reasons]
    assert "The parties have not been called to the hearing." in said
    assert "Note whether {party} is present." in said


def _present(there: Federation, who: str) -> None:
    with uow(write=True) as session:
        tournaments.register_presence(
            session, there.tournament_id, there.persons[who], there.actor("organiser"), now=START
        )


def _same_club(there: Federation, who: str) -> None:
    with uow(write=True) as session:
        session.get_one(Person, there.persons[who]).club = "Lindvalla BK"


def test_no_suggestion_and_no_conflict_needs_no_decision() -> None:
    there = federation()
    case = answered(there)
    assert seat(case, "juror_1").conflict is ConflictState.NONE
