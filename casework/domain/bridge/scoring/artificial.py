"""Artificial adjusted scores, where no result could be had: in percent of a top, or in IMPs (R74-R77)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from casework.domain.bridge.scoring.redress import (
    PLUS,
    bye,
    own_method,
    rest_of_withdrawn,
    results_stand,
    started_board,
    unplayed_board,
    wrong_board_entered,
    wrong_pocket,
)
from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, shown
from casework.text import Text, t

IMPS = 3
"""Average plus in IMPs, where the organiser has not set another number (R76)."""


class Fault(StrEnum):
    """How far a side was to blame that the board has no result."""

    none = "none"
    partly = "partly"
    directly = "directly"

    @property
    def words(self) -> Text:
        """As it is chosen in a form."""
        return _WORDS[self]

    @property
    def percent(self) -> int:
        """Average plus, average or average minus (R75)."""
        return {Fault.none: 60, Fault.partly: 50, Fault.directly: 40}[self]

    @property
    def sign(self) -> int:
        """The side of zero in IMPs (R76)."""
        return {Fault.none: 1, Fault.partly: 0, Fault.directly: -1}[self]


class Ground(StrEnum):
    """Why the board has no result that can be compared."""

    no_result = "no_result"
    not_started = "not_started"
    started = "started"
    wrong_board = "wrong_board"
    wrong_pocket = "wrong_pocket"
    bye = "bye"
    bye_by_withdrawal = "bye_by_withdrawal"
    withdrew = "withdrew"
    own_method = "own_method"

    @property
    def words(self) -> Text:
        """As it is chosen in a form."""
        return _GROUNDS[self]

    @property
    def of_fault(self) -> bool:
        """Whether it matters which side was at fault."""
        return self not in {Ground.bye, Ground.bye_by_withdrawal, Ground.withdrew, Ground.own_method}

    @property
    def needs_percent(self) -> bool:
        """Whether nothing is given without a percentage: the likely result (R86), the pair's own (R80), a method's."""
        return self in _PERCENTS


@dataclass(frozen=True, slots=True)
class ArtificialScore:
    """What a side gets without a result; `own_percent` is its session result on the other boards, if known.

    Of a withdrawn board that was started, `own_percent` is the result that the director finds likely (R86); by the
    event's own `method`, in words, it is what that gives (R85). A pair that withdrew had `played` so many of the
    stage's `boards` (R79).
    """

    fault: Fault
    own_percent: Fraction | None = None
    ground: Ground = Ground.no_result
    method: str = ""
    played: int | None = None
    boards: int | None = None

    @property
    def words(self) -> Text:
        """For the result list and the parties."""
        if self.ground is Ground.no_result:
            return self.fault.words
        if self.ground is Ground.withdrew and self.played is not None and self.boards:
            what = t("its results are struck") if self.is_struck else t("its results stand")
            return t("{ground}, {what}", ground=self.ground.words, what=what)
        if not self.ground.of_fault:
            return t("{ground}: {percent} %", ground=self.ground.words, percent=shown(self.percentage().value))
        if self.fault is Fault.directly:
            return t("{ground}, the side at fault", ground=self.ground.words)
        return t("{ground}, the side not at fault", ground=self.ground.words)

    @property
    def is_struck(self) -> bool:
        """Whether the pair is out of the results as if it had never started: it has no score, not even 0 % (R79)."""
        return bool(
            self.ground is Ground.withdrew
            and self.played is not None
            and self.boards
            and not results_stand(Fraction(HUNDRED * self.played, self.boards))
        )

    def why_not_played(self) -> Text | None:
        """Why it cannot be given on a board that has been played: 0 % is for what a withdrawn pair left (R79)."""
        if self.ground is not Ground.withdrew or (self.is_struck and self.played):
            return None
        if not self.played:
            return t("The board has a result at the table: the pair has played this board at least.")
        return t("The board has been played, and by {played} of {boards} boards its result stands. Only a board that "
                 "the pair did not play gives 0 %.", played=self.played, boards=self.boards or 0)  # fmt: skip

    def problem(self) -> Text | None:
        """Why it cannot be; None when it can."""
        if self.own_percent is not None and not 0 <= self.own_percent <= HUNDRED:
            return t("A side's own result is between 0 and 100 %.")
        if self.fault is Fault.partly and self.ground not in {Ground.no_result, Ground.wrong_board}:
            return t("Here a side is at fault or it is not. Choose one of them.")
        return self._lacks()

    def _lacks(self) -> Text | None:
        """What its ground asks for and is not there."""
        if self.ground.needs_percent and self.own_percent is None:
            return _PERCENTS[self.ground]
        if self.ground is Ground.own_method and not self.method.strip():
            return t("Write the event's own method in words.")
        if self.ground is not Ground.withdrew:
            return None
        if self.played is None or not self.boards or self.played < 0:
            return BOARDS_PLAYED
        if self.played > self.boards:
            return t("{played} is more than the {boards} boards of the stage. {ask}", played=self.played,
                     boards=self.boards, ask=BOARDS_PLAYED)  # fmt: skip
        return None

    def percentage(self) -> Working:
        """In percent of a top, with the side's own percentage where that is better or worse (R75, R77, R79-R88)."""
        if self.ground is not Ground.no_result:
            percent = self.own_percent if self.own_percent is not None else PLUS
            return self._by_fault(percent) if self.ground.of_fault else self._whoever(percent)
        given = Fraction(self.fault.percent)
        step = Step("R75, 12C2a", t("{fault}: {percent} %", fault=self.fault.words, percent=shown(given)))
        if self.own_percent is None or self.fault is Fault.partly:
            return Working(given, (step,))
        value = max(given, self.own_percent) if self.fault is Fault.none else min(given, self.own_percent)
        own = t("Own result on the other boards {own} %: the side gets {percent} %",
                own=shown(self.own_percent), percent=shown(value))  # fmt: skip
        return Working(value, (step, Step("R77, 12C2c", own)))

    def _by_fault(self, percent: Fraction) -> Working:
        guilty = self.fault is Fault.directly
        match self.ground:
            case Ground.not_started:
                return unplayed_board(guilty=guilty, own_percent=self.own_percent)
            case Ground.started:
                return started_board(percent, guilty=guilty)
            case Ground.wrong_board:
                return wrong_board_entered(entered_it=guilty)
            case _:
                return wrong_pocket(guilty=guilty, own_percent=self.own_percent)

    def _whoever(self, percent: Fraction) -> Working:
        match self.ground:
            case Ground.withdrew:
                return rest_of_withdrawn(self.played or 0, self.boards or 0)
            case Ground.own_method:
                return own_method(self.method, percent)
            case _:
                return bye(percent, by_withdrawal=self.ground is Ground.bye_by_withdrawal)

    def imps(self, average: int = IMPS) -> Working:
        """In IMPs; `average` is what average plus is worth where the event was played (R76)."""
        value = self.fault.sign * average
        words = t("{fault}: {imps} IMPs", fault=self.fault.words, imps=shown(value))
        return Working(Fraction(value), (Step("R76", words),))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        own = None if self.own_percent is None else str(self.own_percent)
        rare = {"method": self.method, "played": self.played, "boards": self.boards}
        given = {name: value for name, value in rare.items() if value not in ("", None)}
        return {"fault": self.fault.value, "own_percent": own, "ground": self.ground.value, **given}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        own = stored["own_percent"]
        rare = {name: stored[name] for name in ("method", "played", "boards") if name in stored}
        return cls(Fault(stored["fault"]), None if own is None else Fraction(own), Ground(stored["ground"]), **rare)


_WORDS = {
    Fault.none: t("Not at fault, average plus"),
    Fault.partly: t("Partly at fault, average"),
    Fault.directly: t("Directly at fault, average minus"),
}
BOARDS_PLAYED = t("Write how many boards the pair played, and how many the stage has.")
_OWN = t("Write the pair's own result on the boards that it played.")
_PERCENTS = {
    Ground.started: t("Write the likely result in percent: the board was started."),
    Ground.own_method: t("Write what the method gives the side, in percent of a top."),
    Ground.bye: _OWN,
    Ground.bye_by_withdrawal: _OWN,
}
_GROUNDS = {
    Ground.no_result: t("No result could be had"),
    Ground.not_started: t("The director withdrew the board for lost time, not started"),
    Ground.started: t("The director withdrew the board for lost time, started"),
    Ground.wrong_board: t("The result was entered on the wrong board"),
    Ground.wrong_pocket: t("The cards were taken from the wrong pocket"),
    Ground.bye: t("An ordinary bye"),
    Ground.bye_by_withdrawal: t("A bye because another pair withdrew"),
    Ground.withdrew: t("The pair withdrew"),
    Ground.own_method: t("The board was fouled, and the event has its own method"),
}
