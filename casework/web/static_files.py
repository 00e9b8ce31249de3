"""Static files are kept by browsers for a year; their address carries what they hold."""

from functools import cache
from hashlib import sha256
from typing import Any

from casework.paths import STATIC


def add_version(endpoint: str, values: dict[str, Any]) -> None:
    """Flask's hook for `url_for`: `/static/css/base.css?v=…`."""
    if endpoint == "static":
        values["v"] = _version(values["filename"])


@cache
def _version(name: str) -> str:
    return sha256((STATIC / name).read_bytes()).hexdigest()[:10]
