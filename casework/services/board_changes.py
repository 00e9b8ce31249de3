"""The filings of a board, the oldest first, each with what it changed: what a decision rested on stays to be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.bridge.board import Board
from casework.domain.bridge.board_parts import Change, changes
from casework.domain.labels import label
from casework.domain.models import BoardRecord, Decision, Person
from casework.domain.terms import Part, ProceedingKind
from casework.services.board_view import BoardView, board_view
from casework.services.loading import Loaded
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """The board as it was filed. `reasons`: by the field of a finding, who gave the reason that it stands with."""

    id: UUID
    at: datetime
    by: Text
    board: Board
    before: Board | None
    reasons: Mapping[str, Text]

    def view(self, language: str) -> BoardView:
        """As it was."""
        return board_view(self.board, language, self.reasons)

    def changes(self, language: str) -> tuple[Change, ...]:
        """What it made of the filing before; none of the first."""
        return tuple(changes(self.before, self.board, language)) if self.before is not None else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterFiling:
    """That the board was changed after a decision, or only then filed: one line, and what changed."""

    id: UUID
    words: Text
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedBoard:
    """The board as it was when a decision was given, with the filings since; before the first it is the newest."""

    view: BoardView
    later: tuple[LaterFiling, ...]
    since: bool
    """Whether it was filed only after the decision."""


def filings(session: Session, loaded: Loaded) -> tuple[Filing, ...]:
    """As far as the reader may know of them: a panel lets a board stand with a decision that may not be told yet."""
    filed = (
        select(BoardRecord, Person)
        .join(Person, col(Person.id) == col(BoardRecord.filed_by))
        .where(BoardRecord.case_id == loaded.case.id)
        .order_by(col(BoardRecord.filed_at), col(BoardRecord.id).desc())
    )
    hidden = min((kept.at for kept in loaded.untold), default=None)
    found: list[Filing] = []
    for record, person in session.exec(filed):
        if hidden is not None and record.filed_at >= hidden:
            break
        found.append(_filing(loaded, record, person, found[-1] if found else None))
    return tuple(found)


def _filing(loaded: Loaded, record: BoardRecord, person: Person, last: Filing | None) -> Filing:
    board, by = Board.from_json(record.board), _signer(loaded, person)
    known = last.reasons if last is not None else {}
    given = t("{who}, {at}", who=by, at=record.filed_at)
    reasons = {
        name: known.get(name, given) if last is not None and last.board.because.get(name) == reason else given
        for name, reason in board.because.items()
    }
    before = last.board if last is not None else None
    return Filing(id=record.id, at=record.filed_at, by=by, board=board, before=before, reasons=reasons)


def _signer(loaded: Loaded, person: Person) -> Text:
    """A director sits on no panel (R19): who has a seat signed for the body."""
    panels = {seat.panel_id for seat in loaded.seats if seat.person_id == person.id}
    tried = {panel.proceeding_id for panel in loaded.panels if panel.id in panels}
    body = next((p.body for p in loaded.proceedings if p.id in tried), None)
    if body is None:
        return t("{name}, {part}", name=person.name, part=label(Part.DIRECTOR))
    return t("{name}, {part}, {body}", name=person.name, part=label(Part.CHAIR), body=label(body))


def decided_board(filed: Sequence[Filing], loaded: Loaded, decision: Decision, language: str) -> DecidedBoard | None:
    """The board that a decision rested on, and each filing after it. None while nothing is filed."""
    if not filed:
        return None
    known = [each for each in filed if each.at <= decision.recorded_at]
    ruling = next(p for p in loaded.proceedings if p.id == decision.proceeding_id).kind is ProceedingKind.RULING
    later = (
        LaterFiling(id=each.id, words=_later(each, ruling=ruling), changes=each.changes(language))
        for each in filed[len(known) :]
    )
    return DecidedBoard(
        view=(known or filed)[-1].view(language),
        later=tuple(each for each in later if each.changes or not known),
        since=not known,
    )


def ruled_board(filed: Sequence[Filing], loaded: Loaded, language: str) -> DecidedBoard | None:
    """The same of the ruling; before there is one, the newest."""
    ruling = loaded.decision(loaded.root.id)
    if ruling is not None or not filed:
        return decided_board(filed, loaded, ruling, language) if ruling else None
    return DecidedBoard(view=filed[-1].view(language), later=(), since=False)


def _later(filing: Filing, *, ruling: bool) -> Text:
    named: dict[str, Any] = {"at": filing.at, "who": filing.by}
    if filing.before is None:
        return (t("The board was added after the ruling, {at} by {who}.", **named) if ruling
                else t("The board was added after the decision, {at} by {who}.", **named))  # fmt: skip
    return (t("The board was changed after the ruling, {at} by {who}.", **named) if ruling
            else t("The board was changed after the decision, {at} by {who}.", **named))  # fmt: skip
