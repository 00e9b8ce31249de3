"""How a procedure is written down: states, actions, and what an action opens, closes and tells."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from casework.domain.terms import (
    ActionName,
    Audience,
    DeadlineEnd,
    DeadlineKind,
    NoticeKind,
    Part,
    ProceedingKind,
    State,
)
from casework.domain.workflow.facts import Ask, Facts
from casework.text import Text

Guard = Callable[[Facts, Ask], Text | None]
"""None, or the reason in words why not."""


@dataclass(frozen=True, slots=True)
class About:
    """A check of one answer, by its name in what was typed: a form says the reason at that answer's field."""

    answer: str
    check: Guard

    def __call__(self, facts: Facts, ask: Ask) -> Text | None:
        """As the check itself."""
        return self.check(facts, ask)


class Base(StrEnum):
    """From what a deadline runs."""

    NOW = "now"
    PUBLICATION_AND_PROOF = "publication_and_proof"
    """The official score, or the party's proven notice where that is later; nothing before both."""
    PROOF_OF_DECISION = "proof_of_decision"
    PROOF_OF_DEMAND = "proof_of_demand"


class Per(StrEnum):
    """Whether a deadline is one for all, or one for each."""

    PROCEEDING = "proceeding"
    PARTY = "party"
    DEMAND = "demand"
    APPEAL = "appeal"
    """For the appeal that the step is about."""


@dataclass(frozen=True, slots=True)
class Opens:
    """A deadline that an action opens; `setting` names the profile's span."""

    kind: DeadlineKind
    setting: str
    base: Base
    per: Per = Per.PROCEEDING
    in_child: bool = False
    """Whether it belongs to the proceeding that the action opens, not to the one it acts in."""
    when: Callable[[Facts, Ask], bool] | None = None


@dataclass(frozen=True, slots=True)
class Tells:
    """A notice that an action sends."""

    kind: NoticeKind
    to: Audience
    when: Callable[[Facts, Ask], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that can be done: from which states, to which, by whom, under which rule."""

    name: ActionName
    label: Text
    """What a button says: verb and object."""
    done: Text
    """What the timeline says."""
    rule: str
    start: frozenset[State]
    who: frozenset[Part]
    to: tuple[State, ...] = ()
    """Where it can lead; empty: the state stays."""
    choose: Callable[[Facts, Ask], State | None] | None = None
    """Which of several states; None: it stays."""
    guards: tuple[Guard, ...] = ()
    """What must be true before anybody begins to type."""
    checks: tuple[Guard, ...] = ()
    """What must be true of what was typed."""
    opens: tuple[Opens, ...] = ()
    closes: tuple[DeadlineKind, ...] = ()
    voids: tuple[DeadlineKind, ...] = ()
    lifts: Callable[[Facts, Ask], frozenset[UUID]] | None = None
    """Which demands nobody need answer, and appeals nobody need forward, any longer: their time is void."""
    tells: tuple[Tells, ...] = ()
    adds: bool = False
    """Adding actions leave the proceeding's version alone, so that two at once both land."""
    override: bool = False
    """Taken in another's place or in spite of a form fault: only with a reason, and listed."""
    automatic: bool = False
    """The system takes it as soon as its guards allow."""

    @property
    def moves(self) -> bool:
        """Compared with the proceeding's version."""
        return not self.adds


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A state with its words, and who must act in it."""

    state: State
    label: Text
    next_step: Text
    waits_for: tuple[Part, ...] = ()
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A whole table."""

    kind: ProceedingKind
    name: Text
    initial: frozenset[State]
    stages: tuple[Stage, ...]
    actions: tuple[Action, ...]

    def has(self, name: ActionName) -> bool:
        """Whether the procedure knows the action at all."""
        return any(action.name is name for action in self.actions)

    def action(self, name: ActionName) -> Action:
        """The action of this name; KeyError if the procedure has none."""
        for action in self.actions:
            if action.name is name:
                return action
        raise KeyError(name)

    def stage(self, state: State) -> Stage:
        """The words of a state."""
        return next(stage for stage in self.stages if stage.state is state)


EXPIRES: dict[DeadlineKind, ActionName] = {
    DeadlineKind.APPEAL_WINDOW: ActionName.CLOSE_WINDOW,
    DeadlineKind.STATEMENT: ActionName.END_DEMAND,
    DeadlineKind.ANSWER: ActionName.END_DEMAND,
    DeadlineKind.FORWARD_APPEAL: ActionName.PASS_DEADLINE,
    DeadlineKind.REPORT: ActionName.PASS_DEADLINE,
    DeadlineKind.SEND_IN: ActionName.PASS_DEADLINE,
    DeadlineKind.DECISION: ActionName.PASS_DEADLINE,
}
"""What the system does when a deadline's instant has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A deadline to be opened; `base` is None while its start event has not happened."""

    kind: DeadlineKind
    setting: str
    base: datetime | None
    base_is: Base
    in_child: bool
    party_id: UUID | None = None
    demand_id: UUID | None = None
    appeal_id: UUID | None = None
    instead_of: UUID | None = None
    """The deadline of the same party that it takes the place of: where that stands still, so does this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebase:
    """A running deadline whose base has become known or later, or is no longer proven (None)."""

    deadline_id: UUID
    base: datetime | None
    base_is: Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A person to be told something."""

    kind: NoticeKind
    person_id: UUID
    party_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What an action does to a proceeding, before anything is written."""

    action: Action
    part: Part
    """In which part the actor acted."""
    to: State | None = None
    openings: tuple[Opening, ...] = ()
    rebases: tuple[Rebase, ...] = ()
    endings: tuple[tuple[UUID, DeadlineEnd], ...] = ()
    tellings: tuple[Telling, ...] = ()
