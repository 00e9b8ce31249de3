"""The case page as its reader may see it: words and values, no rows. What a section needs stands in `access`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor, Permission
from casework.domain.explaining import left
from casework.domain.labels import label
from casework.domain.minutes import has_run
from casework.domain.models import Appeal, Decision
from casework.domain.rules.citations import Citation
from casework.domain.terms import (
    Body,
    ConsequenceState,
    DeadlineKind,
    NoticeKind,
    ProceedingKind,
    SeatRole,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import concurring
from casework.services.case_choices import Choice, choices
from casework.services.case_documents import Document, DocumentLink, decision_document, documents
from casework.services.case_rows import CaseRows, read_case
from casework.services.case_times import Time, times
from casework.services.notifying import is_held
from casework.services.standing import Standing, standings
from casework.services.timeline import Happening, happenings, may_see_proof, proofs
from casework.services.waiting import body_name
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the summary: heading, lines."""

    key: Text
    value: tuple[Text | str, ...]
    strong: bool = False
    hearing: bool = False
    """A hearing to put into a calendar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyView:
    """A side: its members, their clubs, and its role in the case."""

    label: Text
    role: Text
    names: tuple[str, ...]
    clubs: tuple[str, ...]
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealView:
    """One side's appeal: who stands behind it, and what is said about it."""

    id: UUID
    title: Text
    lines: tuple[Text, ...]
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceView:
    """What follows of a decision."""

    title: Text
    state: ConsequenceState
    tag: Text
    note: Text
    details: tuple[Text | str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case for one reader. Sections that are not his are empty."""

    case_id: UUID
    number: str
    place: tuple[str, ...]
    body: Text | None
    title: Text
    lead: Text
    summary: tuple[Row, ...]
    late: tuple[Text, ...]
    matter: Text
    """What a party is asked to do, or can do: the heading of its own part of the page."""
    deadline: Time | None
    other_times: tuple[Time, ...]
    reader: str
    """The name of a party's member who reads; empty for officials."""
    reads_papers: bool
    reads_proof: bool
    held: bool
    """Something waits to be sent, and its reader may see it."""
    parties: tuple[PartyView, ...]
    documents: tuple[DocumentLink, ...]
    consequences: tuple[ConsequenceView, ...]
    decision: Document | None
    """The newest decision in force."""
    appeals: tuple[AppealView, ...]
    told: tuple[Text, ...]
    untold: tuple[str, ...]
    choices: tuple[Choice, ...]
    steps: tuple[Text, ...]
    """How a party appeals, when it may."""
    happenings: tuple[Happening, ...]


def case_view(session: Session, case_id: UUID, actor: Actor, now: datetime) -> CaseView:
    """The case page for this reader.

    Raises:
        Missing: there is no such case, or the reader has no part in it.
    """
    rows = read_case(session, case_id, actor, now)
    (standing,) = standings(session, [case_id], actor, now)
    decision = _newest_decision(rows)
    mine = choices(rows, standing)
    shown, others = times(rows, standing, mine)
    steps = tuple(_steps(rows, standing, mine))
    papers = rows.may(Permission.READ_PAPERS)
    return CaseView(
        case_id=case_id,
        number=standing.number,
        place=standing.place,
        body=None if standing.scene.body is Body.DIRECTOR else body_name(standing.scene.body),
        title=standing.title,
        lead=standing.waiting.lead,
        summary=tuple(_summary(rows, standing, decision, timed=shown is not None and not shown.passed)),
        late=tuple(_late(rows)) if papers else (),
        matter=_MATTERS.get(shown.kind if shown else None, t("What you can do")) if not steps else t("You can appeal"),
        deadline=shown,
        other_times=others,
        reader=actor.name if rows.own_party else "",
        reads_papers=papers,
        reads_proof=rows.may(Permission.READ_PROOF),
        held=rows.may(Permission.READ_PROOF) and any(is_held(n, rows.now) for n in rows.notices),
        parties=tuple(_parties(rows)),
        documents=documents(rows),
        consequences=tuple(_consequences(rows)),
        decision=decision_document(rows, decision) if decision else None,
        appeals=tuple(_appeal(rows, a) for a in rows.loaded.appeals) if papers else (),
        told=_told(rows, decision),
        untold=_untold(rows, standing),
        choices=mine,
        steps=steps,
        happenings=happenings(rows),
    )


def _newest_decision(rows: CaseRows) -> Decision | None:
    return next((d for d in reversed(rows.decisions) if d.replaced_by_id is None), None)


def _summary(rows: CaseRows, standing: Standing, decision: Decision | None, *, timed: bool) -> Iterator[Row]:
    """`timed`: the page shows a time of its own, large; else until when the others have to act stands here."""
    scene = standing.scene
    stage = PROCEDURES[scene.kind].stage(scene.state)
    yield Row(key=t("State"), value=(stage.label,))
    if not (stage.ends and scene.untold):
        yield Row(key=t("Next step"), value=(stage.next_step,))
    yield Row(key=t("Who must act"), value=(_who(standing),), strong=True)
    if standing.waiting.task not in (None, standing.waiting.lead):
        yield Row(key=t("What remains"), value=(standing.waiting.task or "",))
    if not timed and rows.may(Permission.READ_PAPERS) and standing.nearest is not None:
        yield Row(key=t("No later than"), value=(t("{at}", at=standing.nearest), left(standing.nearest, rows.now)))
    director = scene.director.name if scene.director else t("Not appointed yet")
    yield Row(key=t("Tournament director"), value=(director,))
    if not rows.may(Permission.READ_PAPERS):
        return
    if panel := tuple(_panel(rows)):
        yield Row(key=body_name(scene.body), value=panel)
    if scene.hearing_at is not None:
        hearing = t("{at}, {place}", at=scene.hearing_at, place=scene.hearing_place)
        yield Row(key=t("Hearing"), value=(hearing,), hearing=rows.now < scene.hearing_at)
    yield Row(key=t("Laws that apply"), value=tuple(_laws(rows, decision)))
    if rows.own_party is None and scene.kind is ProceedingKind.RULING and decision is not None:
        published = rows.facts.published_at
        when = t("{at}", at=published) if published else t("Not recorded yet")
        yield Row(key=t("Official score"), value=(when,))


def _who(standing: Standing) -> Text | str:
    if standing.waiting.persons:
        return standing.waiting.who
    if standing.waiting.may:
        open_to = {d.party_id for d in standing.running if d.kind is DeadlineKind.APPEAL_WINDOW}
        left_to = [party.label for party in standing.parties if party.id in open_to]
        if 0 < len(left_to) < len(standing.parties):
            return t("Nobody has to. There is still time for {party} to appeal.", party=left_to)
        return t("Nobody has to. Both sides may appeal.")
    return t("Nobody")


def _panel(rows: CaseRows) -> Iterator[Text | str]:
    """Named as soon as it is composed, so that a conflict of interest can be pointed out (R17)."""
    here = next((p for p in rows.loaded.panels if p.proceeding_id == rows.stands_in), None)
    seats = [s for s in rows.loaded.seats if here is not None and s.panel_id == here.id and s.deciding]
    for seat in sorted(seats, key=lambda s: s.role is not SeatRole.CHAIR):
        name = rows.name(seat.person_id)
        yield t("{name}, chair", name=name) if seat.role is SeatRole.CHAIR else name


def _laws(rows: CaseRows, decision: Decision | None) -> Iterator[Text]:
    edition = rows.loaded.case.law_edition.words
    cited = [Citation.from_json(law).code for law in decision.laws] if decision else []
    if not cited:
        yield edition
    elif len(cited) == 1:
        yield t("{edition}, cited law {laws}", edition=edition, laws=cited)
    else:
        yield t("{edition}, cited laws {laws}", edition=edition, laws=cited)


_MATTERS: Mapping[DeadlineKind | None, Text] = {
    DeadlineKind.STATEMENT: t("State your views"),
    DeadlineKind.ANSWER: t("Answer the others"),
}


def _late(rows: CaseRows) -> Iterator[Text]:
    """What those who handle the case should have done: said to parties and officials alike."""
    for deadline in rows.loaded.deadlines:
        if deadline.ended is None and deadline.instant is not None and has_run(deadline.instant, rows.now):
            if deadline.kind is DeadlineKind.FORWARD_APPEAL:
                yield t("The appeal should have been forwarded by {at}.", at=deadline.instant)
            elif deadline.kind is DeadlineKind.REPORT:
                yield t("The report should have been filed and both sides asked by {at}.", at=deadline.instant)
            elif deadline.kind is DeadlineKind.SEND_IN:
                yield t("The papers should have been sent in by {at}.", at=deadline.instant)
            elif deadline.kind is DeadlineKind.DECISION:
                yield t("The body aimed to decide by {at}.", at=deadline.instant)


def _parties(rows: CaseRows) -> Iterator[PartyView]:
    for party in rows.loaded.parties:
        members = [rows.persons[m.person_id] for m in rows.loaded.party_of_member[party.id]]
        role = t("other side") if rows.opposes(party) else label(party.side)
        yield PartyView(
            label=rows.party_label(party.id),
            role=t("appeals") if party.id in rows.appealing else role,
            names=tuple(person.name for person in members),
            clubs=tuple(dict.fromkeys(person.club for person in members if person.club)),
            mine=party.id == rows.own_party,
        )


def _consequences(rows: CaseRows) -> Iterator[ConsequenceView]:
    for row in rows.consequences:
        yield ConsequenceView(
            title=label(row.kind),
            state=row.state,
            tag=label(row.state),
            note=row.explanation,
            details=rows.still_to_enter(row),
        )


def _appeal(rows: CaseRows, appeal: Appeal) -> AppealView:
    return AppealView(
        id=appeal.id,
        title=t("Appeal from {party}", party=rows.party_label(appeal.party_id)),
        lines=tuple(_about(rows, appeal)),
        withdrawn=appeal.withdrawn_at is not None,
    )


def _about(rows: CaseRows, appeal: Appeal) -> Iterator[Text]:
    yield t("Lodged by {who} {at}.", who=rows.name(appeal.lodged_by), at=appeal.lodged_at)
    if appeal.withdrawn_at is not None:
        yield t("Withdrawn {at}.", at=appeal.withdrawn_at)
        return
    words = [c for c in rows.loaded.concurrences if c.appeal_id == appeal.id and c.person_id != appeal.lodged_by]
    said = {appeal.lodged_by, *(c.person_id for c in words)}
    if others := [rows.name(c.person_id) for c in words if not c.deemed_because]:
        yield t("{who} concurs.", who=sorted(others))
    if deemed := [rows.name(c.person_id) for c in words if c.deemed_because]:
        yield t("{who} could not be asked and counts as concurring.", who=sorted(deemed))
    missing = sorted(rows.name(person) for person in concurring(rows.facts, appeal.party_id) - said)
    if missing:
        yield t("{who} has not concurred yet.", who=missing)
    if appeal.in_time is False:
        yield t("It came after the time to appeal. The body decides whether it is tried.")
    if appeal.warned_at is not None and rows.own_party in (None, appeal.party_id):
        yield t(
            "The director said {at} that the grounds look insufficient and that a penalty is possible.",
            at=appeal.warned_at,
        )
        yield t("How it was said: {how}", how=appeal.warned_how)
    if appeal.outcome is not None:
        yield t("{outcome}.", outcome=label(appeal.outcome))


def _told(rows: CaseRows, decision: Decision | None) -> tuple[Text, ...]:
    """Who has been told the newest decision, and how."""
    about = [n for n in rows.notices if decision is not None and n.decision_id == decision.id]
    telling = (n for n in about if n.kind in (NoticeKind.RULING, NoticeKind.DECISION))
    return proofs(rows, (n for n in telling if may_see_proof(rows, n)))


def _untold(rows: CaseRows, standing: Standing) -> tuple[str, ...]:
    if not rows.may(Permission.READ_PROOF):
        return ()
    return tuple(person.name for person in standing.scene.untold)


def _steps(rows: CaseRows, standing: Standing, mine: tuple[Choice, ...]) -> Iterator[Text]:
    """How a party appeals: three lines, beside the button."""
    if rows.own_party is None or not any(c.appeals and c.allowed and c.duty for c in mine):
        return
    yield t("Tell what in the decision you want changed, and why. A few sentences will do.")
    others = concurring(rows.facts, rows.own_party) - {rows.actor.person_id}
    if others:
        yield t("{who} must concur, through a separate link.", who=sorted(rows.name(person) for person in others))
    body = next(choice.body for choice in mine if choice.appeals)
    director = standing.scene.director
    if director is not None and body is not None:
        yield t("The tournament director {name} passes your appeal on to {body}.", name=director.name, body=label(body))
