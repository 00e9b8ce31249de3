"""Long beginnings: told once in a test process, and each test goes on from a copy of what they left."""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from sqlmodel import select

from casework.adapters import database
from casework.domain.models import Tournament
from casework.settings import get_settings

P = ParamSpec("P")
T = TypeVar("T")

ELSEWHERE = {"data", "database_url"}
"""Settings by which two tests differ that begin alike."""


def kept(tell: Callable[P, T]) -> Callable[P, T]:
    """Let a function that begins a story in an empty database leave it to all tests that begin so.

    It writes to the data folder only, and moves no clock. PostgreSQL has every story told anew.
    """
    told: dict[str, tuple[dict[Path, bytes], T]] = {}

    @wraps(tell)
    def begin(*args: P.args, **kwargs: P.kwargs) -> T:
        settings = get_settings()
        if not settings.database.startswith("sqlite"):
            return tell(*args, **kwargs)
        with database.uow() as session:
            assert session.exec(select(Tournament.id)).first() is None, "a story begins in an empty database"
        key = repr((args, kwargs, settings.model_dump(exclude=ELSEWHERE)))
        if key in told:
            files, story = told[key]
            _put(files, settings.data)
        else:
            story = tell(*args, **kwargs)
            told[key] = _taken(settings.data), deepcopy(story)
        return deepcopy(story)

    return begin


def _taken(folder: Path) -> dict[Path, bytes]:
    database.dispose()  # the last to close the file writes into it all that was committed
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "clock-offset")
    return {path.relative_to(folder): path.read_bytes() for path in files}


def _put(files: dict[Path, bytes], folder: Path) -> None:
    database.dispose()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
