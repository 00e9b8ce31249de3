"""What the case file holds: everything a body decides from, in the order it is read.

The parties' copy has no contact data and no proof of other people's notices. Neither copy has what is not opened to
all, nor anything of the deliberation but the decision itself.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework import clock
from casework.domain.access import NOBODY
from casework.domain.labels import label, size_words
from casework.domain.models import (
    Appeal,
    Attachment,
    Contact,
    Decision,
    Party,
    Proceeding,
    Seat,
    Statement,
)
from casework.domain.rules.citations import Citation
from casework.domain.terms import (
    ActionName,
    Body,
    Part,
    ProceedingKind,
    SeatRole,
    Side,
    StatementKind,
)
from casework.services import appeal_rights, late_material, notice_proof, timeline, untold
from casework.services.board_changes import ruled_board
from casework.services.boards import AGREED, REASONS
from casework.services.case_documents import left_out, recorded_later, title_of_decision
from casework.services.case_rows import read_copy
from casework.services.hearing_record import hearing_record
from casework.services.loading import Loaded, load
from casework.services.papers import BOARD_FILE
from casework.services.readings import side_labels
from casework.services.times_ahead import why
from casework.services.votes import own_words, votes_of
from casework.text import Text, t

Context = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the file; `kind` names the macro that shows `body`, `fresh` begins a page."""

    id: str
    kind: str
    title: Text
    body: Any
    fresh: bool = False


def case_file(session: Session, case_id: UUID, *, for_parties: bool, language: str, dated: date) -> Context:
    """The context of templates/pdf/case_file.html."""
    return _File(session, _newest(session, case_id), language, for_parties=for_parties).context(dated)


def proof_of_notice(session: Session, case_id: UUID, *, masked: bool, dated: date) -> Context:
    """The context of templates/pdf/proof.html."""
    loaded = _newest(session, case_id)
    rows = read_copy(session, loaded, frozenset({Part.OFFICE}), loaded.case.opened_at)
    return {
        "case_number": loaded.case.number,
        "kind": t("Proof of notice"),
        "dated": t("Made {day}", day=dated),
        "body_name": t("The federation's office"),
        "title": t("Proof of notice"),
        "lead": t("{tournament}, {session}.", tournament=loaded.tournament.name, session=loaded.playing_session.name),
        "told": notice_proof.told(session, rows, masked=masked),
    }


def _newest(session: Session, case_id: UUID) -> Loaded:
    of_case = select(col(Proceeding.id)).where(Proceeding.case_id == case_id)
    newest = session.exec(of_case.order_by(col(Proceeding.opened_at).desc())).first()
    if newest is None:
        raise LookupError("a case has a proceeding")
    return untold.as_known(session, load(session, newest), NOBODY, clock.now())


