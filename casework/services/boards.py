"""The full form of a ruling: the board as it was played, and facts and reasons that are added to a short one (R27).

Nothing that was filed is overwritten: each filing is a row of its own, and the newest counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.bridge.board import Board
from casework.domain.bridge.board_parts import Refiled
from casework.domain.bridge.notation import Seat, Vulnerability
from casework.domain.errors import Conflict, Invalid
from casework.domain.models import BoardRecord, Statement
from casework.domain.terms import ActionName, FilingChannel, Side, StatementKind
from casework.services import papers
from casework.services.board_changes import filings
from casework.services.engine import locked, take
from casework.services.loading import Loaded
from casework.services.step import AlreadyDone, FormInstance, Step, acting_person
from casework.text import Text, says_something, sentences, t

AGREED, REASONS = "facts_agreed", "reasons"


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A draft with the game that the board is taken from, counted from 1, and its results of all tables, as typed."""

    draft_id: UUID
    game: int
    table: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingPapers:
    """What the full form holds so far; `basis` names the newest filing, for who wants to add to what he has seen."""

    board: Board
    board_filed: bool = False
    agreed: str = ""
    disputed: Mapping[Side, str] = field(default_factory=dict)
    reasons: str = ""
    basis: str = ""

    @property
    def facts_sorted(self) -> bool:
        """Whether it is said what the sides agree and disagree about."""
        return bool(self.agreed or any(self.disputed.values()))

    @property
    def whole(self) -> bool:
        """Whether hands, auction and facts are all in."""
        return any(self.board.deal.known()) and self.board.auction is not None and self.facts_sorted


def ruling_papers(session: Session, loaded: Loaded, *, drafting: bool = False) -> RulingPapers:
    """The full form of the loaded case, the ruling's own words where nothing has been added to them.

    What was drafted before the ruling went into it as far as the director wanted: it is no addition to it. Until then
    it is there for who is `drafting` alone.
    """
    record = newest_board(session, loaded.case.id)
    added = select(Statement).where(Statement.case_id == loaded.case.id, Statement.kind == StatementKind.ADDITION)
    additions = list(session.exec(added.order_by(col(Statement.received_at), col(Statement.id))))
    ruled = _texts(loaded)
    standing = [row for row in additions if not row.is_draft or (drafting and ruled is None)]
    texts = (ruled or {}) | {key: text for row in standing for key, text in (row.parts or {}).items()}
    return RulingPapers(
        board=Board.from_json(record.board) if record else blank_board(loaded.incident.board),
        board_filed=record is not None,
        agreed=texts.get(AGREED, ""),
        disputed={side: texts.get(side, "") for side in Side},
        reasons=texts.get(REASONS, ""),
        basis=f"{record.id if record else ''}/{len(additions)}",
    )


def newest_board(session: Session, case_id: UUID) -> BoardRecord | None:
    """The board as it was last filed."""
    boards = select(BoardRecord).where(BoardRecord.case_id == case_id)
    return session.exec(boards.order_by(col(BoardRecord.filed_at).desc(), col(BoardRecord.id)).limit(1)).first()


def _texts(loaded: Loaded) -> dict[str, str] | None:
    """The ruling's own words; None before there is one."""
    decision = loaded.decision(loaded.root.id)
    if decision is None:
        return None
    return {AGREED: decision.facts_agreed, REASONS: decision.reasons, **(decision.facts_disputed or {})}


def blank_board(number: int | None) -> Board:
    """What is known of a board by its number alone."""
    if number is not None:
        return Board.numbered(number)
    return Board(dealer=Seat.north, vulnerability=Vulnerability.none)


