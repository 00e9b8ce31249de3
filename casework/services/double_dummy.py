"""What the sides can make on the board as filed: asked of a worker, kept beside the board, shown as advice.

It is found by a sweep and not ordered by who files a board: filing waits for nobody, the web needs no solver, and
boards that were filed before the extra was installed get theirs. No board, step or history knows of it.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.outbox import enqueue
from casework.domain.access import Actor, Permission, can
from casework.domain.bridge.board import Board
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.double_dummy import DoubleDummy
from casework.domain.models import BoardAdvice, BoardRecord
from casework.domain.terms import Part
from casework.services.boards import newest_board

KIND = "double_dummy"
"""The kind of the jobs; the subject is a BoardRecord."""
BATCH = 100


def ask(session: Session, now: datetime) -> int:
    """Ask once for each filed board that has all its cards, and say how many boards were looked at."""
    looked_at = select(BoardAdvice.id).where(BoardAdvice.board_record_id == BoardRecord.id)
    waiting = select(BoardRecord).where(~looked_at.exists()).order_by(col(BoardRecord.filed_at).desc()).limit(BATCH)
    records = session.exec(waiting).all()
    for record in records:
        session.add(BoardAdvice(board_record_id=record.id, asked_at=now))
        if Board.from_json(record.board).deal.complete:
            key = f"{KIND}:{record.id}"
            enqueue(session, kind=KIND, subject_id=record.id, case_id=None, dedupe_key=key, due=now)
    return len(records)


def deal_of(session: Session, board_record_id: UUID) -> Deal:
    """The hands that a job is about."""
    return Board.from_json(session.get_one(BoardRecord, board_record_id).board).deal


def record(session: Session, board_record_id: UUID, made: DoubleDummy, now: datetime) -> None:
    """Keep what was calculated."""
    mine = select(BoardAdvice).where(BoardAdvice.board_record_id == board_record_id)
    advice = session.exec(mine).one()
    advice.tricks, advice.solved_at = made.to_json(), now
    session.add(advice)


def advice(session: Session, case_id: UUID, actor: Actor, parts: Collection[Part]) -> DoubleDummy | None:
    """What the sides can make on the board as last filed, for who may read advice; None while it is not known."""
    if not can(actor, Permission.READ_ADVICE, parts):
        return None
    board = newest_board(session, case_id)
    if board is None:
        return None
    kept = session.exec(select(BoardAdvice.tricks).where(BoardAdvice.board_record_id == board.id)).first()
    return DoubleDummy.from_json(kept) if kept else None
