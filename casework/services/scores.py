"""Adjusted scores: counted before they are kept, filed beside each other, taken along by the decision (R69-R77).

Nothing that was filed is overwritten: the newest of a proceeding counts, and an empty one takes it back. With the
decision it is frozen; what is counted later stands beside it and cannot decide anything else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self
from uuid import UUID, uuid4

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.bridge.board import Board
from casework.domain.bridge.scoring.adjusted import AdjustedScore, adjust
from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore, SplitGround
from casework.domain.bridge.scoring.artificial import ArtificialScore
from casework.domain.bridge.scoring.methods import ByMatchpoints, Method
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, not_in_zone
from casework.domain.bridge.scoring.penalties import Penalty
from casework.domain.errors import Conflict, Invalid, NotAllowed
from casework.domain.labels import label
from casework.domain.models import AdjustmentRecord, BoardRecord, Consequence, Decision, Proceeding
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, ConsequenceKind, ProceedingKind, RulingOutcome, Side
from casework.services.board_files import table_since
from casework.services.engine import confirmed, take
from casework.services.loading import Loaded
from casework.services.score_basis import board_at, board_now, changed_since, result_of, why_not_listed
from casework.services.step import FormInstance, Step, acting_person
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreInput:
    """What a body decides about the score; the laws and the body are the case's own.

    `at_table` is the result that it replaces, where there was one.
    """

    north_south: SideScore
    east_west: SideScore
    method: Method
    split_because: SplitGround | None = None
    stands: bool = False
    penalties: tuple[tuple[Side, Penalty], ...] = ()
    at_table: Outcome | None = None
    differs_because: str = ""


def count(loaded: Loaded, typed: ScoreInput, board: Board) -> AdjustedScore:
    """The score with its working; nothing is kept. Invalid names the fields that will not do.

    The result at the table is the recorded one, where there is one, or it is said why it is not; and what a side
    gets can be had on this board.
    """
    listed = why_not_listed(board, typed.at_table, typed.method, typed.differs_because)
    if wrong := {**listed, **_not_to_be_had(typed, board), **_played_already(typed, board)}:
        raise Invalid(wrong)
    return adjust(
        Adjustment(
            edition=loaded.case.law_edition,
            body=loaded.proceeding.body,
            north_south=typed.north_south,
            east_west=typed.east_west,
            method=typed.method,
            split_because=typed.split_because,
            stands=typed.stands,
            penalties=typed.penalties,
        )
    )


def _not_to_be_had(typed: ScoreInput, board: Board) -> dict[str, Text]:
    """By side and place ("north_south-0"), the results that nobody can have had on this board."""
    sides = [typed.north_south] if typed.east_west == typed.north_south else [typed.north_south, typed.east_west]
    return {
        f"{side.value}-{place}": odd
        for side, given in zip(Side, sides, strict=False)
        if isinstance(given, AssignedScore) and not typed.stands
        for place, share in enumerate(given.shares)
        if (odd := not_in_zone(board.zone, share.outcome.ns_score))
    }


def _played_already(typed: ScoreInput, board: Board) -> dict[str, Text]:
    """By side, what is only for a board that a withdrawn pair did not play (R79)."""
    listed = isinstance(typed.method, ByMatchpoints) and bool(typed.differs_because.strip())
    if typed.at_table is None and (listed or result_of(board) is None):
        return {}
    sides = ((Side.NORTH_SOUTH, typed.north_south), (Side.EAST_WEST, typed.east_west))
    return {
        side.value: played
        for side, given in sides
        if isinstance(given, ArtificialScore) and given.problem() is None and (played := given.why_not_played())
    }


def as_recorded(typed: ScoreInput, board: Board) -> ScoreInput:
    """The result at the table with its contract, where only its score was typed and the board knows the rest."""
    recorded, at_table = result_of(board), typed.at_table
    if recorded is None or at_table is None or at_table != Outcome(recorded.ns_score):
        return typed
    if typed.stands:
        typed = replace(typed, north_south=AssignedScore.of(recorded), east_west=AssignedScore.of(recorded))
    return replace(typed, at_table=recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedScore:
    """A filed score as it was counted then; `score` is empty where it was taken back.

    `differs_because` says why `at_table` is not as recorded; `board_id` is the board that it was worked out on.
    """

    id: UUID
    score: AdjustedScore | None
    at_table: Outcome | None
    filed_at: datetime
    differs_because: str = ""
    board_id: UUID | None = None

    @classmethod
    def of(cls, record: AdjustmentRecord) -> Self:
        """What a row holds."""
        score = AdjustedScore.from_json(record.score) if record.score is not None else None
        at_table = Outcome.from_json(record.at_table) if record.at_table is not None else None
        return cls(
            id=record.id,
            score=score,
            at_table=at_table,
            filed_at=record.filed_at,
            differs_because=record.differs_because,
            board_id=record.board_id,
        )


NOT_COUNTED = t("The score is not worked out yet.")
_TO_COUNT = frozenset({RulingOutcome.ASSIGNED, RulingOutcome.WEIGHTED, RulingOutcome.SPLIT})


def lacks_score(outcome: RulingOutcome | None, saved: SavedScore | None) -> bool:
    """Whether a decision gives other results than the table's (R69-R74), and nobody has worked out what they come to.

    It may be told in words at once, for time runs; who is to try it needs the score.
    """
    return changes_score(outcome) and (saved is None or saved.score is None)


def changes_score(outcome: RulingOutcome | None) -> bool:
    """Whether a decision gives other results than the table's, which are to be worked out."""
    return outcome in _TO_COUNT


