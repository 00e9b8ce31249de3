"""The core of every step, pure: `decide` says what an action changes, or why it may not be taken."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casework.domain.errors import NotAllowed, NotNow
from casework.domain.terms import ActionName, DeadlineEnd, Part, State
from casework.domain.workflow.audience import recipients
from casework.domain.workflow.bases import lost_bases, rebases, start_of, with_news
from casework.domain.workflow.facts import Ask, DeadlineFacts, Facts
from casework.domain.workflow.table import (
    About,
    Action,
    Base,
    Changes,
    Guard,
    Opening,
    Opens,
    Per,
    Procedure,
    Rebase,
    Telling,
)
from casework.text import Text, says_something, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Possibility:
    """An action that belongs to the state and the actor's parts, with what stands in its way (nothing: it can be)."""

    action: Action
    reasons: tuple[Text, ...]

    @property
    def allowed(self) -> bool:
        """Whether it can be taken now."""
        return not self.reasons


def available(procedure: Procedure, facts: Facts, ask: Ask) -> tuple[Possibility, ...]:
    """Every action of the present state that is this actor's, each with the reasons against it."""
    return tuple(
        Possibility(action=action, reasons=tuple(said.reason for said in _said(action.guards, facts, ask)))
        for action in procedure.actions
        if facts.this.state in action.start and action.who & ask.parts
    )


def decide(procedure: Procedure, facts: Facts, name: ActionName, ask: Ask) -> Changes:
    """What the action changes.

    Raises:
        NotNow: when the state says no.
        NotAllowed: with every reason, when the actor's part or a guard says no.
    """
    action = procedure.action(name)
    _refuse_wrong_place(procedure, action, facts, ask)
    if objections := [*_objections(action, facts, ask)]:
        raise NotAllowed(*[said.reason for said in objections], answers=[said.answer for said in objections])
    to = _target(action, facts, ask)
    seen = with_news(facts, ask)
    return Changes(
        action=action,
        part=_acting_part(action, ask),
        to=to if to is not facts.this.state else None,
        openings=tuple(_openings(action, seen, ask)),
        rebases=tuple(_moved(name, seen, ask)),
        endings=tuple(_endings(action, facts, ask, ends=to is not None and procedure.stage(to).ends)),
        tellings=tuple(_tellings(action, facts, ask)),
    )


def _moved(name: ActionName, seen: Facts, ask: Ask) -> Iterator[Rebase]:
    if name in _REBASING:
        yield from rebases(seen, ask)
    if name is ActionName.RECORD_RETURN:
        yield from (*rebases(seen, ask), *lost_bases(seen))


_REBASING = {
    ActionName.RECORD_PROOF,
    ActionName.RECORD_TELLING,
    ActionName.RECORD_PUBLICATION,
    ActionName.CORRECT_TIME,
}


@dataclass(frozen=True, slots=True)
class _Objection:
    reason: Text
    answer: str = ""
    """What of the typed it is about."""


def _refuse_wrong_place(procedure: Procedure, action: Action, facts: Facts, ask: Ask) -> None:
    if facts.this.state not in action.start:
        state = procedure.stage(facts.this.state).label
        words = t("This cannot be done now: {action}. The case's state is: {state}.", action=action.label, state=state)
        raise NotNow(words)
    if not action.who & ask.parts:
        raise NotAllowed(t("This is not yours to do: {action}.", action=action.label))


def _objections(action: Action, facts: Facts, ask: Ask) -> Iterator[_Objection]:
    yield from _said((*action.guards, *action.checks), facts, ask)
    if action.override and not says_something(str(ask.data.get("because", ""))):
        reason = t("Write why you take this step in another's place or in spite of a fault.")
        yield _Objection(reason, "because")


def _said(guards: Iterable[Guard], facts: Facts, ask: Ask) -> Iterator[_Objection]:
    for guard in guards:
        reason = guard(facts, ask)
        if reason is not None:
            yield _Objection(reason, guard.answer if isinstance(guard, About) else "")


