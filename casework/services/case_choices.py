"""What a reader can do in a case: the engine's possibilities, without those that have nothing to act on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from casework.domain.minutes import has_run
from casework.domain.models import Deadline
from casework.domain.terms import UNANSWERED, ActionName, Body, DeadlineEnd, Part, ProceedingKind
from casework.domain.workflow.audience import concurring, parts_of
from casework.domain.workflow.hearing_guards import chair_is_in_doubt
from casework.domain.workflow.lodging import way_on
from casework.services.appeal_rights import window_of
from casework.services.case_rows import CaseRows
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.services.queries import around_each
from casework.services.snapshot import snapshot
from casework.services.standing import Standing, ends
from casework.services.waiting import Scene
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An action of the reader's. `duty`: the case waits for him to do it; the first duty is the page's one button."""

    name: ActionName
    proceeding_id: UUID
    label: Text
    reasons: tuple[Text, ...]
    duty: bool
    body: Body | None = None
    """Where an appeal goes."""
    note: Text | None = None
    """Until when it can be done, where that is not what the page is about."""

    @property
    def allowed(self) -> bool:
        """Whether it can be taken now."""
        return not self.reasons

    @property
    def appeals(self) -> bool:
        """Whether it lodges an appeal."""
        return self.name is ActionName.LODGE_APPEAL


DUTIES = (
    ActionName.DECLARE_CONFLICT,
    ActionName.DECIDE_CONFLICT,
    ActionName.CONCUR,
    ActionName.FILE_STATEMENT,
    ActionName.GIVE_RULING,
    ActionName.APPOINT_DIRECTOR,
    ActionName.FORWARD_APPEAL,
    ActionName.FILE_REPORT,
    ActionName.DEMAND_STATEMENTS,
    ActionName.SEND_IN,
    ActionName.REGISTER_CASE,
    ActionName.COMPOSE_PANEL,
    ActionName.CALL_HEARING,
    ActionName.OPEN_HEARING,
    ActionName.CLOSE_HEARING,
    ActionName.NOTE_STEP,
    ActionName.NOTE_ATTENDANCE,
    ActionName.BEGIN_DELIBERATION,
    ActionName.CAST_VOTE,
    ActionName.CLOSE_BALLOT,
    ActionName.DECIDE_APPEAL,
    ActionName.RECORD_TELLING,
    ActionName.RECORD_PUBLICATION,
    ActionName.LODGE_APPEAL,
)
"""What a case waits for somebody to do, in the order in which it is offered."""


def choices(rows: CaseRows, standing: Standing) -> tuple[Choice, ...]:
    """The reader's actions over all proceedings, duties first."""
    found: dict[ActionName, Choice] = {}
    for at in around_each(rows.loaded):
        for possibility in possibilities(at, rows.actor, rows.now):
            name = possibility.action.name
            if _pointless(name, rows, at) or (name in found and found[name].allowed):
                continue
            duty = _is_duty(name, rows, standing, at)
            appeals = name is ActionName.LODGE_APPEAL
            found[name] = Choice(
                name=name,
                proceeding_id=at.proceeding.id,
                label=_label(name, at) or possibility.action.label,
                reasons=possibility.reasons,
                duty=duty,
                body=way_on(snapshot(at)) if appeals else None,
                note=_until(rows, at) if appeals and not duty else None,
            )
    order = {name: place for place, name in enumerate(DUTIES)}
    return tuple(sorted(found.values(), key=lambda c: (not c.duty, order.get(c.name, len(order)))))


def _own_window(rows: CaseRows, at: Loaded) -> Deadline | None:
    """The reader's own side's time to appeal the decision, run out or not."""
    return window_of(at, rows.own_party) if rows.own_party is not None else None


def _is_open(window: Deadline | None, rows: CaseRows) -> bool:
    """One that a wrong clock has ended before its time is open: nobody is late before it."""
    if window is None or window.ended not in (None, DeadlineEnd.EXPIRED):
        return False
    return not has_run(window.instant, rows.now)


def _until(rows: CaseRows, at: Loaded) -> Text | None:
    window = _own_window(rows, at)
    if window is None or window.instant is None:
        return None
    if _is_open(window, rows):
        return t("No later than {at}.", at=window.instant)
    return t("The time ran out {at}. You can lodge it anyway: the body decides whether it is tried.", at=window.instant)


def _label(name: ActionName, at: Loaded) -> Text | None:
    if name is ActionName.NOTE_STEP:
        return t("Go to the hearing")
    if name is ActionName.COMPOSE_PANEL and at.proceeding.body is Body.LAW_COMMISSION:
        return t("Seat the members")
    if name is not ActionName.LODGE_APPEAL:
        return None
    ruling = at.proceeding.kind is ProceedingKind.RULING
    return t("Appeal the ruling") if ruling else t("Appeal the decision")


