"""The full form: boards, facts and reasons that are added to a ruling; nothing is overwritten (R27)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from casework.adapters.database import uow
from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.notation import Seat
from casework.domain.errors import Conflict, Invalid
from casework.domain.models import BoardRecord
from casework.domain.terms import Side
from casework.services import boards
from tests import factories
from tests.factories import Federation
from tests.services.filing import FILED, file_ruling, rows


def board(number: int = 18) -> Board:
    """Board 18 with another dealer, and why."""
    return replace(Board.numbered(number), dealer=Seat.north, because={"dealer": "Lådan låg fel."})


def test_a_board_that_differs_from_its_number_is_filed_with_the_ruling(there: Federation) -> None:
    file_ruling(there, board=board())
    (record,) = rows(BoardRecord)
    assert Board.from_json(record.board) == board()


def test_later_filings_stand_beside_earlier_ones_and_the_newest_counts(there: Federation) -> None:
    case = factories.open_case(there)
    with uow(write=True) as session:
        step = boards.complete_ruling(
            session, case.proceeding_id, there.actor("director"), change=lambda _: board(), now=FILED
        )
        before = boards.ruling_papers(session, step.loaded)
        boards.complete_ruling(
            session,
            case.proceeding_id,
            there.actor("director"),
            change=lambda old: replace(old, lead="H8"),
            basis=before.basis,
            now=FILED + timedelta(minutes=1),
        )
        now_filed = boards.ruling_papers(session, step.loaded)
    assert (now_filed.board.lead, now_filed.board.dealer) == ("H8", Seat.north)
    assert len(rows(BoardRecord)) == 2


def test_a_deal_that_cannot_exist_is_refused_whoever_files_it(there: Federation) -> None:
    """T09's published form has the 8 of diamonds twice: no reason can make it a deal."""
    twice, _ = parse_deal({Seat.north: "AK.AKJ87.AJT87.3", Seat.west: "Q9.64.KQ98.Q9764"})
    impossible = replace(board(), deal=twice, because={"deal": "Så står det i protokollet."})
    with pytest.raises(Invalid) as refused:
        file_ruling(there, board=impossible)
    assert list(refused.value.fields) == ["deal"]
    case = factories.open_case(there)
    with pytest.raises(Invalid), uow(write=True) as session:
        boards.complete_ruling(
            session, case.proceeding_id, there.actor("director"), change=lambda _: impossible, now=FILED
        )
    assert rows(BoardRecord) == []


def test_two_who_fill_in_the_same_form_lose_nothing(there: Federation) -> None:
    case, director = factories.open_case(there), there.actor("director")
    with uow(write=True) as session:
        seen = boards.ruling_papers(
            session,
            boards.complete_ruling(
                session, case.proceeding_id, director, texts={boards.AGREED: "Paus."}, now=FILED
            ).loaded,
        ).basis
        boards.complete_ruling(
            session,
            case.proceeding_id,
            there.actor("chief"),
            texts={boards.AGREED: "Lång paus."},
            basis=seen,
            now=FILED,
        )
    with pytest.raises(Conflict), uow(write=True) as session:
        boards.complete_ruling(
            session, case.proceeding_id, director, texts={boards.AGREED: "Kort paus."}, basis=seen, now=FILED
        )


def test_r27_facts_and_reasons_can_be_added_when_the_ruling_is_given(there: Federation) -> None:
    case = factories.open_case(there)
    factories.give_ruling(there, case, at=FILED)
    texts = {boards.AGREED: "Paus i 20 sekunder.", Side.EAST_WEST.value: "Bara fem sekunder."}
    with uow(write=True) as session:
        step = boards.complete_ruling(session, case.proceeding_id, there.actor("director"), texts=texts, now=FILED)
        papers = boards.ruling_papers(session, step.loaded)
    assert (papers.agreed, papers.disputed[Side.EAST_WEST]) == ("Paus i 20 sekunder.", "Bara fem sekunder.")
    assert papers.reasons == "Pass var ett logiskt alternativ."