def upheld(loaded: Loaded, decision: Decision, consequences: Iterable[Consequence]) -> Decision | None:
    """The decision whose result another leaves as it was, with its score; None where it gives a result of its own."""
    tried = next(p.parent_id for p in loaded.proceedings if p.id == decision.proceeding_id)
    own = any(c.decision_id == decision.id and c.kind is ConsequenceKind.SCORE_ADJUSTMENT for c in consequences)
    return None if own or tried is None else loaded.decision(tried)


def newest_score(session: Session, proceeding_id: UUID) -> SavedScore | None:
    """The newest filing in a proceeding, an empty one too."""
    filed = select(AdjustmentRecord).where(AdjustmentRecord.proceeding_id == proceeding_id)
    newest_first = filed.order_by(col(AdjustmentRecord.filed_at).desc(), col(AdjustmentRecord.id))
    record = session.exec(newest_first.limit(1)).first()
    return SavedScore.of(record) if record is not None else None


def counted_before(session: Session, loaded: Loaded) -> SavedScore | None:
    """What an earlier body's decision was counted from: the same board has the same results, whoever judges it."""
    here = loaded.proceeding
    decided = (p for p in reversed(loaded.proceedings) if p.id != here.id and loaded.decision(p.id) is not None)
    found = (newest_score(session, p.id) for p in decided if p.opened_at <= here.opened_at)
    return next((saved for saved in found if saved is not None and saved.score is not None), None)


def why_stale(session: Session, loaded: Loaded, saved: SavedScore | None, *, board: Board | None = None) -> Text | None:
    """What has changed on the board since the score was worked out; `board` is one that is about to be filed."""
    if saved is None or saved.score is None:
        return None
    now = board if board is not None else board_now(session, loaded)[0]
    then = board_at(session, loaded, saved.board_id)
    table = table_since(session, loaded, saved.filed_at)
    return changed_since(then, now, saved.at_table, saved.score.adjustment.method, table=table)


def shown_of_count(session: Session, loaded: Loaded, typed: ScoreInput) -> Shown:
    """The page that shows what a score comes to. Raises as `count`."""
    board, _ = board_now(session, loaded)
    return Shown({Piece.SCORE: count(loaded, as_recorded(typed, board), board).to_json()})


def shown_saved(saved: SavedScore | None) -> Shown:
    """The editor, on which the score that is filed can be taken back."""
    return Shown({Piece.SCORE: saved.id if saved else None})


