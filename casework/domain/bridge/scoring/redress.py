"""Percentages of a top where a board or a pair fell out: withdrawals, byes, withdrawn and mixed-up boards (R79-R88)."""

from fractions import Fraction

from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, shown
from casework.text import Text, t

PLUS, AVERAGE, MINUS = Fraction(60), Fraction(50), Fraction(40)


def withdrawal(played: int, boards: int) -> Working:
    """How much of the stage a pair that withdrew has played, in percent, and what that means (R79).

    From 60 % its results stand, with 0 % on the rest (`results_stand`); below, it is as if it had never started.
    ValueError for more boards than there were.
    """
    if not 0 <= played <= boards or not boards:
        raise ValueError("a pair plays no more boards than there are")
    share = Fraction(100 * played, boards)
    if results_stand(share):
        words = t("{played} of {boards} boards is {share} %, at least 60 %: the results stand, with 0 % on the rest.",
                  played=played, boards=boards, share=shown(share))  # fmt: skip
    else:
        words = t("{played} of {boards} boards is {share} %, less than 60 %: the results are struck, "
                  "as if the pair had never started.", played=played, boards=boards, share=shown(share))  # fmt: skip
    return Working(share, (Step("R79, 12C2d", words),))


def results_stand(share: Fraction) -> bool:
    """Whether a withdrawn pair's results stand after so many percent of the boards (R79)."""
    return share >= PLUS


def rest_of_withdrawn(played: int, boards: int) -> Working:
    """What a pair that withdrew gets on a board that it did not play (R79). ValueError as `withdrawal`."""
    share = withdrawal(played, boards)
    if results_stand(share.value):
        rest = _worth("R79, 12C2d", Fraction(0), t("The pair withdrew and its results stand"))
        return Working(rest.value, (*share.steps, *rest.steps))
    words = t("The pair has no score on the board, not even 0 %, and is struck from the results of all others.")
    return Working(Fraction(0), (*share.steps, Step("R79, 12C2d", words)))


def own_method(method: str, percent: Fraction) -> Working:
    """A fouled board by a method that the event announced before it began (R85)."""
    return _worth("R85", percent, t("By the event's own method: {method}", method=method.rstrip(" .")))


def bye(own_percent: Fraction, *, by_withdrawal: bool) -> Working:
    """What a pair that sits out gets on each board: its own percentage, after a withdrawal at least 60 (R80)."""
    if not by_withdrawal:
        return _worth("R80", own_percent, t("A bye gives the pair's own result on the boards it played"))
    words = t("A bye after a withdrawal gives 60 % or the pair's own result, whichever is better")
    return _worth("R80", max(PLUS, own_percent), words)


def unplayed_board(*, guilty: bool, own_percent: Fraction | None = None) -> Working:
    """A board the director withdrew for lost time, not started: average minus or plus (R86, Law 88)."""
    if guilty:
        return _worth("R86", MINUS, t("The board was not started: average minus for the side that lost the time"))
    words = t("The board was not started: average plus, or the side's own result if that is better")
    return _worth("R86, 88", max(PLUS, own_percent or PLUS), words)


def started_board(likely: Fraction, *, guilty: bool) -> Working:
    """A withdrawn board that had been started; `likely` is what the director finds it would have given (R86)."""
    if guilty:
        words = t("The board was started: the worse of 40 % and the likely result, {likely} %", likely=shown(likely))
        return _worth("R86", min(MINUS, likely), words)
    words = t("The board was started: the better of 60 % and the likely result, {likely} %", likely=shown(likely))
    return _worth("R86", max(PLUS, likely), words)


def wrong_board_entered(*, entered_it: bool) -> Working:
    """A result entered on another board, which then cannot be played (R87)."""
    if entered_it:
        return _worth("R87", MINUS, t("This side entered the result on the wrong board"))
    return _worth("R87", AVERAGE, t("The other side entered the result on the wrong board"))


def wrong_pocket(*, guilty: bool, own_percent: Fraction | None = None) -> Working:
    """Cards taken from the wrong pocket, where the deal cannot be played even arrow-switched (R88)."""
    if guilty:
        return _worth("R88", MINUS, t("This side took the cards from the wrong pocket"))
    words = t("The other side took the cards from the wrong pocket: 60 %, or the side's own result if that is better")
    return _worth("R88", max(PLUS, own_percent or PLUS), words)


def of_top(percent: Fraction, top: int) -> Fraction:
    """Percent of a top as matchpoints."""
    return percent * top / HUNDRED


def _worth(rule: str, percent: Fraction, why: Text) -> Working:
    return Working(percent, (Step(rule, t("{why}: {percent} % of a top.", why=why, percent=shown(percent))),))
