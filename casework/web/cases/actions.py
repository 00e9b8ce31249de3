"""Which page an action is taken on. Each subject says so beside its blueprint; the case page shows those that are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from flask import url_for

from casework.domain.terms import ActionName
from casework.services.case_choices import Choice
from casework.text import Text

SECONDS = 2
"""How many buttons stand beside the page's one primary button; the rest are links in a list."""

_PAGES: dict[ActionName, str] = {}


@dataclass(frozen=True, slots=True)
class Way:
    """An action with the address of its page."""

    label: Text
    url: str
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """What the reader can do: one button, some beside it, the rest, and what cannot be done yet with its reasons."""

    primary: Way | None
    seconds: Sequence[Way] = ()
    others: Sequence[Way] = ()
    not_yet: Sequence[Choice] = field(default_factory=tuple)


def leads_to(action: ActionName, endpoint: str) -> None:
    """Say that an action is taken on a page; its endpoint takes `case_id` alone."""
    _PAGES[action] = endpoint


def ways(case_id: UUID, choices: Iterable[Choice]) -> Ways:
    """The ways on from a case's page; of actions that share a page the first one names it."""
    pages: dict[str, Choice] = {}
    not_yet = []
    for choice in choices:
        endpoint = _PAGES.get(choice.name)
        if endpoint is None:
            continue
        if choice.allowed:
            pages.setdefault(endpoint, choice)
        elif choice.duty:
            not_yet.append(choice)
    duties = [_way(case_id, endpoint, choice) for endpoint, choice in pages.items() if choice.duty]
    rest = [_way(case_id, endpoint, choice) for endpoint, choice in pages.items() if not choice.duty]
    return Ways(
        primary=duties[0] if duties else None,
        seconds=duties[1 : 1 + SECONDS],
        others=[*duties[1 + SECONDS :], *rest],
        not_yet=not_yet,
    )


def _way(case_id: UUID, endpoint: str, choice: Choice) -> Way:
    return Way(choice.label, url_for(endpoint, case_id=case_id), choice.note)
