"""What the case file holds: everything a body decides from, in the order it is read.

The parties' copy has no contact data and no proof of other people's notices. Neither copy has what is not opened to
all, nor anything of the deliberation but the decision itself.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.labels import contestant, label, size_words
from casework.domain.models import (
    Appeal,
    Attachment,
    Contact,
    Decision,
    Notice,
    Party,
    Proceeding,
    Seat,
    Statement,
)
from casework.domain.rules.citations import Citation
from casework.domain.terms import ConflictState, Part, ProceedingKind, SeatRole, Side, StatementKind
from casework.services import appeal_rights, timeline
from casework.services.board_view import board_view
from casework.services.boards import AGREED, REASONS, ruling_papers
from casework.services.case_rows import read_copy
from casework.services.loading import Loaded, load
from casework.text import Text, t

Context = dict[str, Any]


def case_file(session: Session, case_id: UUID, *, for_parties: bool, language: str) -> Context:
    """The context of templates/pdf/case_file.html."""
    newest = session.exec(
        select(col(Proceeding.id)).where(Proceeding.case_id == case_id).order_by(col(Proceeding.opened_at).desc())
    ).first()
    if newest is None:
        raise LookupError("a case has a proceeding")
    file = _File(session, load(session, newest), language, for_parties=for_parties)
    return file.context()


class _File:
    """The rows of one case, read for one copy in one language."""

    def __init__(self, session: Session, loaded: Loaded, language: str, *, for_parties: bool) -> None:
        self.session, self.loaded, self.language, self.for_parties = session, loaded, language, for_parties
        readers = frozenset({Part.PARTY if for_parties else Part.OFFICE})
        self.rows = read_copy(session, loaded, readers, loaded.case.opened_at)
        self.names = {person.id: person.name for person in self.rows.persons.values()}

    def context(self) -> Context:
        """Everything the template shows; a section that is empty is not in the contents."""
        sections = {
            "parties": (t("Parties"), self._parties()),
            "board": (self._board_title(), self._board()),
            "rulings": (t("Ruling"), self._decisions(ProceedingKind.RULING)),
            "appeals": (t("Appeals"), [self._appeal(appeal) for appeal in self.loaded.appeals]),
            "reports": (
                t("The director's additions and report"),
                self._filed(StatementKind.ADDITION, StatementKind.REPORT),
            ),
            "statements": (
                t("Statements of the parties"),
                self._filed(StatementKind.STATEMENT, StatementKind.ANSWER, StatementKind.LATE),
            ),
            "attachments": (t("Attachments"), [self._attachment(row) for row in self.rows.attachments]),
            "decisions": (t("Decisions"), self._decisions(ProceedingKind.APPEAL)),
            "consequences": (t("Consequences"), self._consequences()),
            "events": (
                t("What has happened"),
                [self._event(happening) for happening in reversed(timeline.happenings(self.rows))],
            ),
            "notices": (t("Notices and proof"), [] if self.for_parties else self._notices()),
        }
        shown = {name: body for name, (_, body) in sections.items() if body}
        tried = self.loaded.proceedings[-1]
        return {
            "case_number": self.loaded.case.number,
            "kind": t("Case file"),
            "dated": t("Case file as of event {number}", number=self.loaded.case.head_seq),
            "body_name": label(tried.body),
            "title": self._title(),
            "lead": self._lead(),
            "cover": self._cover(),
            "contents": [(name, title) for name, (title, body) in sections.items() if body],
            "titles": {name: title for name, (title, _) in sections.items()},
            **{name: shown.get(name) for name in sections},
        }

    def _title(self) -> Text:
        incident = self.loaded.incident
        where = (
            t("board {number}", number=incident.board) if incident.board else t("table {table}", table=incident.table)
        )
        if any(p.kind is ProceedingKind.APPEAL for p in self.loaded.proceedings):
            return t("Appeal of a ruling, {where}", where=where)
        return t("Ruling, {where}", where=where)

    def _lead(self) -> Text:
        tournament, incident = self.loaded.tournament, self.loaded.incident
        return t(
            "{tournament}, {session}. Played in {place} {day}.",
            tournament=tournament.name,
            session=self.loaded.playing_session.name,
            place=tournament.place,
            day=incident.occurred_on,
        )

    def _party(self, party: Party) -> Text:
        return contestant(self.loaded.tournament.form, party.number, party.name)

    def _party_by_id(self, party_id: UUID | None) -> Text | None:
        party = next((p for p in self.loaded.parties if p.id == party_id), None)
        return self._party(party) if party else None

    def _members(self, party: Party) -> list[str]:
        return [self.names[member.person_id] for member in self.loaded.party_of_member[party.id]]

    def _cover(self) -> list[Context]:
        appealing = {appeal.party_id for appeal in self.loaded.appeals if appeal.withdrawn_at is None}
        rows: list[Context] = [
            {
                "key": t("Appellant") if party.id in appealing else t("Party"),
                "value": t("{members}, {party}", members=self._members(party), party=self._party(party)),
            }
            for party in self.loaded.parties
        ]
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

    def _parties(self) -> list[Context]:
        return [
            {
                "name": self._party(party),
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

    def _board(self) -> Any:
        known = ruling_papers(self.session, self.loaded)
        return board_view(known.board, self.language) if known.board_filed else None

    def _decisions(self, kind: ProceedingKind) -> list[Context]:
        of_kind = {p.id: p for p in self.loaded.proceedings if p.kind is kind}
        return [self._decision(d, of_kind[d.proceeding_id]) for d in self.rows.decisions if d.proceeding_id in of_kind]

    def _decision(self, decision: Decision, proceeding: Proceeding) -> Context:
        return {
            "body": label(proceeding.body),
            "by": self.names[decision.given_by],
            "given_at": decision.given_at,
            "recorded_at": decision.recorded_at if decision.recorded_at != decision.given_at else None,
            "outcome": label(decision.outcome) if decision.outcome else None,
            "operative": decision.operative.split("\n\n"),
            "facts": decision.facts,
            "agreed": decision.facts_agreed,
            "disputed": list((decision.facts_disputed or {}).items()),
            "reasons": decision.reasons,
            "dissent": decision.dissent,
            "laws": [Citation.from_json(law).words for law in decision.laws],
            "replaced": decision.replaced_by_id is not None,
            "votes": self._votes(proceeding),
            "outcomes": self._outcomes(proceeding),
            "rights": self._rights(proceeding),
        }

    def _votes(self, proceeding: Proceeding) -> list[Context]:
        """Who decided, each member's position and dissent: open once the decision is signed."""
        panels = {panel.id for panel in self.loaded.panels if panel.proceeding_id == proceeding.id}
        votes = {vote.seat_id: vote for vote in self.loaded.votes}
        return [
            {
                "name": self.names[seat.person_id],
                "role": label(seat.role),
                "position": label(votes[seat.id].position) if seat.id in votes else None,
                "dissent": votes[seat.id].dissent if seat.id in votes else "",
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
        rows = []
        for party in self.loaded.parties:
            window = appeal_rights.window_of(replace(self.loaded, proceeding=proceeding), party.id)
            if window is not None:
                rows.append({"party": self._party(party), "instant": window.instant, "why": window.explanation})
        return rows

    def _appeal(self, appeal: Appeal) -> Context:
        proceeding = next(p for p in self.loaded.proceedings if p.id == appeal.proceeding_id)
        concurring = [c for c in self.loaded.concurrences if c.appeal_id == appeal.id]
        return {
            "party": self._party_by_id(appeal.party_id),
            "to": label(proceeding.body),
            "by": self.names.get(appeal.lodged_by, ""),
            "at": appeal.lodged_at,
            "how": label(appeal.channel),
            "wants": appeal.wants,
            "grounds": appeal.grounds,
            "late": appeal.in_time is False,
            "withdrawn_at": appeal.withdrawn_at,
            "warned_at": appeal.warned_at,
            "warned_how": appeal.warned_how,
            "concurrences": [
                {"name": self.names.get(c.person_id, ""), "at": c.at, "because": c.deemed_because} for c in concurring
            ],
        }

    def _filed(self, *kinds: StatementKind) -> list[Context]:
        return [self._statement(s) for s in self.rows.statements if s.kind in kinds and s.opened_at is not None]

    def _statement(self, statement: Statement) -> Context:
        parts = statement.parts or {}
        return {
            "kind": label(statement.kind),
            "party": self._party_by_id(statement.party_id),
            "by": self.names.get(statement.author_id, ""),
            "entered_by": self.names.get(statement.entered_by, "") if statement.entered_by else "",
            "how": label(statement.channel),
            "at": statement.signed_at,
            "text": statement.text,
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
        return [
            {"what": label(row.kind), "state": label(row.state), "why": row.explanation, "detail": row.detail}
            for row in self.rows.consequences
        ]

    def _event(self, happening: timeline.Happening) -> Context:
        return {"at": happening.at, "title": happening.title, "by": happening.by, "text": happening.text}

    def _notices(self) -> list[Context]:
        """What was sent, with a line of proof for each who was told of it."""
        sent: dict[tuple[Any, ...], list[Notice]] = {}
        for notice in self.rows.notices:
            sent.setdefault((notice.kind, notice.due_at, notice.subject), []).append(notice)
        return [
            {
                "at": at,
                "subject": subject.partition("] ")[2] or subject,
                "proofs": [timeline.proof_of(self.rows, notice) for notice in notices],
                "replies": sorted({notice.reply for notice in notices if notice.reply}),
            }
            for (_, at, subject), notices in sent.items()
        ]


_REPORT_PARTS = (
    (AGREED, t("Agreed facts")),
    *((side.value, label(side)) for side in Side),
    ("events", t("Course of events")),
    ("ruling", t("The ruling")),
    (REASONS, t("The reasons")),
    ("other", t("Anything else of importance")),
)


def _decided(seat: Seat) -> bool:
    return seat.role is not SeatRole.ATTENDEE and seat.conflict is not ConflictState.RECUSED


def _contact_line(contact: Contact | None) -> str:
    if contact is None:
        return ""
    town = f"{contact.postal_code} {contact.city}".strip()
    return ", ".join(part for part in (contact.street, town, contact.phone) if part)
