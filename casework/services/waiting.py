"""Whom a case waits for, and what to call its state: one answer for the case page, the lists and the to-do page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from casework.domain.labels import label
from casework.domain.terms import Body, Part, ProceedingKind, State
from casework.text import Text, t

CROWD = 4
"""How many names a sentence bears: two pairs."""


@dataclass(frozen=True, slots=True)
class Named:
    """A person with his name."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is looked at: one proceeding as it stands, and who could act in it."""

    kind: ProceedingKind
    body: Body
    state: State
    director: Named | None = None
    postponed_for: str = ""
    organisers: tuple[Named, ...] = ()
    office: tuple[Named, ...] = ()
    lk_chair: tuple[Named, ...] = ()
    panel: tuple[Named, ...] = ()
    chair: Named | None = None
    undeclared: tuple[Named, ...] = ()
    doubted: tuple[Named, ...] = ()
    """Members who see no conflict of interest where the system does: another decides."""
    short: bool = False
    """Whether fewer members are left than a decision needs."""
    voted: frozenset[UUID] = frozenset()
    """In the newest vote."""
    vote_closed: bool = False
    hearing_at: datetime | None = None
    hearing_place: str = ""
    reported: bool = False
    demanded: bool = False
    asked: tuple[Named, ...] = ()
    """Members of the parties that have not answered yet."""
    asked_parties: tuple[Text, ...] = ()
    untold: tuple[Named, ...] = ()
    """Members of the parties that are not proven to know of the decision."""
    sent_at: datetime | None = None
    """When the parties are told the decision, while that can still be stopped."""
    stopped: bool = False
    """Whether telling the parties is stopped: until it is sent nobody knows of the decision."""
    published: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Who must act now. `lead` says the state in one or two sentences; `task` is what those who must act do."""

    lead: Text
    persons: tuple[Named, ...] = ()
    parts: frozenset[Part] = field(default_factory=frozenset)
    acting: frozenset[UUID] = frozenset()
    """Of `persons`, those who have not done their share; who has voted is never shown by a name left out."""
    task: Text | None = None
    may: bool = False
    """Nobody must act: the parties may appeal."""

    @property
    def who(self) -> Text | str:
        """The persons in words, "A or B": it is enough that one of them acts."""
        return either(self.persons)


def waiting(scene: Scene) -> Waiting:
    """Whom a proceeding waits for."""
    if scene.short and scene.state in _WITH_PANEL:
        return _too_few(scene)
    return _STATES[scene.state](scene)


def either(persons: Iterable[Named]) -> Text | str:
    """Names joined with "or"."""
    names = [person.name for person in persons]
    if len(names) < 2:
        return "".join(names)
    return t("{first} or {last}", first=", ".join(names[:-1]), last=names[-1])


def body_name(body: Body) -> Text:
    """The body as the beginning of a sentence."""
    return {
        Body.DIRECTOR: t("The tournament director"),
        Body.JURY: t("The jury"),
        Body.LAW_COMMISSION: t("The Law Commission"),
    }[body]


def _on(lead: Text, persons: Iterable[Named | None], *parts: Part, task: Text | None = None) -> Waiting:
    found = tuple(dict.fromkeys(person for person in persons if person is not None))
    return Waiting(
        lead=lead, persons=found, parts=frozenset(parts), acting=frozenset(p.id for p in found), task=task or lead
    )


def _director(scene: Scene) -> str | Text:
    return scene.director.name if scene.director else t("The tournament director")


def _by_director(scene: Scene, lead: Text) -> Waiting:
    return _on(lead, [scene.director], Part.DIRECTOR)


def _organisers(scene: Scene) -> tuple[Named, ...]:
    return scene.organisers or scene.office


def _requested(scene: Scene) -> Waiting:
    who = _organisers(scene)
    lead = t("A ruling has been asked for. {who} appoints the director who is to rule.", who=either(who))
    return _on(lead, who, Part.ORGANISER, Part.OFFICE)


def _open(scene: Scene) -> Waiting:
    return _by_director(scene, t("{director} looks into what happened and then rules.", director=_director(scene)))


def _postponed(scene: Scene) -> Waiting:
    lead = t(
        "{director} has postponed the ruling and waits for: {what}",
        director=_director(scene),
        what=scene.postponed_for,
    )
    return _by_director(scene, lead)


def _decided(scene: Scene) -> Waiting:
    """Nobody must appeal; but who is not told, and a score that is not published, keep the time from running."""
    if scene.kind is ProceedingKind.RULING:
        lead = t("{director} has ruled. The ruling becomes final if nobody appeals in time.", director=_director(scene))
    else:
        lead = t(
            "{body} has decided. The decision becomes final if nobody appeals in time.", body=body_name(scene.body)
        )
    if scene.untold:
        return _to_be_told(scene, lead)
    if scene.kind is ProceedingKind.RULING and not scene.published:
        task = t("The time to appeal does not run until the official score is published and this is recorded.")
        return _on(lead, [*scene.organisers, scene.director], Part.ORGANISER, Part.DIRECTOR, task=task)
    return Waiting(lead=lead, parts=frozenset({Part.PARTY}), may=True)


def _to_be_told(scene: Scene, lead: Text) -> Waiting:
    """R37: telling the parties is the director's until there is proof for each; R36: not before the body lets it go."""
    if scene.stopped:
        stopped = t("{body} has decided. The sending is stopped: nobody has been told.", body=body_name(scene.body))
        task = t("The decision is to be sent, when it is as it should be.")
        return _on(stopped, [*scene.office, scene.chair], Part.OFFICE, Part.CHAIR, task=task)
    if scene.sent_at is not None:
        goes = t("{body} has decided. The parties are told {at}.", body=body_name(scene.body), at=scene.sent_at)
        return Waiting(lead=goes)
    task = t("{who} must be told the decision.", who=[person.name for person in scene.untold])
    return _on(lead, [scene.director], Part.DIRECTOR, task=task)


