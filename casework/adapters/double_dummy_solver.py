"""The solver process: one deal as PBN on standard input, its table as JSON on standard output.

Started by `double_dummy.solve` with its limits as arguments: seconds of processor time, bytes of address space.
"""

import json
import resource
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType

STRAINS = "SHDCN"
SEATS = "NESW"
"""The solver's own orders."""


def main() -> None:
    """Answer once."""
    _limit(seconds=int(sys.argv[1]), memory=int(sys.argv[2]))
    json.dump(table(_bindings(), sys.stdin.buffer.read(80)), sys.stdout)


def table(dds: ModuleType, cards: bytes) -> dict[str, dict[str, int]]:
    """Declarer → strain → tricks."""
    asked, answer = dds.ddTableDealPBN(cards), dds.ddTableResults()
    dds.CalcDDtablePBN(asked, answer)  # raises DDSError
    return {
        seat: {strain: answer.resTable[row][column] for row, strain in enumerate(STRAINS)}
        for column, seat in enumerate(SEATS)
    }


def _bindings() -> ModuleType:
    """The solver as endplay binds it, without the rest of the package.

    Its own `__init__` loads plots and statistics: a second of work, 60 MB, and a font cache in the home folder.
    """
    whole = find_spec("endplay")
    if whole is None:
        raise SystemExit("the extra casework[bridge] is not installed")
    hollow = ModuleSpec("endplay", None, is_package=True)
    hollow.submodule_search_locations = whole.submodule_search_locations
    sys.modules["endplay"] = module_from_spec(hollow)
    dds = import_module("endplay._dds")
    dds.SetMaxThreads(1)  # of its own accord it takes every core, and memory for each
    return dds


def _limit(*, seconds: int, memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
