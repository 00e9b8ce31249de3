"""What the diagram and auction of a board add to a page: the macros beside an empty template."""

import time
from collections.abc import Callable

from casework.adapters.i18n import jinja_environment
from casework.services.board_view import board_view
from casework.services.demo_story.boards import board

MOST = 2.0
"""Milliseconds more on a page."""
RUNS = 300
EMPTY = "<main></main>"
DRAWN = (
    '{% from "macros/bridge.html" import auction, hand_diagram %}'
    "<main>{{ hand_diagram(view.diagram) }}{{ auction(view.auction) }}</main>"
)


def milliseconds(deed: Callable[[], str]) -> float:
    """The fastest of many runs: what else the machine does is not the page's."""
    deed()
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        deed()
        times.append(time.perf_counter() - began)
    return min(times) * 1000


def test_a_board_costs_little_on_a_page() -> None:
    environment = jinja_environment("sv")
    view = board_view(board(22), "sv")
    empty, drawn = (environment.from_string(source) for source in (EMPTY, DRAWN))
    assert "hand-n" in drawn.render(view=view)
    bare, whole = milliseconds(lambda: empty.render(view=view)), milliseconds(lambda: drawn.render(view=view))
    print(f"\nhand diagram and auction: {whole - bare:.2f} ms more than an empty template (at most {MOST:.0f})")
    assert whole - bare <= MOST