def _lodged(scene: Scene) -> Waiting:
    lead = t("{director} is to forward the appeal to {body}.", director=_director(scene), body=label(scene.body))
    return _by_director(scene, lead)


def _too_few(scene: Scene) -> Waiting:
    """R17: who was recused is replaced by those who appoint the panel, before anything else."""
    if scene.body is Body.LAW_COMMISSION:
        seating, parts = list(scene.lk_chair or scene.office), {Part.LK_CHAIR, Part.OFFICE}
    else:
        seating = [person for person in (*scene.organisers, scene.director) if person is not None]
        parts = {Part.ORGANISER, Part.DIRECTOR}
    lead = t(
        "{body} has too few members left to decide. {who} is to appoint another.",
        body=body_name(scene.body),
        who=either(seating),
    )
    return _on(lead, seating, *parts)


def _undeclared(scene: Scene) -> Waiting:
    names = [person.name for person in scene.undeclared]
    lead = t("{who} must say whether there is a conflict of interest.", who=names)
    return _on(lead, scene.undeclared, Part.PANEL, Part.SEATED)


def _doubted(scene: Scene) -> Waiting:
    """R17, R19: nobody decides about his own conflict of interest."""
    by_lk = scene.body is Body.LAW_COMMISSION
    first = (*scene.lk_chair, scene.chair) if by_lk else (scene.chair, *_organisers(scene))
    who = next(filter(None, (_free(scene, each) for each in (first, scene.panel))), list(scene.office))
    names = [person.name for person in scene.doubted]
    lead = t("{who} is to decide whether {names} can sit.", who=either(who), names=names)
    return _on(lead, who, Part.LK_CHAIR if by_lk else Part.ORGANISER, Part.CHAIR, Part.PANEL, Part.OFFICE)


def _free(scene: Scene, persons: Iterable[Named | None]) -> list[Named]:
    return [person for person in persons if person is not None and person not in scene.doubted]


def _conflicts(scene: Scene) -> Waiting | None:
    """Conflicts of interest come before everything that a panel does."""
    if scene.undeclared:
        return _undeclared(scene)
    return _doubted(scene) if scene.doubted else None


def _called(scene: Scene) -> Waiting:
    if conflicts := _conflicts(scene):
        return conflicts
    if scene.hearing_at is None:
        who = [scene.chair] if scene.chair else [*scene.organisers, scene.director]
        lead = t("The jury is appointed. Both sides are to be called to the hearing.")
        return _on(lead, who, Part.CHAIR, Part.ORGANISER, Part.DIRECTOR)
    lead = t("The jury hears both sides {at}, {place}.", at=scene.hearing_at, place=scene.hearing_place)
    return _on(lead, [scene.chair], Part.CHAIR, Part.PANEL)


def _composing(scene: Scene) -> Waiting:
    if scene.panel:
        return _called(scene)
    who = (*scene.organisers, scene.director)
    persons = [person for person in who if person is not None]
    return _on(t("{who} is to appoint the jury.", who=either(persons)), who, Part.ORGANISER, Part.DIRECTOR)


