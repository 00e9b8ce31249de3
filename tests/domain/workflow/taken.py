"""A step that was taken, with the case before it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.table import Changes


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A step that the procedure has allowed."""

    before: Facts
    ask: Ask
    changes: Changes
    fresh: Callable[[], UUID]

    @property
    def data(self) -> Mapping[str, Any]:
        """What came with it."""
        return self.ask.data

    @property
    def subject(self) -> UUID:
        """The row the step is about."""
        assert self.ask.subject_id is not None
        return self.ask.subject_id