class _File:
    """The rows of one case, read for one copy in one language."""

    def __init__(self, session: Session, loaded: Loaded, language: str, *, for_parties: bool) -> None:
        self.session, self.loaded, self.language, self.for_parties = session, loaded, language, for_parties
        readers = frozenset({Part.PARTY if for_parties else Part.OFFICE})
        self.rows = read_copy(session, loaded, readers, loaded.case.opened_at)
        self.board = ruled_board(self.rows.boards, loaded, language)
        self.names = {person.id: person.name for person in self.rows.persons.values()}

    def context(self, dated: date) -> Context:
        """Everything the template shows; a section that is empty is left out."""
        return {
            "case_number": self.loaded.case.number,
            "kind": t("Case file"),
            "dated": t("Case file made {day}", day=dated),
            "body_name": label(self.loaded.proceedings[-1].body),
            "title": self._title(),
            "lead": self._lead(),
            "cover": self._cover(),
            "sections": [section for section in self._sections() if section.body],
        }

    def _sections(self) -> Iterator[Section]:
        yield Section(id="parties", kind="parties", title=t("Parties"), body=self._parties(), fresh=True)
        yield Section(id="board", kind="ruled", title=self._board_title(), body=self.board)
        for number, proceeding in enumerate(self.loaded.proceedings):
            yield from self._stage(proceeding, str(number))
        attachments = [self._attachment(row) for row in self.rows.attachments if self._open(row)]
        yield Section(id="attachments", kind="attachments", title=t("Attachments"), body=attachments)
        yield Section(id="consequences", kind="consequences", title=t("Consequences"), body=self._consequences())
        yield Section(id="events", kind="log", title=t("What has happened"), body=self._events())
        told = [] if self.for_parties else notice_proof.told(self.session, self.rows, masked=False)
        yield Section(id="notices", kind="proofs", title=t("Notices and proof"), body=told)

    def _stage(self, proceeding: Proceeding, number: str) -> Iterator[Section]:
        """What was filed with one body, and what it decided."""
        decisions = [d for d in self.rows.decisions if d.proceeding_id == proceeding.id]
        decided = [
            Section(
                id=f"decision-{decision.id}",
                kind="decision",
                title=title_of_decision(self.rows, decision),
                body=self._decision(decision, proceeding),
                fresh=True,
            )
            for decision in decisions
        ]
        if proceeding.kind is ProceedingKind.RULING:
            yield self._filed("request", number, t("Request for a ruling"), proceeding, StatementKind.REQUEST)
            yield from decided
            yield self._filed("added", number, t("The director's additions"), proceeding, StatementKind.ADDITION)
            later = self.board.later if self.board else ()
            yield Section(id="boards", kind="later", title=t("The board was recorded again"), body=later)
            return
        appeals = [self._appeal(a) for a in self.loaded.appeals if a.proceeding_id == proceeding.id]
        title = t("Appeal to {body}", body=label(proceeding.body))
        yield Section(id=f"appeals-{number}", kind="appeals", title=title, body=appeals)
        yield self._filed("report", number, t("The director's report"), proceeding, StatementKind.REPORT)
        theirs = (StatementKind.STATEMENT, StatementKind.ANSWER, StatementKind.LATE)
        yield self._filed("statements", number, t("Statements of the parties"), proceeding, *theirs)
        hearing = hearing_record(self.rows, proceeding)
        yield Section(id=f"hearing-{number}", kind="hearing", title=t("The hearing"), body=hearing)
        yield from decided

    def _title(self) -> Text:
        incident = self.loaded.incident
        appealed = any(p.kind is ProceedingKind.APPEAL for p in self.loaded.proceedings)
        if incident.board:
            where = t("board {number}", number=incident.board)
            return t("Appeal of a ruling on {where}", where=where) if appealed else t("Ruling on {where}", where=where)
        return t("Appeal of a ruling") if appealed else t("Ruling")

    def _lead(self) -> Text:
        tournament, incident = self.loaded.tournament, self.loaded.incident
        return t(
            "{tournament}, {session}. Played in {place} {day}.",
            tournament=tournament.name,
            session=self.loaded.playing_session.name,
            place=tournament.place,
            day=incident.occurred_on,
        )

    def _party_by_id(self, party_id: UUID | None) -> Text | None:
        return self.rows.party_label(party_id) if party_id else None

    def _members(self, party: Party) -> list[str]:
        return [self.names[member.person_id] for member in self.loaded.party_of_member[party.id]]

    def _cover(self) -> list[Context]:
        """Who against whom, the appellant first; what is tried; by which laws."""
        rows: list[Context] = [
            {
                "key": self._role(party),
                "value": t("{members}, {party}", members=self._members(party), party=self.rows.party_label(party.id)),
            }
            for party in sorted(self.loaded.parties, key=lambda party: party.id not in self.rows.appealing)
        ]
        tried = next((d for d in self.rows.decisions if d.id == self.loaded.proceedings[-1].tries_id), None)
        if tried is not None:
            decision, day = title_of_decision(self.rows, tried), tried.given_at.astimezone(clock.LOCAL).date()
            rows.append({"key": t("Appealed decision"), "value": t("{decision}, {day}", decision=decision, day=day)})
        director = self.loaded.root.director_id
        if director is not None:
            rows.append({"key": t("Director"), "value": self.names[director]})
        rows.append({"key": t("Laws in force"), "value": self.loaded.case.law_edition.words})
        copy = (
            t("For the parties. Contact data is not included.")
            if self.for_parties
            else t("For the body and the office.")
        )
        return [*rows, {"key": t("Copy"), "value": copy}]

    def _role(self, party: Party) -> Text:
        if party.id in self.rows.appealing:
            return t("Appellant")
        return t("Opponent") if self.rows.opposes(party) else t("Party")

    def _parties(self) -> list[Context]:
        return [
            {
                "name": self.rows.party_label(party.id),
                "side": label(party.side),
                "members": [self._member(member.person_id, captain=member.captain) for member in
                            self.loaded.party_of_member[party.id]],
            }
            for party in self.loaded.parties
        ]  # fmt: skip

    def _member(self, person_id: UUID, *, captain: bool) -> Context:
        person = self.loaded.persons[person_id]
        contact = None if self.for_parties else self.loaded.contacts.get(person_id)
        return {
            "name": person.name,
            "about": t("member {number}, {club}", number=person.member_number, club=person.club),
            "captain": captain,
            "contact": _contact_line(contact),
        }

    def _board_title(self) -> Text:
        number = self.loaded.incident.board
        return t("Board {number}, hands and auction", number=number) if number else t("Hands and auction")

    def _decision(self, decision: Decision, proceeding: Proceeding) -> Context:
        return {
            "by": self.rows.signer(decision.given_by, _SIGNS_AS[proceeding.body]),
            "given_at": decision.given_at,
            "recorded_at": decision.recorded_at if recorded_later(decision) else None,
            "outcome": label(decision.outcome) if decision.outcome else None,
            "operative": [part for part in decision.operative.split("\n\n") if part.strip()],
            "scores": self.rows.score_views(decision),
            "uncounted": self.rows.uncounted(decision),
            "facts": decision.facts,
            "agreed": decision.facts_agreed,
            "disputed": self._disputed(decision),
            "reasons": decision.reasons,
            "dissent": decision.dissent,
            "laws": [Citation.from_json(law).words for law in decision.laws],
            "replaced": decision.replaced_by_id is not None,
            "votes": self._votes(decision, proceeding),
            "outcomes": self._outcomes(proceeding),
            "left_out": left_out(self.rows, proceeding.id),
            "rights": self._rights(proceeding),
        }

    def _disputed(self, decision: Decision) -> list[Context]:
        names = side_labels(self.loaded)
        said = (decision.facts_disputed or {}).items()
        return [{"party": names.get(side, side), "text": text} for side, text in said if text]

    def _votes(self, decision: Decision, proceeding: Proceeding) -> list[Context]:
        """Who decided, each member's position and dissent: open once the decision is signed."""
        panels = {panel.id for panel in self.loaded.panels if panel.proceeding_id == proceeding.id}
        votes = {seat.id: vote for seat, vote in votes_of(self.loaded, proceeding.id)}
        return [
            {
                "name": self.names[seat.person_id],
                "role": label(seat.role),
                "position": label(votes[seat.id].position) if seat.id in votes else None,
                "dissent": own_words(votes[seat.id], decision) if seat.id in votes else "",
            }
            for seat in self.loaded.seats
            if seat.panel_id in panels and _decided(seat)
        ]

    def _outcomes(self, proceeding: Proceeding) -> list[Text]:
        return [
            t("{party}: {outcome}", party=self._party_by_id(a.party_id) or "", outcome=label(a.outcome))
            for a in self.loaded.appeals
            if a.proceeding_id == proceeding.id and a.outcome is not None
        ]

    def _rights(self, proceeding: Proceeding) -> list[Context]:
        """Until when each party can or could appeal: the same instants as everywhere."""
        rows, around = [], replace(self.loaded, proceeding=proceeding)
        for party in self.loaded.parties:
            if window := appeal_rights.window_of(around, party.id):
                shown = {"instant": window.instant, "why": why(around, window, mine=False)}
                rows.append({"party": self.rows.party_label(party.id), **shown})
        return rows

    def _appeal(self, appeal: Appeal) -> Context:
        concurring = [c for c in self.loaded.concurrences if c.appeal_id == appeal.id]
        warned_at = None if self.for_parties else appeal.warned_at
        return {
            "party": self._party_by_id(appeal.party_id),
            "by": self.names.get(appeal.lodged_by, ""),
            "at": appeal.lodged_at,
            "how": label(appeal.channel),
            "wants": appeal.wants,
            "grounds": appeal.grounds,
            "late": appeal.in_time is False,
            "withdrawn_at": appeal.withdrawn_at,
            "warned_at": warned_at,
            "warned_how": appeal.warned_how if warned_at else "",
            "concurrences": [
                {"name": self.names.get(c.person_id, ""), "because": c.deemed_because, "how": c.told_how, "at": c.at}
                | {"by": self.names.get(c.recorded_by, "")}
                for c in concurring
            ],
        }

    def _filed(self, name: str, number: str, title: Text, at: Proceeding, *kinds: StatementKind) -> Section:
        """Filed texts of these kinds, as far as they are open to everybody."""
        open_to_all = [s for s in self.rows.statements if s.kind in kinds and s.proceeding_id == at.id and _opened(s)]
        return Section(id=f"{name}-{number}", kind="filed", title=title, body=[self._statement(s) for s in open_to_all])

    def _open(self, attachment: Attachment) -> bool:
        """A file is listed where what it hangs on is open to everybody."""
        hangs_on = next((s for s in self.rows.statements if s.id == attachment.statement_id), None)
        return _opened(hangs_on) if hangs_on else attachment.appeal_id is not None

    def _statement(self, statement: Statement) -> Context:
        parts = statement.parts or {}
        return {
            "kind": late_material.marked(self.rows.loaded, statement, label(statement.kind)),
            "party": self._party_by_id(statement.party_id),
            "by": self.names.get(statement.author_id, ""),
            "entered_by": self.names.get(statement.entered_by, "") if statement.entered_by else "",
            "how": label(statement.channel),
            "at": statement.signed_at,
            "text": statement.text,
            "left_out_at": statement.left_out_at,
            "left_out_because": statement.left_out_because,
            "parts": [(title, parts[key]) for key, title in _REPORT_PARTS if parts.get(key)],
        }

    def _attachment(self, row: Attachment) -> Context:
        return {
            "name": row.name,
            "by": self.names.get(row.uploaded_by, ""),
            "party": self._party_by_id(row.party_id),
            "at": row.uploaded_at,
            "size": size_words(row.size),
            "sha256": row.sha256,
        }

    def _consequences(self) -> list[Context]:
        details = self.rows.still_to_enter
        return [
            {"what": label(row.kind), "state": label(row.state), "why": row.explanation, "details": details(row)}
            for row in self.rows.consequences
        ]

    def _events(self) -> list[Context]:
        """The parties' copy has no acts towards one side alone."""
        hidden = timeline.OWN_SIDE_ONLY if self.for_parties else frozenset()
        self.rows.events = [event for event in self.rows.events if ActionName(event.action) not in hidden]
        return _by_day(
            {"at": act.at, "title": act.title, "by": act.by, "lines": [act.text] if act.text else []}
            for act in reversed(timeline.happenings(self.rows))
        )


