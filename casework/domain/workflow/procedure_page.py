"""The procedure as a page: what the tables say, arranged for a reader. Nothing here is written twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from casework.domain.labels import label
from casework.domain.rules.procedure import ProcedureProfile, Setting
from casework.domain.terms import Audience, DeadlineKind, NoticeKind, Part, State
from casework.domain.workflow.table import Action, Procedure, Stage
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A deadline that a step opens, with the profile's value and its source."""

    kind: DeadlineKind
    words: Text
    setting: Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A notice that a step sends."""

    kind: NoticeKind
    to: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One step: what, by whom, under which rule, leading where; `override` is taken in another's place."""

    action: Action
    label: Text
    rule: str
    who: tuple[Text, ...]
    leads_to: tuple[Text, ...]
    clocks: tuple[Clock, ...]
    notices: tuple[Told, ...]
    override: bool
    by_itself: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A state, who is waited for in it, and the steps that can be taken."""

    state: State
    label: Text
    next_step: Text
    waits_for: tuple[Text, ...]
    ends: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole procedure; `anywhere` are the steps that the state does not matter for."""

    name: Text
    chapters: tuple[Chapter, ...]
    anywhere: tuple[Line, ...]


ANYWHERE = frozenset(State)


def procedure_page(procedure: Procedure, profile: ProcedureProfile) -> Page:
    """The page of a procedure with the values of a profile."""
    return Page(
        name=procedure.name,
        chapters=tuple(_chapter(stage, procedure, profile) for stage in procedure.stages),
        anywhere=_lines([a for a in procedure.actions if a.start == ANYWHERE], procedure, profile),
    )


def _chapter(stage: Stage, procedure: Procedure, profile: ProcedureProfile) -> Chapter:
    here = [a for a in procedure.actions if stage.state in a.start and a.start != ANYWHERE]
    return Chapter(
        state=stage.state,
        label=stage.label,
        next_step=stage.next_step,
        waits_for=tuple(label(part) for part in stage.waits_for),
        ends=stage.ends,
        lines=_lines(here, procedure, profile),
    )


def _lines(actions: Sequence[Action], procedure: Procedure, profile: ProcedureProfile) -> tuple[Line, ...]:
    return tuple(_line(action, procedure, profile) for action in actions)


def _line(action: Action, procedure: Procedure, profile: ProcedureProfile) -> Line:
    return Line(
        action=action,
        label=action.label,
        rule=action.rule,
        who=tuple({label(part).msgid: label(part) for part in Part if part in action.who}.values()),
        leads_to=tuple(procedure.stage(state).label for state in action.to),
        clocks=tuple(Clock(kind=o.kind, words=label(o.kind), setting=profile.values[o.setting]) for o in action.opens),
        notices=tuple(Told(kind=tells.kind, to=tells.to) for tells in action.tells),
        override=action.override,
        by_itself=action.automatic,
    )
