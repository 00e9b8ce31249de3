"""How fast a file of 10,000 boards is read: against splitting its lines, and against endplay."""

import gc
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

import pytest

from casework.adapters import double_dummy
from casework.domain.bridge.files.reading import read_file
from tests import support
from tests.domain.bridge.files.made import written_file

BOARDS = 10_000
MOST_SPLITS = 60
LEAST_TIMES = 3
ROUNDS = 7


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every board with its hands, an auction with notes, and most of its play."""
    path = tmp_path_factory.mktemp("boards") / "evening.pbn"
    path.write_text(written_file(Random(20), BOARDS), encoding="utf-8")
    return path


def test_reading_against_splitting_the_lines(file: Path) -> None:
    ours, split, times = beside(
        lambda: read_file(file.read_bytes()), lambda: file.read_text(encoding="utf-8").splitlines()
    )
    size = file.stat().st_size / 1e6
    print(f"\n{BOARDS} boards ({size:.1f} MB) read in {ours:.2f} s: {1 / times:.0f} times a bare split of lines, "
          f"{split:.3f} s (at most {MOST_SPLITS} times)")  # fmt: skip
    assert len(read_file(file.read_bytes()).records) == BOARDS
    assert 1 / times <= MOST_SPLITS


def test_reading_against_endplay(file: Path) -> None:
    support.need("The extra casework[bridge] (make bridge)", reachable=double_dummy.installed())
    theirs = importlib.import_module("endplay.parsers.pbn")

    def load() -> None:
        with file.open(encoding="utf-8") as opened:
            theirs.load(opened)

    ours, other, times = beside(lambda: read_file(file.read_bytes()), load)
    print(f"\n{BOARDS} boards read in {ours:.2f} s, {times:.1f} times as fast as endplay, {other:.2f} s "
          f"(at least {LEAST_TIMES} times)")  # fmt: skip
    assert times >= LEAST_TIMES


def beside(ours: Callable[[], object], other: Callable[[], object]) -> tuple[float, float, float]:
    """Processor seconds of both, and how many times ours goes into the other: the medians of rounds, taken in turn.

    What else the machine does slows both halves of a round alike.
    """
    rounds = [(seconds(ours), seconds(other)) for _ in range(ROUNDS)]
    return (median(a for a, _ in rounds), median(b for _, b in rounds), median(b / a for a, b in rounds))


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one run, the rubbish of the last swept before."""
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started
