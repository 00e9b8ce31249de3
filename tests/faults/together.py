"""Several people, or one with several clicks, at the very same moment."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def together(*deeds: Callable[[], T]) -> list[T]:
    """Let each deed wait until all are ready, then do them at once; gives what each gave, in their order.

    An error of one is raised here when all have ended.
    """
    barrier = threading.Barrier(len(deeds))
    given: dict[int, T] = {}
    broken: list[BaseException] = []

    def run(place: int, deed: Callable[[], T]) -> None:
        barrier.wait(60)
        try:
            given[place] = deed()
        except BaseException as error:  # noqa: BLE001  # raised below
            broken.append(error)

    _run([threading.Thread(target=run, args=(place, deed)) for place, deed in enumerate(deeds)])
    if broken:
        raise broken[0]
    return [given[place] for place in range(len(deeds))]


def _run(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