def _is_duty(name: ActionName, rows: CaseRows, standing: Standing, at: Loaded) -> bool:
    acting = rows.actor.person_id in standing.waiting.acting
    match name:
        case ActionName.LODGE_APPEAL:
            asked = any(_asked(rows, each) for each in around_each(rows.loaded))
            return not asked and _is_open(_own_window(rows, at), rows)
        case ActionName.CONCUR:
            return rows.actor.person_id in _lacks_concurrence(rows, at)
        case ActionName.FILE_STATEMENT:
            return _asked(rows, at)
        case ActionName.RECORD_TELLING:
            return acting and bool(standing.scene.untold)
        case ActionName.RECORD_PUBLICATION:
            return acting and not standing.scene.published
    return not ends(at.proceeding) and _moves_on(name, standing.scene, rows.actor.person_id, acting=acting)


def _moves_on(name: ActionName, scene: Scene, person_id: UUID | None, *, acting: bool) -> bool:
    """Whether it is what the proceeding waits for, of what the procedure allows in its state."""
    if scene.short:
        declares = name is ActionName.DECLARE_CONFLICT and any(p.id == person_id for p in scene.undeclared)
        return declares or (acting and name is ActionName.COMPOSE_PANEL)
    composed = name is ActionName.COMPOSE_PANEL and bool(scene.panel)
    called = name is ActionName.CALL_HEARING and scene.hearing_at is not None
    doubtless = name is ActionName.DECIDE_CONFLICT and not scene.doubted
    return acting and name in DUTIES and not (composed or called or doubtless)


def _pointless(name: ActionName, rows: CaseRows, at: Loaded) -> bool:
    """What the procedure allows in general, where there is nothing here to do it to."""
    return name in _NEVER or (name in _NEEDS and not _NEEDS[name](rows, at))


def _to_be_warned(rows: CaseRows, at: Loaded) -> bool:
    return rows.own_party is None and any(not appeal.warned for appeal in snapshot(at).tried_here)


def _asked(rows: CaseRows, at: Loaded) -> bool:
    """Whether the reader's side is asked for something here."""
    mine = (d for d in at.demands if d.proceeding_id == at.proceeding.id and d.party_id == rows.own_party)
    return any(demand.ended is None for demand in mine)


def _lacks_concurrence(rows: CaseRows, at: Loaded) -> list[UUID]:
    facts = snapshot(at)
    return [
        person
        for appeal in facts.tried_here
        for person in concurring(facts, appeal.party_id) - appeal.concurred
        if rows.own_party in (None, appeal.party_id)
    ]


def _only_deemed(at: Loaded) -> list[UUID]:
    return [person for appeal in snapshot(at).tried_here for person in appeal.deemed]


def _may_appeal(rows: CaseRows, at: Loaded) -> bool:
    appealing = {appeal.party_id for appeal in snapshot(at).against_this}
    left = {party.id for party in at.parties} - appealing
    return bool(left) if rows.own_party is None else rows.own_party in left


def _settles(rows: CaseRows, at: Loaded) -> bool:
    """A plain member has a word only about a chair in doubt."""
    facts = snapshot(at)
    return bool(parts_of(rows.actor, facts) - {Part.PANEL, Part.SEATED}) or chair_is_in_doubt(facts)


def _ballot_is_open(_rows: CaseRows, at: Loaded) -> bool:
    panel = snapshot(at).panel
    return panel is not None and not panel.ballot_closed


def _to_be_declared(rows: CaseRows, at: Loaded) -> bool:
    parts = parts_of(rows.actor, snapshot(at))
    own = Part.SEATED in parts or Part.PANEL in parts
    return any(s.conflict in UNANSWERED and (s.person_id == rows.actor.person_id or not own) for s in at.seats)


_NEVER = frozenset(
    {
        ActionName.RECORD_PROOF,
        ActionName.CORRECT_TIME,
        ActionName.RECORD_RETURN,
        ActionName.CALL_BACK,
        ActionName.SEND_NOW,
        ActionName.SEND_TO_JURY,
    }
)
"""What is offered to nobody: proof and sending stand with their notices, a jury without a ruling is always refused."""

_NEEDS: Mapping[ActionName, Callable[[CaseRows, Loaded], bool]] = {
    ActionName.CONCUR: lambda rows, at: rows.actor.person_id in {*_lacks_concurrence(rows, at), *_only_deemed(at)},
    ActionName.RECORD_CONCURRENCE: lambda rows, at: bool(_lacks_concurrence(rows, at) or _only_deemed(at)),
    ActionName.DEEM_CONCURRENCE: lambda rows, at: bool(_lacks_concurrence(rows, at)),
    ActionName.WARN_APPELLANT: _to_be_warned,
    ActionName.DECLINE_STATEMENT: _asked,
    ActionName.LODGE_APPEAL: _may_appeal,
    ActionName.DECLARE_CONFLICT: _to_be_declared,
    ActionName.DECIDE_CONFLICT: _settles,
    ActionName.CAST_VOTE: _ballot_is_open,
}