def keep_score(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    typed: ScoreInput | None,
    *,
    basis: UUID | None,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """File the score, or with None take back the one that is filed; a panel's stays in its room until the decision.

    Raises:
        Conflict: somebody has filed another since the page was opened; `basis` is the newest that it showed. Or it
            comes to something else than the page showed that it was checked on.
        Invalid: it cannot be counted, or is not what has been decided already.
    """

    def shows(session: Session, loaded: Loaded) -> Shown:
        if typed is None:
            return shown_saved(newest_score(session, loaded.proceeding.id))
        return shown_of_count(session, loaded, typed)

    loaded = confirmed(session, proceeding, form, shows)
    before = newest_score(session, loaded.proceeding.id)
    if basis != (before.id if before else None):
        raise Conflict(t("Somebody else has saved a score since you opened this page. What you wrote is still here."))
    board, board_id = board_now(session, loaded)
    typed = as_recorded(typed, board) if typed is not None else None
    score = count(loaded, typed, board) if typed is not None else None
    _refuse_another_decision(session, loaded, score)
    record_id = uuid4()

    def write(step: Step) -> None:
        at_table = typed.at_table if typed is not None else None
        differs = typed is not None and bool(why_not_listed(board, typed.at_table, typed.method, because=""))
        step.file(
            AdjustmentRecord(
                id=record_id,
                case_id=step.loaded.case.id,
                proceeding_id=step.proceeding.id,
                filed_at=step.now,
                filed_by=acting_person(step.actor),
                score=score.to_json() if score is not None else None,
                at_table=at_table.to_json() if at_table is not None else None,
                differs_because=typed.differs_because.strip() if typed is not None and differs else "",
                board_id=board_id,
            )
        )

    rules = loaded.proceeding.kind is ProceedingKind.RULING
    action = ActionName.COMPLETE_RULING if rules else ActionName.COUNT_SCORE
    data = {"score": score}
    return take(session, loaded, action, actor, now=now, data=data, subject_id=record_id, form=form, write=write)


def _refuse_another_decision(session: Session, loaded: Loaded, score: AdjustedScore | None) -> None:
    """What is decided can be counted further, when the frequency table has come, but not changed."""
    decision = loaded.decision()
    if decision is None:
        return
    if score is None:
        raise NotAllowed(t("The ruling is given. Its score cannot be taken back."))
    _refuse_contradiction(score, decision.outcome, "outcome")
    if decision.adjustment_id is None:
        return
    frozen = SavedScore.of(session.get_one(AdjustmentRecord, decision.adjustment_id)).score
    if frozen is not None and given_to_sides(frozen) != given_to_sides(score):
        raise NotAllowed(t("The ruling is given. You can count the same results further, but not change them."))


def given_to_sides(score: AdjustedScore) -> tuple[SideScore, SideScore, tuple[tuple[Side, Penalty], ...]]:
    """What both sides are given, whatever it is counted against."""
    return score.adjustment.north_south, score.adjustment.east_west, score.adjustment.penalties


def _refuse_contradiction(score: AdjustedScore, outcome: RulingOutcome | None, field: str) -> None:
    counted = score.adjustment.outcome
    if outcome is not counted:
        decided = label(outcome) if outcome is not None else t("nothing about the score")
        words = t("The score that is worked out is another: {counted}. Decided is: {decided}. Choose the same, or work "
                  "out the score again.", counted=label(counted), decided=decided)  # fmt: skip
        raise Invalid({field: words})


def board_and_score(session: Session, loaded: Loaded) -> tuple[Board | None, SavedScore | None]:
    """The newest filing of both, which a body's decision rests on, in one reading."""
    newest_first = {
        kind: select(col(kind.id)).order_by(col(kind.filed_at).desc(), col(kind.id)).limit(1)
        for kind in (BoardRecord, AdjustmentRecord)
    }
    board = newest_first[BoardRecord].where(BoardRecord.case_id == loaded.case.id).scalar_subquery()
    score = newest_first[AdjustmentRecord].where(AdjustmentRecord.proceeding_id == loaded.proceeding.id)
    both = (
        select(BoardRecord, AdjustmentRecord)
        .select_from(Proceeding)
        .outerjoin(BoardRecord, col(BoardRecord.id) == board)
        .outerjoin(AdjustmentRecord, col(AdjustmentRecord.id) == score.scalar_subquery())
        .where(Proceeding.id == loaded.proceeding.id)
    )
    filed, counted = session.exec(both).one()
    return Board.from_json(filed.board) if filed else None, SavedScore.of(counted) if counted else None


def taken_along(
    session: Session, loaded: Loaded, outcome: RulingOutcome, *, field: str, board: Board | None = None
) -> SavedScore | None:
    """The score that a decision with this outcome takes along; `board` is one that is filed with the decision.

    Invalid, at `field`, where the two contradict, or where the board has been changed since it was worked out.
    """
    opening = loaded.proceeding in session.new
    saved = None if opening else newest_score(session, loaded.proceeding.id)
    return fitting(session, loaded, saved, outcome, field=field, board=board)


def fitting(
    session: Session, loaded: Loaded, saved: SavedScore | None, outcome: RulingOutcome, *, field: str,
    board: Board | None,
) -> SavedScore | None:  # fmt: skip
    """The same of the newest score, where it is read already."""
    if saved is None or saved.score is None:
        return None
    if stale := why_stale(session, loaded, saved, board=board):
        raise Invalid({field: stale})
    _refuse_contradiction(saved.score, outcome, field)
    return saved


def of_decisions(session: Session, decisions: Sequence[Decision]) -> Mapping[UUID, Sequence[AdjustmentRecord]]:
    """Decision → the score that it took along, then what was counted of it later: never a draft of a panel."""
    by_proceeding = {decision.proceeding_id: decision for decision in decisions}
    shown: dict[UUID, list[AdjustmentRecord]] = {decision.id: [] for decision in decisions}
    if not by_proceeding:
        return shown
    filed = select(AdjustmentRecord).where(col(AdjustmentRecord.proceeding_id).in_(by_proceeding))
    rows = list(session.exec(filed.order_by(col(AdjustmentRecord.filed_at))))
    for decision in decisions:
        shown[decision.id] = [
            row
            for row in rows
            if row.id == decision.adjustment_id
            or (row.proceeding_id == decision.proceeding_id and row.filed_at > decision.recorded_at)
        ]
    return shown
