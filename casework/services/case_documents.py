"""The papers of a case as its reader may have them: the list, and each one to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from casework.clock import LOCAL
from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.labels import label, size_words
from casework.domain.models import Appeal, Attachment, Decision, Demand, Statement
from casework.domain.rules.citations import Citation
from casework.domain.terms import Body, ConsequenceKind, DemandKind, Part, StatementKind
from casework.services.appeal_rights import AppealRights, NoAppealRights, appeal_rights
from casework.services.boards import AGREED, REASONS
from casework.services.case_rows import CaseRows
from casework.services.late_material import marked
from casework.services.papers import BOARD_FILE
from casework.services.readings import side_labels
from casework.services.score_view import ScoreView
from casework.services.votes import own_words, votes_of
from casework.text import Text, t

Fact = tuple[Text, tuple[Text | str, ...]]
"""A row of a summary: heading, lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLink:
    """A document in the list; `kind` says which page shows it. Not readable: the reader knows that it is there."""

    id: UUID
    kind: str
    title: Text | str
    note: Text | str = ""
    readable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a document: a heading and what somebody wrote."""

    title: Text
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast:
    """A member's position, named: open to everybody who reads the decision."""

    name: str
    role: Text
    position: Text
    dissent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document to read. `restricted`: its reading by an official is noted (S-AUD7)."""

    id: UUID
    kind: str
    title: Text
    signed: Text
    at: datetime
    facts: tuple[Fact, ...] = ()
    operative: str = ""
    reasons: str = ""
    """Why, of a decision: it stands among the sections too."""
    scores: tuple[ScoreView, ...] = ()
    uncounted: bool = False
    sections: tuple[Section, ...] = ()
    votes: tuple[VoteCast, ...] = ()
    rights: AppealRights | None = None
    attachments: tuple[DocumentLink, ...] = ()
    restricted: bool = False
    replaced: bool = False


def documents(rows: CaseRows) -> tuple[DocumentLink, ...]:
    """The list: what there is, and what has been asked for and is not there yet."""
    if not rows.may(Permission.READ_PAPERS):
        return ()
    dated = [
        *((d.recorded_at, _decision_link(rows, d)) for d in rows.decisions),
        *((a.lodged_at, _appeal_link(rows, a)) for a in rows.loaded.appeals),
        *((s.received_at, _statement_link(rows, s)) for s in rows.statements),
        *((a.uploaded_at, _attachment_link(rows, a)) for a in rows.attachments if rows.can_read_attachment(a)),
    ]
    return (*(link for _, link in sorted(dated, key=lambda pair: pair[0])), *_missing(rows), *_files(rows))


def title_of_decision(rows: CaseRows, decision: Decision) -> Text:
    """Whose decision it is."""
    body = next(p.body for p in rows.loaded.proceedings if p.id == decision.proceeding_id)
    return {
        Body.DIRECTOR: t("The ruling"),
        Body.JURY: t("The jury's decision"),
        Body.LAW_COMMISSION: t("The Law Commission's decision"),
    }[body]


def _decision_link(rows: CaseRows, decision: Decision) -> DocumentLink:
    ruling = rows.loaded.root.id == decision.proceeding_id
    note = t("Replaced by a later decision") if decision.replaced_by_id else _dated(decision.given_at)
    title = title_of_decision(rows, decision)
    return DocumentLink(id=decision.id, kind="ruling" if ruling else "decision", title=title, note=note)


def _appeal_link(rows: CaseRows, appeal: Appeal) -> DocumentLink:
    note = t("Withdrawn {day}", day=_day(appeal.withdrawn_at)) if appeal.withdrawn_at else _dated(appeal.lodged_at)
    title = t("Appeal from {party}", party=rows.party_label(appeal.party_id))
    return DocumentLink(id=appeal.id, kind="appeal", title=title, note=note)


def statement_title(rows: CaseRows, statement: Statement) -> Text:
    """What a filed text is, and whose."""
    party = rows.party_label(statement.party_id)
    match statement.kind:
        case StatementKind.STATEMENT:
            return marked(rows.loaded, statement, t("Statement from {party}", party=party))
        case StatementKind.ANSWER:
            return t("Answer from {party}", party=party)
        case StatementKind.LATE:
            return t("Later statement from {party}", party=party)
        case StatementKind.ADDITION:
            return _added_title(statement.parts or {})
        case _:
            return label(statement.kind)


def _added_title(parts: Mapping[str, Any]) -> Text:
    if BOARD_FILE in parts:
        return t("The file that the board was taken from")
    return t("Facts added to the ruling") if AGREED in parts else t("Reasons added to the ruling")


def _statement_link(rows: CaseRows, statement: Statement) -> DocumentLink:
    readable = rows.can_read(statement)
    unopened = t("Came in {day}. It is opened when everybody has answered.", day=_day(statement.received_at))
    return DocumentLink(
        id=statement.id,
        kind=statement.kind.value,
        title=statement_title(rows, statement),
        note=unopened if _unopened(statement) else _came_in(statement),
        readable=readable,
    )


def _came_in(statement: Statement) -> Text:
    if statement.left_out_at is None:
        return _dated(statement.received_at)
    return t("{day}. Left out of account.", day=_day(statement.received_at))


def left_out(rows: CaseRows, proceeding_id: UUID) -> tuple[Text, ...]:
    """What a body decided without, because it came late."""
    ours = (s for s in rows.statements if s.proceeding_id == proceeding_id and s.left_out_at is not None)
    return tuple(t("{what}, {day}", what=statement_title(rows, s), day=_day(s.received_at)) for s in ours)


def _unopened(statement: Statement) -> bool:
    return statement.opened_at is None and statement.kind is not StatementKind.REQUEST


def _attachment_link(rows: CaseRows, attachment: Attachment) -> DocumentLink:
    note, fetched = t("Attachment, {size}", size=size_words(attachment.size)), rows.can_fetch(attachment)
    note = note if fetched else t("{what}. Read by the directors and the panel.", what=note)
    return DocumentLink(id=attachment.id, kind="attachment", title=attachment.name, note=note, readable=fetched)


def _missing(rows: CaseRows) -> Iterator[DocumentLink]:
    for demand in rows.loaded.demands:
        if demand.ended is None:
            yield DocumentLink(
                id=demand.id,
                kind="demand",
                title=_demanded(rows, demand),
                note=t("Has not come in"),
                readable=False,
            )


def _demanded(rows: CaseRows, demand: Demand) -> Text:
    party = rows.party_label(demand.party_id)
    answer = demand.kind is DemandKind.ANSWER
    return t("Answer from {party}", party=party) if answer else t("Statement from {party}", party=party)


def _files(rows: CaseRows) -> Iterator[DocumentLink]:
    """The newest PDF of the whole case, and what came of one that was asked for after it."""
    for file in rows.files[:1]:
        if file.made_at is None:
            note = t("Could not be made. Ask for it again.") if file.failed_because else t("Is being made")
        else:
            note = t("{pages} pages, made {at}", pages=file.pages, at=file.made_at)
        made = file.made_at is not None
        yield DocumentLink(id=file.id, kind="case_file", title=t("The whole case as PDF"), note=note, readable=made)


def _day(at: datetime) -> date:
    return at.astimezone(LOCAL).date()


def _dated(at: datetime) -> Text:
    return t("{day}", day=_day(at))


def document(rows: CaseRows, kind: str, document_id: UUID) -> Document:
    """One document to read.

    Raises:
        Missing: there is no such document, or the reader may not read it.
    """
    link = next((link for link in documents(rows) if (link.id, link.kind) == (document_id, kind)), None)
    if link is None or not link.readable:
        raise Missing
    for decision in rows.decisions:
        if decision.id == document_id:
            return decision_document(rows, decision)
    for appeal in rows.loaded.appeals:
        if appeal.id == document_id:
            return _appeal_document(rows, appeal)
    for statement in rows.statements:
        if statement.id == document_id:
            return _statement_document(rows, statement)
    raise Missing


def decision_document(rows: CaseRows, decision: Decision) -> Document:
    """A ruling or decision: what is decided first, then why, and how each member voted."""
    ruling = rows.loaded.root.id == decision.proceeding_id
    disputed = (
        Section(title=t("What {party} says", party=side_labels(rows.loaded).get(key, key)), text=str(said))
        for key, said in (decision.facts_disputed or {}).items()
    )
    sections = (
        Section(title=t("What happened"), text=decision.facts),
        Section(title=t("What both sides agree on"), text=decision.facts_agreed),
        *disputed,
        Section(title=t("Reasons"), text=decision.reasons),
        Section(title=t("Dissent"), text=decision.dissent),
    )
    return Document(
        id=decision.id,
        kind="ruling" if ruling else "decision",
        title=title_of_decision(rows, decision),
        signed=rows.signer(decision.given_by, Part.DIRECTOR if ruling else Part.CHAIR),
        at=decision.given_at,
        facts=tuple(_facts_of_decision(rows, decision)),
        operative=decision.operative,
        reasons=decision.reasons,
        scores=rows.score_views(decision),
        uncounted=rows.uncounted(decision),
        sections=tuple(section for section in sections if section.text),
        votes=votes(rows, decision),
        rights=_own_rights(rows, decision),
        replaced=decision.replaced_by_id is not None,
    )


def recorded_later(decision: Decision) -> bool:
    """Whether it stands apart from the time of the decision when it was recorded: they differ in minutes."""
    return decision.recorded_at - decision.given_at >= timedelta(minutes=1)


def _facts_of_decision(rows: CaseRows, decision: Decision) -> Iterator[Fact]:
    yield t("Decided"), (t("{at}", at=decision.given_at),)
    if recorded_later(decision):
        yield t("Recorded"), (t("{at}", at=decision.recorded_at),)
    yield t("Laws"), tuple(Citation.from_json(law).words for law in decision.laws)
    if decision.outcome is not None:
        yield t("Result"), (label(decision.outcome), *_entered(rows, decision))
    if outcomes := tuple(_outcomes(rows, decision)):
        yield t("The appeals"), outcomes
    if without := left_out(rows, decision.proceeding_id):
        yield t("Left out of account"), without


def _entered(rows: CaseRows, decision: Decision) -> Iterator[Text | str]:
    """What the organiser enters in the result list."""
    for row in rows.consequences:
        if row.decision_id == decision.id and row.kind is ConsequenceKind.SCORE_ADJUSTMENT:
            yield from rows.to_enter(row)


def _outcomes(rows: CaseRows, decision: Decision) -> Iterator[Text]:
    for appeal in rows.loaded.appeals:
        if appeal.proceeding_id == decision.proceeding_id and appeal.outcome is not None:
            party, outcome = rows.party_label(appeal.party_id), label(appeal.outcome)
            if appeal.without_merit:
                yield t("{party}: {outcome}, without merit", party=party, outcome=outcome)
            else:
                yield t("{party}: {outcome}", party=party, outcome=outcome)


def votes(rows: CaseRows, decision: Decision) -> tuple[VoteCast, ...]:
    """How each member voted: named and open to everybody who reads the decision, never before it."""
    return tuple(
        VoteCast(
            name=rows.name(seat.person_id),
            role=label(seat.role),
            position=label(vote.position),
            dissent=own_words(vote, decision),
        )
        for seat, vote in votes_of(rows.loaded, decision.proceeding_id)
    )


def _own_rights(rows: CaseRows, decision: Decision) -> AppealRights | None:
    """How the reader's own side appeals this decision, in the words that it was told."""
    if rows.own_party is None or decision.replaced_by_id is not None:
        return None
    proceeding = next(p for p in rows.loaded.proceedings if p.id == decision.proceeding_id)
    try:
        return appeal_rights(replace(rows.loaded, proceeding=proceeding), rows.own_party, rows.now)
    except NoAppealRights:
        return None


