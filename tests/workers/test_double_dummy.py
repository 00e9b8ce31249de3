"""What the sides can make: the real solver, asked of a worker about boards as filed, and nothing without it."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sqlmodel import col, select

from casework.adapters import double_dummy as solver
from casework.adapters.database import uow
from casework.adapters.double_dummy import NotSolved
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Strain
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.double_dummy import DoubleDummy
from casework.domain.bridge.notation import RANKS, SEATS, Seat, Suit
from casework.domain.models import BoardAdvice, BoardRecord, OutboxJob
from casework.domain.terms import JobState
from casework.paths import PACKAGE
from casework.services import double_dummy
from tests import factories, support
from tests.services.filing import FILED, file_ruling, rows
from workers.handlers import DUTIES

LATER = FILED.replace(minute=45)
NORTH_HOLDS_THE_TOP = "AKQJ.AKQ.AKQ.AKQ T987.J109.J109.J109 65.8765.8765.876 432.432.432.5432"
A_SUIT_EACH = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
PUBLISHED = "QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


@pytest.fixture(autouse=True)
def _with_solver() -> None:
    support.need("The extra casework[bridge] (make bridge)", reachable=solver.installed())


def deal(hands: str) -> Deal:
    """Four hands from North on."""
    return Deal(*map(Hand.parse, hands.split()))


def turned(whole: Deal) -> Deal:
    """Every hand one seat on: North's is now East's."""
    return Deal(whole.west, whole.north, whole.east, whole.south)


def by_strain(made: DoubleDummy, strains: str = "SHDCN") -> list[list[int]]:
    """For each strain the tricks of North, East, South and West."""
    return [[made.tricks[seat][Strain(strain)] for seat in SEATS] for strain in strains]


def board(dealt: Deal) -> Board:
    """Board 18 with these hands."""
    return replace(Board.numbered(18), deal=dealt)


def test_thirteen_tops_are_thirteen_tricks_without_trumps() -> None:
    made = solver.solve(deal(NORTH_HOLDS_THE_TOP))
    assert by_strain(made, "N") == [[13, 0, 13, 0]]


def test_who_holds_all_trumps_takes_all_and_without_trumps_the_leader_does() -> None:
    """So rows, columns and seats are the ones that the solver means."""
    made = solver.solve(deal(A_SUIT_EACH))
    assert by_strain(made) == [[13, 0, 13, 0], [0, 13, 0, 13], [13, 0, 13, 0], [0, 13, 0, 13], [0, 0, 0, 0]]


def test_the_solver_says_what_its_makers_publish() -> None:
    """The first deal of the examples that come with DDS."""
    made = solver.solve(deal(PUBLISHED))
    assert by_strain(made) == [[5, 8, 5, 8], [6, 6, 6, 6], [5, 7, 5, 7], [7, 5, 7, 5], [6, 6, 6, 6]]


def test_a_deal_that_is_turned_turns_the_table() -> None:
    random = Random(7)
    pack = [suit + rank for suit in Suit for rank in RANKS]
    random.shuffle(pack)
    dealt = Deal(*(Hand.of(holding(pack[start : start + 13])) for start in range(0, 52, 13)))
    made, after = solver.solve(dealt), solver.solve(turned(dealt))
    assert [after.tricks[seat.next] for seat in SEATS] == [made.tricks[seat] for seat in SEATS]


def holding(cards: list[str]) -> dict[Suit, str]:
    """Ranks by suit."""
    return {suit: "".join(card[1] for card in cards if card[0] == suit) for suit in Suit}


@pytest.mark.parametrize(("limits", "why"), [({"memory": 30_000_000}, "exit status"), ({"seconds": 0}, "too long")])
def test_a_deal_over_the_limits_is_not_solved(limits: dict[str, int], why: str) -> None:
    with pytest.raises(NotSolved) as failed:
        solver.solve(deal(PUBLISHED), **limits)
    assert why in failed.value.detail


def test_a_filed_board_gets_its_table_once(database: str) -> None:
    file_ruling(factories.federation(), board=board(deal(PUBLISHED)))
    DUTIES.sweep(LATER)
    (asked,) = jobs()
    DUTIES.drain(LATER)
    DUTIES.drain(LATER.replace(minute=55))
    (kept,), (done,) = rows(BoardAdvice), jobs()
    assert kept.tricks == solver.solve(deal(PUBLISHED)).to_json()
    assert (done.id, done.state, kept.solved_at) == (asked.id, JobState.DONE, LATER)


def test_a_board_without_all_cards_is_no_work_for_anybody(sqlite: str) -> None:
    north, east, *_ = map(Hand.parse, PUBLISHED.split())
    file_ruling(factories.federation(), board=board(Deal(north, east, partial=True)))
    DUTIES.drain(LATER)
    assert jobs() == []
    assert [kept.tricks for kept in rows(BoardAdvice)] == [None]


def test_a_deal_that_is_not_solved_leaves_the_board_as_it_is(sqlite: str) -> None:
    """A solver that breaks is a job that failed, tried once."""
    file_ruling(factories.federation(), board=board(deal(PUBLISHED)))
    DUTIES.sweep(LATER)
    with uow(write=True) as session:
        record = session.exec(select(BoardRecord)).one()
        record.board = record.board | {"hands": {}}
        session.add(record)
    DUTIES.drain(LATER)
    assert [(job.state, job.error) for job in jobs()] == [(JobState.FAILED, "not 52 cards")]
    assert [kept.tricks for kept in rows(BoardAdvice)] == [None]


def test_a_machine_without_the_extra_asks_for_nothing(sqlite: str, tmp_path: Path) -> None:
    """The workers' own duties, by a Python whose packages are these without the solver."""
    file_ruling(factories.federation(), board=board(deal(PUBLISHED)))
    packages = Path(sysconfig.get_path("purelib"))
    for entry in packages.iterdir():
        if not entry.name.startswith("endplay"):
            (tmp_path / entry.name).symlink_to(entry)
    work = "from workers.handlers import DUTIES; DUTIES.drain(); print(len(DUTIES.handlers))"
    said = subprocess.run(
        [sys.executable, "-S", "-c", work],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.stdout.strip(), said.returncode) == (str(len(DUTIES.handlers)), 0), said.stderr
    assert jobs() == []
    assert rows(BoardAdvice) == []


def jobs() -> list[OutboxJob]:
    """The solver's jobs."""
    return rows(OutboxJob, col(OutboxJob.kind) == double_dummy.KIND)


def test_a_table_has_all_seats_strains_and_no_more_tricks_than_there_are() -> None:
    whole = {seat: dict.fromkeys(Strain, 7) for seat in SEATS}
    assert DoubleDummy.from_json(DoubleDummy(whole).to_json()) == DoubleDummy(whole)
    for wrong in (whole | {Seat.north: {Strain.clubs: 7}}, whole | {Seat.west: dict.fromkeys(Strain, 14)}):
        with pytest.raises(ValueError, match="0 to 13"):
            DoubleDummy(wrong)
