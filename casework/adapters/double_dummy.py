"""Double dummy: the caller's side of the solver process in `double_dummy_solver`.

The solver is C++ that other people wrote, so it works in a process of its own, with limits: a deal that hangs it,
crashes it or eats memory costs that deal's advice only. It comes with the extra `casework[bridge]`.
"""

import importlib.util
import json
import os
import subprocess
import sys

from casework.domain.bridge.deal import Deal
from casework.domain.bridge.double_dummy import DoubleDummy
from casework.domain.bridge.notation import SEATS
from casework.domain.errors import CaseworkError
from casework.text import t

SECONDS = 30
"""Wall clock and processor time a deal may take; a hard one takes a second or two."""
MEMORY = 2_000_000_000
"""Address space in bytes. The solver uses a tenth, but as it loads it sets some aside for each core."""
PACKAGE = "endplay"
SOLVER = "casework.adapters.double_dummy_solver"

_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "PYTHONPATH")


class NotSolved(CaseworkError):
    """There is no advice; `detail` is for the log: a signal, an exit status, never cards."""

    status = 503

    def __init__(self, detail: str) -> None:
        super().__init__(t("What the sides can make could not be calculated."))
        self.detail = detail


def installed() -> bool:
    """Whether the solver is there; looked for, not loaded."""
    return importlib.util.find_spec(PACKAGE) is not None


def solve(deal: Deal, *, seconds: int = SECONDS, memory: int = MEMORY) -> DoubleDummy:
    """What each seat takes in each strain of a complete deal. Raises NotSolved."""
    if not deal.complete:
        raise NotSolved("not 52 cards")
    cards = "N:" + " ".join(str(deal.hand(seat)) for seat in SEATS)
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-m", SOLVER, str(seconds), str(memory)],
            input=cards.encode(),
            capture_output=True,
            env=kept,
            timeout=seconds,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotSolved("too long") from None
    if done.returncode != 0:
        raise NotSolved(f"exit status {done.returncode}")
    try:
        return DoubleDummy.from_json(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotSolved(type(error).__name__) from None
