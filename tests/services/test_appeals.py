"""Appeals below the web: what the verbs refuse, how many statements a step takes, who reads what."""

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Notice, Proceeding
from casework.domain.terms import ActionName, NoticeKind, ProceedingKind, Side
from casework.services import appeals, queries, readings
from casework.services.appeals import AppealInput
from casework.services.receipts import receipt_number
from tests import factories
from tests.factories import START, Federation, OpenCase
from tests.story import Story


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


def test_what_is_final_after_a_withdrawal_does_not_say_that_nobody_appealed(sqlite: str) -> None:
    """R32."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.withdraw()
    story.expire(hours=2)
    assert "från par 7 är återkallat och det finns inget annat" in words(story, NoticeKind.FINAL)
    assert "ingen har överklagat" not in words(story, NoticeKind.FINAL)


def test_a_withdrawal_after_all_times_tells_at_once_that_all_is_final(sqlite: str) -> None:
    """R32: nobody is told twice."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.expire(hours=2)
    story.withdraw()
    assert "Därför är domslutet slutgiltigt." in words(story, NoticeKind.APPEAL_WITHDRAWN)
    assert words(story, NoticeKind.FINAL) == ""


def words(story: Story, kind: NoticeKind) -> str:
    """The first lines of the newest mail of a kind in a case, in one line; empty where nobody got one."""
    with uow() as session:
        ours = select(Notice).where(Notice.kind == kind, Notice.case_id == story.case.case_id)
        notice = session.exec(ours.order_by(col(Notice.due_at).desc())).first()
    if notice is None or notice.mime is None:
        return ""
    body = message_from_bytes(notice.mime, _class=EmailMessage, policy=policy.default).get_body(("plain",))
    return " ".join(str(body.get_content()).split()) if body else ""


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
