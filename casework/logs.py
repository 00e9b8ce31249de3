"""Logs: one JSON object a line, in which nobody is named and nothing opens a case (S-LINK4).

`log.warning("job", state=…)`: what happened, with ids, codes and numbers; never a name, an address or a free text.
`about(case_id=…)` says it for all lines of a piece of work. Of an error stands its kind and its places, never its
words, and of what libraries say only the sentence, without what they put into it: both may quote a person.
"""

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, TextIO

import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter
from structlog.typing import EventDict, Processor

from casework.settings import get_settings

OURS = ("casework", "workers")
_ADDRESS = re.compile(r"[^\s<>\"']+@[^\s<>\"']+")
_SECRET = re.compile(r"[\w-]{43,}")
"""As long as the token of a sign-in, shorter than that of a link."""
_WARNING = re.compile(r"(.*?):(\d+): (\w+):")
_FIRST = ("at", "level", "program", "event")


def logger(name: str) -> BoundLogger:
    """The logger of a module."""
    made: BoundLogger = structlog.stdlib.get_logger(name)
    return made


def about(**ids: object) -> None:
    """Say what the rest of this piece of work is about."""
    structlog.contextvars.bind_contextvars(**{name: str(value) for name, value in ids.items()})


@contextmanager
def work(**ids: object) -> Iterator[None]:
    """A piece of work: what it is about is forgotten when it ends."""
    outside = begin(**ids)
    try:
        yield
    finally:
        begin(**outside)


def begin(**ids: object) -> dict[str, Any]:
    """Begin a piece of work, and forget the last; gives what that was about."""
    outside = structlog.contextvars.get_contextvars()
    structlog.contextvars.clear_contextvars()
    about(**ids)
    return outside


def set_up(program: str, stream: TextIO | None = None) -> None:
    """Let this process, and what it forks, write its log: for the eye in the demo, else as JSON lines."""
    plain = get_settings().demo
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[*_SHARED, _without_what_was_put_in],
            use_get_message=False,
            pass_foreign_args=True,
            processors=[_named(program), *(_FOR_THE_EYE if plain else _FOR_MACHINES)],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _died
    for name in OURS:
        logging.getLogger(name).setLevel(logging.WARNING if plain else logging.INFO)


def _died(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    if not isinstance(error, KeyboardInterrupt):
        logger(__name__).critical("died", exc_info=error)


def _named(program: str) -> Processor:
    def name(_logger: Any, _method: str, event: EventDict) -> EventDict:
        event["program"] = program
        return {**{key: event[key] for key in _FIRST if key in event}, **event}

    return name


def _without_what_was_put_in(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """A library's sentence as it is written; of what it tells, numbers only."""
    put_in = event.pop("positional_args", None) or ()
    if event["logger"] == "py.warnings":  # has put it in already
        found = _WARNING.match(event["event"])
        event["event"] = f"{_short(found[1])}:{found[2]} {found[3]}" if found else "warning"
    elif isinstance(put_in, tuple) and (numbers := [one for one in put_in if isinstance(one, int | float)]):
        event["numbers"] = numbers
    return event


def _without_words(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Instead of an error its kind, the kinds of what caused it, and the places that it passed."""
    found = event.pop("exc_info", None)
    error = found[1] if isinstance(found, tuple) else found if isinstance(found, BaseException) else sys.exc_info()[1]
    if found and error is not None:
        causes = list(_causes(error))
        event["error"] = " < ".join(type(one).__name__ for one in causes)
        event["places"] = [place for one in causes for place in _places(one)]
    return event


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _places(error: BaseException) -> Iterator[str]:
    for frame, line in walk_tb(error.__traceback__):
        yield f"{_short(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-3:])


def _masked(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """The last guard: what looks like an address or a secret does not go out."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = _SECRET.sub("[secret]", _ADDRESS.sub("[address]", value))
    return event


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]
_FOR_MACHINES: list[Processor] = [
    ProcessorFormatter.remove_processors_meta,
    _without_words,
    _masked,
    structlog.processors.JSONRenderer(default=str),
]
_FOR_THE_EYE: list[Processor] = [
    ProcessorFormatter.remove_processors_meta,
    structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), timestamp_key="at"),
]

structlog.configure(
    processors=[structlog.stdlib.filter_by_level, *_SHARED, ProcessorFormatter.wrap_for_formatter],
    wrapper_class=BoundLogger,
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
