"""Attachments: drafts, limits, the sweep, who may read (S-UP6-S-UP8)."""

from datetime import timedelta
from io import BytesIO
from uuid import UUID, uuid4

import pytest
from sqlmodel import select

from casework.adapters import storage
from casework.adapters.database import uow
from casework.domain.errors import Invalid, Missing
from casework.domain.models import Attachment
from casework.domain.terms import Side
from casework.services import appeals, papers
from casework.services.appeals import AppealInput
from tests import factories
from tests.factories import START, Federation, OpenCase

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n"


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A ruling."""
    case = factories.open_case(there)
    factories.give_ruling(there, case, told={there.persons["north"]: START})
    return case


def draft(there: Federation, case: OpenCase, key: str = "north", *, side: Side = Side.NORTH_SOUTH) -> UUID:
    """A file that a player has chosen and not filed."""
    stored = papers.take_in(BytesIO(PDF), filename="kort.pdf", used=0)
    party = case.party_ids[side]
    with uow(write=True) as session:
        row = papers.keep_draft(session, stored, there.actor(key), case_id=case.case_id, party_id=party, now=START)
        return row.id


def lodge(there: Federation, case: OpenCase, *ids: UUID, at: timedelta = timedelta(0)) -> None:
    """North appeals with these files."""
    appeal = AppealInput(party_id=case.party_ids[Side.NORTH_SOUTH], wants="Allt", attachments=ids)
    with uow(write=True) as session:
        appeals.lodge_appeal(session, case.proceeding_id, there.actor("north"), appeal, now=START + at)


def all_rows() -> list[Attachment]:
    """All attachments."""
    with uow() as session:
        return list(session.exec(select(Attachment)))


def test_a_draft_is_filed_with_what_it_hangs_on(there: Federation, case: OpenCase) -> None:
    """S-UP8: the history commits to the file's row, with its hash."""
    from casework.domain.models import Event

    lodge(there, case, draft(there, case))
    (row,) = all_rows()
    assert row.appeal_id is not None
    with uow() as session:
        filed = [event.data.get("filed", {}) for event in session.exec(select(Event))]
    assert any(str(row.id) in ids for ids in filed)


def test_a_draft_of_another_is_refused(there: Federation, case: OpenCase) -> None:
    foreign = draft(there, case, "east", side=Side.EAST_WEST)
    with pytest.raises(Invalid) as refused:
        lodge(there, case, foreign)
    assert "files" in refused.value.fields


def test_a_draft_is_kept_for_a_day(there: Federation, case: OpenCase) -> None:
    old = draft(there, case)
    with pytest.raises(Invalid):
        lodge(there, case, old, at=timedelta(days=1))


def test_a_filed_draft_is_not_filed_again(there: Federation, case: OpenCase) -> None:
    once = draft(there, case)
    lodge(there, case, once)
    with uow() as session:
        assert papers.drafts(session, [once], there.actor("north"), case_id=case.case_id, now=START) == ([], False)


def test_the_sweep_takes_what_nobody_filed(there: Federation, case: OpenCase) -> None:
    lodge(there, case, draft(there, case))
    forgotten = draft(there, case)
    for hours, swept in ((24, 0), (26, 1), (27, 0)):
        with uow(write=True) as session:
            assert papers.sweep_drafts(session, START + timedelta(hours=hours)) == swept
    rows = all_rows()
    assert forgotten not in {row.id for row in rows}
    (filed,) = rows
    with papers.content(filed) as stream:
        assert stream.read() == PDF


def test_the_swept_file_is_gone_from_the_disk(there: Federation, case: OpenCase) -> None:
    draft(there, case)
    (row,) = all_rows()
    with uow(write=True) as session:
        papers.sweep_drafts(session, START + timedelta(hours=26))
    with pytest.raises(Missing):
        papers.content(row)


def test_a_party_may_send_sixty_megabytes_in_a_case(there: Federation, case: OpenCase) -> None:
    """S-UP: the limit is the party's; the other side's files do not count."""
    mine, theirs = case.party_ids[Side.NORTH_SOUTH], case.party_ids[Side.EAST_WEST]
    with uow(write=True) as session:
        session.add(
            Attachment(
                case_id=case.case_id,
                party_id=mine,
                uploaded_by=there.persons["south"],
                uploaded_at=START,
                key=uuid4().hex,
                name="stor.pdf",
                media_type="application/pdf",
                size=storage.MAX_TOTAL - 10,
                sha256="0" * 64,
            )
        )
    with uow() as session:
        used = papers.used(session, case.case_id, mine)
        assert papers.used(session, case.case_id, theirs) == 0
    with pytest.raises(Invalid) as refused:
        papers.take_in(BytesIO(PDF), filename="en till.pdf", used=used)
    assert refused.value.fields["files"].params["file"] == "en till.pdf"
    with pytest.raises(Invalid):
        draft(there, case)


def test_the_reason_names_the_file(there: Federation) -> None:
    with pytest.raises(Invalid) as refused:
        papers.take_in(BytesIO(b""), filename="tom.pdf", used=0)
    assert refused.value.fields["files"].params == {"file": "tom.pdf", "reason": storage.EMPTY}