def _target(action: Action, facts: Facts, ask: Ask) -> State | None:
    if action.choose is not None:
        return action.choose(facts, ask)
    return action.to[0] if action.to else None


def _acting_part(action: Action, ask: Ask) -> Part:
    return next(part for part in Part if part in action.who & ask.parts)


def _openings(action: Action, facts: Facts, ask: Ask) -> Iterator[Opening]:
    lifted = _lifted(action, facts, ask)
    replaced = {d.party_id: d.id for d in facts.deadlines if d.demand_id in lifted and d.ended is None}
    for opens in action.opens:
        if opens.when is None or opens.when(facts, ask):
            for party, demand in _each(opens, facts, ask):
                yield _opening(opens, facts, ask, party, demand, instead_of=replaced.get(party))


def _each(opens: Opens, facts: Facts, ask: Ask) -> Iterable[tuple[UUID | None, UUID | None]]:
    match opens.per:
        case Per.PROCEEDING | Per.APPEAL:
            return [(None, None)]
        case Per.PARTY:
            return [(party.id, None) for party in facts.parties]
        case Per.DEMAND:
            demands: dict[UUID, UUID] = ask.data.get("demands", {})
            return list(demands.items())


def _opening(
    opens: Opens, facts: Facts, ask: Ask, party: UUID | None, demand: UUID | None, *, instead_of: UUID | None
) -> Opening:
    return Opening(
        kind=opens.kind,
        setting=opens.setting,
        base=_first_base(opens, facts, ask, party),
        base_is=opens.base,
        in_child=opens.in_child,
        party_id=party,
        demand_id=demand,
        appeal_id=ask.subject_id if opens.per is Per.APPEAL else None,
        instead_of=instead_of,
    )


def _first_base(opens: Opens, facts: Facts, ask: Ask, party: UUID | None) -> datetime | None:
    """A window may run at once: who was told at the table is told when the ruling is recorded."""
    if opens.base is Base.NOW:
        received: datetime = ask.data.get("received_at", ask.now)
        return received
    told = facts.told_at(party, decision_id=ask.subject_id) if party is not None else None
    return start_of(opens.base, told, facts)


def _endings(action: Action, facts: Facts, ask: Ask, *, ends: bool) -> Iterator[tuple[UUID, DeadlineEnd]]:
    """What the action closes and voids. In a state that ends the proceeding (`ends`) nothing runs on."""
    lifted = _lifted(action, facts, ask)
    for deadline in facts.deadlines:
        if deadline.proceeding_id != facts.this.id or deadline.ended is not None:
            continue
        if deadline.kind in action.closes and _concerns(deadline, ask):
            yield deadline.id, _end(action)
        elif ends or deadline.kind in action.voids or {deadline.demand_id, deadline.appeal_id} & lifted:
            yield deadline.id, DeadlineEnd.VOID


def _lifted(action: Action, facts: Facts, ask: Ask) -> frozenset[UUID]:
    return action.lifts(facts, ask) if action.lifts else frozenset()


def _concerns(deadline: DeadlineFacts, ask: Ask) -> bool:
    if deadline.demand_id is not None:
        return deadline.demand_id == ask.data.get("demand_id")
    return deadline.party_id in (None, ask.party_id)


def _end(action: Action) -> DeadlineEnd:
    expiring = action.name in (ActionName.CLOSE_WINDOW, ActionName.END_DEMAND)
    return DeadlineEnd.EXPIRED if expiring else DeadlineEnd.MET


def _tellings(action: Action, facts: Facts, ask: Ask) -> Iterator[Telling]:
    seen: set[Telling] = set()
    for tells in action.tells:
        if tells.when is None or tells.when(facts, ask):
            for person_id, party_id in recipients(tells.to, facts, ask):
                telling = Telling(kind=tells.kind, person_id=person_id, party_id=party_id)
                if telling not in seen:
                    seen.add(telling)
                    yield telling