_REPORT_PARTS = (
    (AGREED, t("Agreed facts")),
    *((side.value, label(side)) for side in Side),
    ("events", t("Course of events")),
    ("ruling", t("The ruling")),
    (REASONS, t("The reasons")),
    ("other", t("Anything else of importance")),
    (BOARD_FILE, t("The board was taken from this game of the attached file")),
)


_SIGNS_AS = {Body.DIRECTOR: Part.DIRECTOR, Body.JURY: Part.CHAIR, Body.LAW_COMMISSION: Part.CHAIR}


def _opened(statement: Statement) -> bool:
    return statement.opened_at is not None or statement.kind is StatementKind.REQUEST


def _by_day(entries: Iterable[Context]) -> list[Context]:
    """Entries in their order, under the day on which they fall in Sweden."""
    days = groupby(entries, key=lambda entry: entry["at"].astimezone(clock.LOCAL).date())
    return [{"day": day, "entries": list(of_day)} for day, of_day in days]


def _decided(seat: Seat) -> bool:
    return seat.role is not SeatRole.ATTENDEE and seat.conflict.sits


def _contact_line(contact: Contact | None) -> str:
    if contact is None:
        return ""
    town = f"{contact.postal_code} {contact.city}".strip()
    return ", ".join(part for part in (contact.street, town, contact.phone) if part)
