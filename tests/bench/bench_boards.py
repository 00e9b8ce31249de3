"""How fast a file of 10,000 boards is read: against splitting its lines, and against endplay where it is installed."""

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from casework.domain.bridge.files.reading import read_file
from tests.domain.bridge.files.made import written_file

BOARDS = 10_000
MOST_SPLITS = 60
LEAST_TIMES = 3


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every board with its hands, an auction with notes, and most of its play."""
    path = tmp_path_factory.mktemp("boards") / "evening.pbn"
    path.write_text(written_file(Random(20), BOARDS), encoding="utf-8")
    return path


def test_reading_against_splitting_the_lines(file: Path) -> None:
    ours = best(lambda: read_file(file.read_bytes()))
    split = best(lambda: file.read_text(encoding="utf-8").splitlines())
    size = file.stat().st_size / 1e6
    print(f"\n{BOARDS} boards ({size:.1f} MB) read in {ours:.2f} s: {ours / split:.0f} times a bare split of lines, "
          f"{split:.3f} s (at most {MOST_SPLITS} times)")  # fmt: skip
    assert len(read_file(file.read_bytes()).records) == BOARDS
    assert ours <= split * MOST_SPLITS


def test_reading_against_endplay(file: Path) -> None:
    if importlib.util.find_spec("endplay") is None:
        print("\nendplay is not installed here (pip install endplay): nothing to compare with")
        return
    theirs = importlib.import_module("endplay.parsers.pbn")

    def load() -> None:
        with file.open(encoding="utf-8") as opened:
            theirs.load(opened)

    ours = best(lambda: read_file(file.read_bytes()))
    other = best(load)
    print(f"\n{BOARDS} boards read in {ours:.2f} s, {other / ours:.1f} times as fast as endplay, {other:.2f} s "
          f"(at least {LEAST_TIMES} times)")  # fmt: skip
    assert other >= ours * LEAST_TIMES


def best(work: Callable[[], object]) -> float:
    """Processor seconds of the fastest of three runs: what else the machine does only makes one slower."""
    times = []
    for _ in range(3):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)