def _appeal_document(rows: CaseRows, appeal: Appeal) -> Document:
    concurring = [rows.name(c.person_id) for c in rows.loaded.concurrences if c.appeal_id == appeal.id]
    facts: list[Fact] = [
        (t("Came in"), (t("{at}, {how}", at=appeal.lodged_at, how=label(appeal.channel)),)),
        (t("Stand behind it"), (t("{who}", who=concurring),)),
    ]
    if appeal.received_by is not None:
        facts.append((t("Registered by"), (rows.name(appeal.received_by),)))
    if appeal.in_time is False:
        facts.append((t("Time"), (t("Came after the time to appeal. The body decides whether it is tried."),)))
    sections = (
        Section(title=t("What is to be changed"), text=appeal.wants),
        Section(title=t("Grounds"), text=appeal.grounds),
    )
    return Document(
        id=appeal.id,
        kind="appeal",
        title=t("Appeal from {party}", party=rows.party_label(appeal.party_id)),
        signed=rows.signer(appeal.lodged_by),
        at=appeal.lodged_at,
        facts=tuple(facts),
        sections=tuple(section for section in sections if section.text),
        attachments=tuple(_attachment_link(rows, a) for a in rows.attachments if a.appeal_id == appeal.id),
    )


_REPORT = {
    "events": t("The course of events"),
    "ruling": t("The ruling"),
    "reasons": t("The reasons"),
    "other": t("Other matters"),
}


