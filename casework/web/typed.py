"""What a request's form brought that somebody has typed: nothing of it may be lost (promise 3)."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from flask import request

from casework.services.step import AlreadyDone
from casework.web import meanwhile

_NOT_TYPED = {"csrf_token", "form_id", "version", "seen", "go", meanwhile.OPENED}


def kept() -> list[tuple[str, str]]:
    """What the form sent, but for secrets and its old token."""
    fields: Any = request.form.items(multi=True)
    return [(name, value) for name, value in fields if name not in {"csrf_token", "password"}]


def written() -> list[str]:
    """What is prose in it: what a person would not want to write again."""
    return [value for name, value in kept() if name not in _NOT_TYPED and " " in value.strip()]


def mark() -> str:
    """By which the same answers are known again: their fields, all that they say, and the prose in it."""
    answers = [(name, _even(value)) for name, value in kept() if name not in _NOT_TYPED]
    parts = (
        sorted({name for name, _ in answers}),
        sorted(f"{name}={value}" for name, value in answers),
        sorted({_even(text) for text in written()}),
    )
    return "-".join(sha256("\n".join(part).encode(errors="replace")).hexdigest()[:20] for part in parts)


def _even(text: str) -> str:
    return " ".join(text.split())


def is_as_sent(repeat: AlreadyDone) -> bool:
    """Whether a form that has taken effect is sent again as it was; else what has been changed since must be kept.

    Of another page of the form, with other fields, the prose alone is compared.
    """
    if not repeat.receipt.written:
        return True
    (fields, *all_of_it), (fields_now, *now) = repeat.receipt.written.split("-"), mark().split("-")
    return all_of_it == now if fields == fields_now else all_of_it[1] == now[1]


@contextmanager
def once() -> Iterator[None]:
    """A form that is sent again as it was has done its work already."""
    try:
        yield
    except AlreadyDone as repeat:
        if not is_as_sent(repeat):
            raise