def _hearing(scene: Scene) -> Waiting:
    return _on(t("The jury is hearing both sides."), [scene.chair], Part.CHAIR, Part.PANEL)


def _asked(scene: Scene, lead: Text) -> Waiting:
    return _on(lead, scene.asked, Part.PARTY)


def _asked_names(scene: Scene) -> Sequence[Text | str]:
    """Everybody by name, but the teams by theirs where that would be a crowd."""
    names = [person.name for person in scene.asked]
    return names if len(names) <= CROWD else scene.asked_parties


def _preparing(scene: Scene) -> Waiting:
    names = list(_asked_names(scene))
    if not scene.reported:
        return _by_director(
            scene, t("{director} is to report to {body}.", director=_director(scene), body=label(scene.body))
        )
    if not scene.demanded:
        lead = t("{director} is to ask both sides for statements.", director=_director(scene))
        return _by_director(scene, lead)
    if names:
        return _asked(scene, t("{body} waits for a statement from {who}.", body=body_name(scene.body), who=names))
    return Waiting(lead=t("The statements are in and are opened to both sides."))


def _answering(scene: Scene) -> Waiting:
    names = list(_asked_names(scene))
    if names:
        return _asked(scene, t("{body} waits for an answer from {who}.", body=body_name(scene.body), who=names))
    return Waiting(lead=t("Both sides have answered, and the papers are becoming complete."))


def _complete(scene: Scene) -> Waiting:
    lead = t("{director} is to send in the papers to {body}.", director=_director(scene), body=label(scene.body))
    return _by_director(scene, lead)


def _sent_in(scene: Scene) -> Waiting:
    to_lk = scene.body is Body.LAW_COMMISSION and scene.lk_chair
    who = scene.lk_chair if to_lk else _organisers(scene)
    lead = t("{body} has the papers. {who} registers the case and seats the members.", body=body_name(scene.body),
             who=either(who))  # fmt: skip
    return _on(lead, who, Part.LK_CHAIR if to_lk else Part.ORGANISER, Part.OFFICE)


def _registered(scene: Scene) -> Waiting:
    if conflicts := _conflicts(scene):
        return conflicts
    lead = t("{body} has registered the case and is to deliberate.", body=body_name(scene.body))
    return _on(lead, [scene.chair], Part.CHAIR, Part.PANEL)


def _deliberating(scene: Scene) -> Waiting:
    """All its members are named from the first moment to the last: how far the vote has come is theirs to know."""
    lead = t("{body} deliberates and then decides.", body=body_name(scene.body))
    left = frozenset(person.id for person in scene.undeclared or scene.panel) - scene.voted
    if scene.vote_closed and not scene.undeclared:
        left = frozenset()
    acting = left | (frozenset({scene.chair.id}) if scene.chair else frozenset())
    persons, parts = scene.panel or scene.undeclared, frozenset({Part.PANEL, Part.CHAIR})
    return Waiting(lead=lead, persons=persons, parts=parts, acting=acting, task=lead)


def _final(scene: Scene) -> Waiting:
    if scene.kind is ProceedingKind.RULING:
        return Waiting(lead=t("The ruling is final."))
    lead = t("{body} has decided, and the decision is final.", body=body_name(scene.body))
    return _to_be_told(scene, lead) if scene.untold else Waiting(lead=lead)


def _passing(scene: Scene) -> Waiting:
    return Waiting(lead=t("The case moves on by itself. Look again in a moment."))


_WITH_PANEL = frozenset({State.COMPOSING, State.CALLED, State.HEARING, State.REGISTERED, State.DELIBERATING})
_STATES: Mapping[State, Callable[[Scene], Waiting]] = {
    State.REQUESTED: _requested,
    State.OPEN: _open,
    State.POSTPONED: _postponed,
    State.GIVEN: _decided,
    State.DECIDED: _decided,
    State.LODGED: _lodged,
    State.COMPOSING: _composing,
    State.CALLED: _called,
    State.HEARING: _hearing,
    State.PREPARING: _preparing,
    State.ANSWERING: _answering,
    State.COMPLETE: _complete,
    State.SENT_IN: _sent_in,
    State.REGISTERED: _registered,
    State.DELIBERATING: _deliberating,
    State.FINAL: _final,
    State.APPEALED: _passing,
    State.TRIED: _final,
    State.WRITTEN_OFF: _passing,
}