def _added(rows: CaseRows, parts: Mapping[str, Any]) -> Iterator[Section]:
    """What the director has added to his ruling: the parties read what they are asked to answer (R28)."""
    titles = {AGREED: t("What both sides agree on"), REASONS: t("Reasons")}
    for party in rows.loaded.parties:
        titles[party.side.value] = t("What {party} says", party=rows.party_label(party.id))
    for key, title in titles.items() if AGREED in parts or REASONS in parts else ():
        yield Section(title=title, text=str(parts.get(key) or ""))


def _statement_document(rows: CaseRows, statement: Statement) -> Document:
    facts: list[Fact] = [
        (t("Came in"), (t("{at}, {how}", at=statement.received_at, how=label(statement.channel)),)),
    ]
    if statement.entered_by is not None:
        facts.append((t("Entered by"), (rows.name(statement.entered_by),)))
    if statement.left_out_at is not None:
        when = t("{at}, {who}", at=statement.left_out_at, who=rows.name(statement.left_out_by))
        facts.append((t("Left out of account"), (when, statement.left_out_because)))
    parts = statement.parts or {}
    files = [file for file in rows.attachments if file.statement_id == statement.id]
    if BOARD_FILE in parts:
        facts += _evidence(str(parts[BOARD_FILE]), files)
    report = statement.kind is StatementKind.REPORT
    written = [Section(title=_REPORT[key], text=str(parts.get(key, ""))) for key in _REPORT] if report else []
    sections = [Section(title=t("The text"), text=statement.text), *written, *_added(rows, parts)]
    return Document(
        id=statement.id,
        kind=statement.kind.value,
        title=statement_title(rows, statement),
        signed=rows.signer(statement.author_id, None if statement.party_id else Part.DIRECTOR),
        at=statement.signed_at,
        facts=tuple(facts),
        sections=tuple(section for section in sections if section.text),
        attachments=tuple(_attachment_link(rows, file) for file in files),
        restricted=_unopened(statement) and rows.own_party is None,
    )


def _evidence(game: str, files: Sequence[Attachment]) -> Iterator[Fact]:
    """Which game of its file a board was taken from, and the proof that the bytes are the ones that came."""
    yield t("Board taken"), (t("Game {game} of the file", game=int(game)),)
    yield from ((t("Check sum, SHA-256"), (file.sha256[:32], file.sha256[32:])) for file in files)
