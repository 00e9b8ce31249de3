"""What is odd about a record: what its reader remarked, what does not fit on the board, and in the score table."""

import json
from collections import Counter
from collections.abc import Iterator

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import score
from casework.domain.bridge.files.record import Record, Remark, TableResult
from casework.domain.bridge.files.words import read_number
from casework.domain.bridge.notation import SEATS
from casework.domain.bridge.scoring.working import signed
from casework.text import Text, t


def warnings(record: Record) -> list[Remark]:
    """Everything odd, by line. The board is as it was written: nothing has been corrected."""
    found = [Remark(record.places.get(finding.field, record.line), finding.text) for finding in record.board.findings()]
    if passes := _passes_left_out(record):
        found.append(Remark(record.places.get("auction", record.line), passes))
    return each_once(sorted([*record.remarks, *found, *_in_results(record)], key=lambda remark: remark.line))


def each_once(found: list[Remark]) -> list[Remark]:
    """What is said again and again of an endless auction is said once, where it is first so, with how often more."""
    first: dict[str, Remark] = {}
    times = Counter[str]()
    for remark in found:
        key = json.dumps([remark.line, remark.text.to_json()])
        first.setdefault(key, remark)
        times[key] += 1
    return [
        Remark(remark.line, _again(remark.text, times[key] - 1)) if times[key] > 1 else remark
        for key, remark in first.items()
    ]


def _again(said: Text, more: int) -> Text:
    if more == 1:
        return t("{said} (once more)", said=said)
    return t("{said} ({number} more times)", said=said, number=more)


def _passes_left_out(record: Record) -> Text | None:
    """Some programs leave out the passes before the opening, so that all calls sit in the wrong seats."""
    board = record.board
    given = board.auction.contract() if board.auction else None
    if not board.auction or not given or not board.contract or not board.declarer or board.auction.calls[0].call == "P":
        return None
    contract, declarer = given
    same = (contract.level, contract.strain) == (board.contract.level, board.contract.strain)
    if not same or declarer is None or declarer is board.declarer:
        return None
    passes = (SEATS.index(board.declarer) - SEATS.index(declarer)) % 4
    longer = Auction(board.dealer, (Call("P"),) * passes + board.auction.calls)
    if longer.contract() != (contract, board.declarer):
        return None
    if passes == 1:
        return t("One pass before the first call seems to be left out; with it, {seat} is declarer.",
                 seat=board.declarer.words)  # fmt: skip
    return t("{number} passes before the first call seem to be left out; with them, {seat} is declarer.",
             number=passes, seat=board.declarer.words)  # fmt: skip


def _in_results(record: Record) -> Iterator[Remark]:
    top = 2 * (sum(result.times for result in record.results) - 1)
    for result in record.results:
        expected = _expected(record, result)
        if expected is not None and result.ns_score is not None and expected != result.ns_score:
            yield Remark(result.line, t("Contract and result give {score} to North–South, the table has {written}.",
                                        score=signed(expected), written=signed(result.ns_score)))  # fmt: skip
        if odd := _odd_adjustment(result, top):
            yield Remark(result.line, odd)


def _expected(record: Record, result: TableResult) -> int | None:
    if result.contract is None or result.adjusted:
        return None
    if result.contract.passed_out:
        return 0
    if result.declarer is None or result.tricks is None:
        return None
    return score(result.contract, result.declarer, result.tricks, record.board.vulnerability)


def _odd_adjustment(result: TableResult, top: int) -> Text | None:
    """`A6040` is 60 % and 40 % of a top; both are kept where the points say something else."""
    label = result.adjusted[0] if result.adjusted else ""
    percents = (read_number(label[1:3]), read_number(label[3:5])) if label[:1] == "A" and len(label) == 5 else ()
    points = [_decimal(written) for written in result.points]
    for percent, got in zip(percents, points, strict=False):
        if percent is not None and got is not None and abs(got - top * percent / 100) > 0.05:
            return t("The table has {label}, but {ns} and {ew} points of {top}.",
                     label=label, ns=result.points[0], ew=result.points[1], top=top)  # fmt: skip
    return None


def _decimal(written: str) -> float | None:
    try:
        return float(written)
    except ValueError:
        return None
