"""Appeals below the web: what the verbs refuse, how many statements a step takes, who reads what."""

from datetime import timedelta

import pytest

from casework.adapters.database import uow
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Proceeding
from casework.domain.terms import ActionName, ProceedingKind, Side
from casework.services import appeals, queries, readings
from casework.services.appeals import AppealInput
from casework.services.receipts import receipt_number
from tests import factories
from tests.factories import START, Federation, OpenCase


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A ruling told to one of each side."""
    case = factories.open_case(there)
    factories.give_ruling(there, case, told={there.persons["north"]: START, there.persons["east"]: START})
    return case


def lodge(there: Federation, case: OpenCase, key: str, side: Side, **more: object) -> None:
    """One side appeals."""
    appeal = AppealInput(party_id=case.party_ids[side], wants="Allt", **more)  # type: ignore[arg-type]  # named fields
    with uow(write=True) as session:
        appeals.lodge_appeal(session, case.proceeding_id, there.actor(key), appeal, now=START + timedelta(minutes=5))


def test_an_appeal_is_not_made_in_the_future(there: Federation, case: OpenCase) -> None:
    with pytest.raises(Invalid) as refused:
        lodge(there, case, "director", Side.NORTH_SOUTH, lodged_by=there.persons["north"],
              lodged_at=START + timedelta(hours=1))  # fmt: skip
    assert "clock" in refused.value.fields


def test_appeals_of_both_sides_are_read_together(there: Federation, case: OpenCase) -> None:
    lodge(there, case, "north", Side.NORTH_SOUTH)
    lodge(there, case, "east", Side.EAST_WEST)
    with uow() as session:
        loaded = queries.load_visible(session, case.case_id, there.actor("director"))
        views = readings.appeals(session, loaded)
    assert [view.lodged_by for view in views] == ["Birgit Ekestam", "Lena Tvärås"]
    assert [[person.name for person in view.missing] for view in views] == [["Arne Solvik"], ["Olof Hägglund"]]
    assert all(view.of_ruling for view in views)


def test_the_place_of_an_action_is_where_it_can_be_taken(there: Federation, case: OpenCase) -> None:
    """Lodging is the ruling's, forwarding the appeal's."""
    lodge(there, case, "north", Side.NORTH_SOUTH)
    now = START + timedelta(minutes=6)
    with uow() as session:
        loaded = queries.load_visible(session, case.case_id, there.actor("director"))
        where = {
            name: readings.place_of(loaded, there.actor("director"), now, name)[0].proceeding
            for name in (ActionName.LODGE_APPEAL, ActionName.FORWARD_APPEAL)
        }
        with pytest.raises(NotAllowed):
            readings.place_of(loaded, there.actor("north"), now, ActionName.FORWARD_APPEAL)
    kinds = {name: kind(row) for name, row in where.items()}
    assert kinds == {
        ActionName.LODGE_APPEAL: ProceedingKind.RULING,
        ActionName.FORWARD_APPEAL: ProceedingKind.APPEAL,
    }


def kind(row: Proceeding) -> ProceedingKind:
    """The proceeding's kind."""
    return row.kind


def test_a_receipts_number_is_short_and_its_own(there: Federation, case: OpenCase) -> None:
    """The same for the same filing, another for another, with no sign that can be read as another."""
    number = receipt_number("SBF-2026-0123", case.case_id)
    assert number == receipt_number("SBF-2026-0123", case.case_id)
    assert number != receipt_number("SBF-2026-0123", case.proceeding_id)
    assert number.startswith("0123-")
    assert not set(number[5:]) & set("01IO")
