"""When a request began: the one instant by which it reads, judges and stamps (R-DL1).

A form whose sender pressed in time is in time, however long its files, its queue or another's lock take.
"""

from datetime import datetime

from flask import Flask, g, has_request_context

from casework import clock


def init_app(app: Flask) -> None:
    """Look at the clock before anything else is done; asked for first, so that no body has been read."""
    app.before_request(_begin)


def now() -> datetime:
    """The instant at which this request began; outside one, the present."""
    if not has_request_context():
        return clock.now()
    if "began" not in g:
        _begin()
    began: datetime = g.began
    return began


def _begin() -> None:
    g.began = clock.now()