def complete_ruling(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    change: Callable[[Board], Board] | None = None,
    texts: Mapping[str, str] | None = None,
    file: TakenFile | None = None,
    basis: str | None = None,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Add the board, or facts and reasons by `AGREED`, `REASONS` and side; what was filed before stays.

    Before there is a ruling, facts and reasons are a draft: parties read what the ruling makes of it.

    `file` is what the board is taken from: its bytes are filed with it, as evidence.

    Raises:
        Conflict: somebody has added something since the page was opened that `basis` comes from.
        Invalid: the board cannot have been at any table.
    """
    loaded = locked(session, proceeding, form)
    if loaded.receipt is not None:
        raise AlreadyDone(loaded.receipt)
    known = ruling_papers(session, loaded, drafting=True)
    if basis not in (None, known.basis):
        raise Conflict(t("Somebody else has added something since you opened this page. What you wrote is still here."))
    subject_id = uuid4()
    board = change(known.board) if change is not None else None
    refuse_impossible(board)
    data = {"board": _refiled(session, loaded, board)} if board is not None else {}

    def write(step: Step) -> None:
        if board is not None:
            step.file(board_record(step, board))
        if texts is not None:
            step.file(_addition(step, subject_id, texts, draft=loaded.decision(loaded.root.id) is None))
        if file is not None:
            taken = {papers.BOARD_FILE: str(file.game), papers.BOARD_TABLE: file.table}
            step.file(_addition(step, subject_id, taken, draft=False))
            papers.file_drafts(step, (file.draft_id,), papers.Hangs(statement_id=subject_id), party_id=None)

    return take(
        session,
        loaded,
        ActionName.COMPLETE_RULING,
        actor,
        now=now,
        data=data,
        subject_id=subject_id,
        form=form,
        write=write,
    )


def _refiled(session: Session, loaded: Loaded, board: Board) -> Refiled:
    filed, ruling = filings(session, loaded), loaded.decision(loaded.root.id)
    known = [each.board for each in filed if ruling is not None and each.at <= ruling.recorded_at]
    return Refiled(now=board, last=filed[-1].board if filed else None, ruled=known[-1] if known else None)


def _addition(step: Step, statement_id: UUID, texts: Mapping[str, str], *, draft: bool) -> Statement:
    return Statement(
        id=statement_id,
        case_id=step.loaded.case.id,
        proceeding_id=step.proceeding.id,
        kind=StatementKind.ADDITION,
        author_id=acting_person(step.actor),
        channel=FilingChannel.ACCOUNT,
        parts=dict(texts),
        signed_at=step.now,
        received_at=step.now,
        opened_at=None if draft else step.now,
    )


def refuse_impossible(board: Board | None) -> None:
    """Whoever files it: two aces of spades are no deal, whatever reason is given. Invalid names the fields."""
    grave = [finding for finding in board.findings() if finding.grave] if board is not None else []
    if grave:
        raise Invalid({finding.field: finding.text for finding in reversed(grave)})


def refuse_unsettled(session: Session, loaded: Loaded, board: Board | None, *, field: str) -> None:
    """A ruling rests on a board that agrees with itself, in whatever order it was entered, or it is said why not.

    `board` is the one that is filed with the ruling; without one the newest counts. Invalid, at `field`.
    """
    if board is None and loaded.proceeding not in session.new:
        board = _as_filed(session, loaded)
    if findings := _unsettled(board):
        words = t("The board does not fit together: {findings} Correct it in the full form, or tick there that it was "
                  "so at the table and write why.", findings=findings)  # fmt: skip
        raise Invalid({field: words})


def settled(board: Board | None, because: str, *, field: str) -> Board | None:
    """The board as a panel lets it stand, with its reason: when it decides, nobody can correct the board any more.

    None where there is nothing to settle. Invalid, at `field`, where there is and no reason is given.
    """
    findings = _unsettled(board)
    if board is None or findings is None:
        return None
    if not says_something(because):
        words = t("The board does not fit together: {findings} Tick that it may stand as it is recorded, and write "
                  "why.", findings=findings)  # fmt: skip
        raise Invalid({field: words})
    return let_stand(board, because)


def let_stand(board: Board, because: str) -> Board:
    """With a reason for all that is odd and had none."""
    given = {finding.field: because.strip() for finding in board.open_findings() if not finding.grave}
    return replace(board, because={**board.because, **given})


def _as_filed(session: Session, loaded: Loaded) -> Board | None:
    filed = newest_board(session, loaded.case.id)
    return Board.from_json(filed.board) if filed is not None else None


def _unsettled(board: Board | None) -> Text | None:
    unsettled = board.open_findings() if board is not None else []
    return sentences([finding.text for finding in unsettled]) if unsettled else None


def board_record(step: Step, board: Board) -> BoardRecord:
    """The row of a board as filed."""
    stored: dict[str, Any] = board.to_json()
    return BoardRecord(
        case_id=step.loaded.case.id,
        filed_at=step.now,
        filed_by=acting_person(step.actor),
        number=board.number,
        board=stored,
    )
