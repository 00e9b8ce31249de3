"""The rows that a notice is about: what caused it, and each row as the words of a notice may quote it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.i18n import LANGUAGES, join, render
from casework.domain.labels import contestant, label
from casework.domain.minutes import has_run
from casework.domain.models import (
    Appeal,
    Deadline,
    Demand,
    Event,
    Notice,
    Panel,
    Person,
    Proceeding,
    Seat,
    Statement,
)
from casework.domain.terms import (
    ActionName,
    Channel,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    NoticeKind,
    NoticeState,
    ProceedingKind,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow import PROCEDURES
from casework.services.lateness import came_late
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.text import Quoted, Text, t

_OF_LODGING = frozenset({NoticeKind.APPEAL_RECEIVED, NoticeKind.CONCURRENCE_ASKED, NoticeKind.APPEAL_TO_FORWARD})
"""Told in the proceeding whose decision is appealed, about the one that tries it."""
_OF_REQUEST = frozenset({NoticeKind.RULING_ASKED, NoticeKind.TO_RULE})
"""Quote what a ruling was asked for with."""
_OF_WINDOW = frozenset({NoticeKind.WINDOW_OPEN, NoticeKind.WINDOW_PROLONGED})


@dataclass(frozen=True)
class Rows:
    """The case of a notice, read for the one who is told."""

    session: Session
    notice: Notice
    loaded: Loaded
    sent_at: datetime
    """When it goes out, or went: what has run out by then is over for its reader."""
    paper: bool = False
    """Its reader gets a letter: he is told by himself, and has neither page nor link."""

    def say(self, words: Text) -> str:
        """Words in the recipient's language."""
        return render(words, self.notice.language)

    def join(self, parts: Iterable[str]) -> str:
        """A list in running text."""
        return join(list(parts), self.notice.language)

    def name(self, person_id: UUID | None) -> str:
        """A person's name; empty where there is none."""
        if person_id is None:
            return ""
        if person_id not in self.loaded.persons:
            self.loaded.persons[person_id] = self.session.get_one(Person, person_id)
        return self.loaded.persons[person_id].name

    def quoted(self, text: str, author: UUID | None = None) -> str:
        """What somebody has typed: in his language, or the federation's where nobody knows whose it is."""
        self.name(author)
        return Quoted(text, self.loaded.persons[author].language if author else LANGUAGES[0]) if text else ""

    def party(self, party_id: UUID | None) -> str:
        """What a party is called; empty where there is none."""
        row = next((p for p in self.loaded.parties if p.id == party_id), None)
        return self.say(contestant(self.loaded.tournament.form, row.number, row.name)) if row else ""

    def is_partner(self, party_id: UUID) -> bool:
        """Whether a party is another that sits on the reader's own side: his partner in an individual event."""
        sides = {party.id: party.side for party in self.loaded.parties}
        own = self.notice.party_id
        return own is not None and party_id != own and sides[party_id] is sides[own]

    @cached_property
    def carried(self) -> list[Notice]:
        """Who else of the side is told by the same mail: one address, a link for each."""
        if self.paper:
            return []
        same_mail = select(Notice).where(Notice.carried_by == self.notice.id)
        return list(self.session.exec(same_mail.order_by(col(Notice.id))))

    @cached_property
    def cause(self) -> Event | None:
        """The step that the notice tells of."""
        steps = select(Event).where(Event.case_id == self.notice.case_id, Event.at == self.notice.due_at)
        found = list(self.session.exec(steps.order_by(col(Event.seq).desc())))
        named = (e for e in found if str(self.notice.id) in map(str, e.data.get("notices", ())))
        return next(named, None) or next((e for e in found if self._tells(e)), None)

    def _tells(self, event: Event) -> bool:
        """For a letter that took a mail's place, and is named by no step."""
        names = {action.name: action for action in PROCEDURES[self.loaded.proceeding.kind].actions}
        action = names.get(ActionName(event.action))
        return action is not None and any(tells.kind is self.notice.kind for tells in action.tells)

    @property
    def subject_id(self) -> UUID | None:
        """The row that the step was about."""
        found = self.cause.data.get("subject") if self.cause else None
        return UUID(str(found)) if found else None

    @cached_property
    def appeal(self) -> Appeal | None:
        """The appeal that the step was about, else the newest one that stands here."""
        ours, decision = self.loaded.proceeding, self.loaded.decision()
        against = {decision.id} if decision and self.notice.kind in _OF_LODGING else set()
        here = [
            a for a in self.loaded.appeals if a.decision_id in against or (not against and a.proceeding_id == ours.id)
        ]
        named = (a for a in self.loaded.appeals if a.id == self.subject_id)
        standing = (a for a in reversed(here) if a.withdrawn_at is None)
        return next(named, None) or next(standing, None) or (here[-1] if here else None)

    @property
    def own_appeal_in_time(self) -> bool:
        """Whether the recipient's side had appealed this decision when the notice was written, and in time."""
        decision = self.loaded.decision()
        standing = (a for a in self.loaded.appeals if decision and a.decision_id == decision.id and not a.withdrawn_at)
        before = (a for a in standing if a.lodged_at < self.notice.due_at)
        return any(a.party_id == self.notice.party_id and a.in_time is not False for a in before)

    @property
    def told_in_person(self) -> datetime | None:
        """When the director says that he told the recipient this decision himself."""
        spoken = (n for n in self.loaded.proofs if n.channel is Channel.SPOKEN and n.person_id == self.notice.person_id)
        return next((n.proven_at for n in spoken if n.decision_id == self.notice.decision_id), None)

    @cached_property
    def told_final(self) -> bool:
        """Whether the decision was final, as all are told: by a notice of it, or with the last withdrawal."""
        final = select(Event.id).where(
            Event.case_id == self.notice.case_id,
            Event.proceeding_id == self.notice.proceeding_id,
            Event.action == ActionName.FINALISE.value,
            Event.at < self.notice.due_at,
        )
        told = self.notice.kind in _OF_WINDOW and self.session.exec(final).first() is not None
        return told and not self.final_is_unsent

    @property
    def final_is_unsent(self) -> bool:
        """Whether the recipient was to be told that it was final, and the notice of that has not gone."""
        ours = self.notice
        of_it = select(col(Notice.state)).where(
            Notice.proceeding_id == ours.proceeding_id,
            Notice.person_id == ours.person_id,
            Notice.kind == NoticeKind.FINAL,
            col(Notice.due_at) < ours.due_at,
        )
        states = set(self.session.exec(of_it))
        return bool(states) and states <= {NoticeState.DUE, NoticeState.CALLED_BACK, NoticeState.OVERTAKEN}

    @property
    def final_with_withdrawal(self) -> bool:
        """Whether it is final with the last withdrawal, whose notice then says so: at once, or when the notice goes."""
        run = snapshot(self.loaded).windows_had_run(self.appealed.id, self.notice.due_at)
        return run or self.appealed.state is State.FINAL

    @property
    def withdrawn_by(self) -> str:
        """Whose appeals of the decision are withdrawn; empty where nobody has appealed it."""
        decision = self.loaded.decision()
        mine = (a for a in self.loaded.appeals if decision and a.decision_id == decision.id and a.withdrawn_at)
        return self.join(dict.fromkeys(self.party(appeal.party_id) for appeal in mine))

    def running_words(self) -> Mapping[str, Any]:
        """Whose time to appeal is open when the notice goes out, `until` when at the latest where all of them run.

        A time that stands still, or waits for its side to be told, has no end yet; what has ended since names nobody.
        """
        windows = [
            d
            for d in self.loaded.deadlines
            if d.kind is DeadlineKind.APPEAL_WINDOW
            and d.proceeding_id == self.loaded.proceeding.id
            and d.ended is not DeadlineEnd.MOVED
            and (not has_run(d.instant, self.sent_at) if d.instant is not None else d.ended is None)
        ]
        ends = [d.instant for d in windows if d.instant is not None]
        return {
            "who": self.join(dict.fromkeys(self.party(d.party_id) for d in windows)),
            "until": max(ends) if windows and len(ends) == len(windows) else None,
            "halted": any(d.halted_at is not None for d in windows),
        }

    @cached_property
    def trying(self) -> Proceeding:
        """The proceeding of the body that tries: of the appeal just lodged, or of a case just taken up."""
        ours = self.loaded.proceeding
        if self.notice.kind in _OF_LODGING and self.appeal:
            return next(p for p in self.loaded.proceedings if p.id == self.appeal.proceeding_id)
        if self.notice.kind is NoticeKind.REGISTERED:
            return next((p for p in self.loaded.proceedings if p.parent_id == ours.id and p.taken_up_because), ours)
        return ours

    @property
    def appealed(self) -> Proceeding:
        """The proceeding whose decision is appealed."""
        parent = self.trying.parent_id
        return next((p for p in self.loaded.proceedings if p.id == parent), self.loaded.proceeding)

    @cached_property
    def demand(self) -> Demand | None:
        """What the recipient's party was asked for; something new asks only if it opened a demand of its own (R30)."""
        if self.notice.demand_id is not None:
            return self.session.get_one(Demand, self.notice.demand_id)
        if self.notice.kind is NoticeKind.MATERIAL_ADDED:
            return None
        asked = (d for d in self.loaded.demands if d.party_id == self.notice.party_id)
        ours = [d for d in asked if d.proceeding_id == self.notice.proceeding_id]
        named = (d for d in ours if d.id == self.subject_id)
        return next(named, None) or next((d for d in ours if d.ended is None), ours[-1] if ours else None)

    @cached_property
    def statement(self) -> Statement | None:
        """The text that the step filed, else what a ruling is asked for with."""
        if self.loaded.proceeding.kind is ProceedingKind.RULING:
            if self.notice.kind not in _OF_REQUEST:
                return None
            asked = select(Statement).where(
                Statement.proceeding_id == self.notice.proceeding_id, Statement.kind == StatementKind.REQUEST
            )
            return self.session.exec(asked.order_by(col(Statement.received_at))).first()
        return next((s for s in self.loaded.statements if s.id == self.subject_id), None)

    @cached_property
    def panel(self) -> Panel | None:
        """The panel of the notice's proceeding."""
        ours = (p for p in self.loaded.panels if p.proceeding_id == self.loaded.proceeding.id)
        return next(ours, None)

    @property
    def told_before(self) -> bool:
        """Whether the recipient has had an earlier notice of this kind in this proceeding."""
        ours = self.notice
        same = select(col(Notice.id)).where(
            Notice.proceeding_id == ours.proceeding_id,
            Notice.kind == ours.kind,
            Notice.person_id == ours.person_id,
            col(Notice.due_at) < ours.due_at,
            col(Notice.state) != NoticeState.OVERTAKEN,
        )
        return self.session.exec(same.limit(1)).first() is not None

    @cached_property
    def hearing(self) -> Panel | None:
        """The panel whose hearing was ahead when the notice was written, for who is called to it."""
        panel = self.panel
        ahead = panel is not None and panel.hearing_at is not None and panel.hearing_at > self.notice.due_at
        return panel if ahead and self.was_called else None

    @property
    def hearing_ahead(self) -> Panel | None:
        """The same where it is still ahead when the notice goes."""
        panel = self.hearing
        return panel if panel is not None and not has_run(panel.hearing_at, self.sent_at) else None

    @property
    def is_director(self) -> bool:
        """Whether the recipient directs the case."""
        return self.notice.person_id == self.loaded.proceeding.director_id

    @property
    def was_called(self) -> bool:
        """Whether the recipient had been called to a hearing when the notice was written."""
        ours = self.notice
        called = select(Notice.id).where(
            Notice.proceeding_id == ours.proceeding_id,
            Notice.person_id == ours.person_id,
            Notice.kind == NoticeKind.SUMMONS,
            col(Notice.due_at) <= ours.due_at,
            col(Notice.state) != NoticeState.OVERTAKEN,
        )
        return self.session.exec(called.limit(1)).first() is not None

    @property
    def left_by(self) -> str:
        """Who left the seat that the step was about; empty where it is about none."""
        return self.name(next((seat.person_id for seat in self.seats if seat.id == self.subject_id), None))

    @property
    def too_few(self) -> bool:
        """Whether too few members are left to decide, when the notice goes out."""
        return self.panel is not None and sum(seat.deciding for seat in self.seats) < self.panel.quorum

    @property
    def seats(self) -> list[Seat]:
        """Its seats."""
        return [s for s in self.loaded.seats if self.panel and s.panel_id == self.panel.id]

    @cached_property
    def forwarding(self) -> Deadline | None:
        """Until when the appeal is to be forwarded; none where it joined one that was forwarded already."""
        about = self.appeal
        return next((d for d in self.loaded.deadlines if about and d.appeal_id == about.id), None)

    @property
    def demand_deadline(self) -> Deadline | None:
        """The last day of what the recipient's party was asked for."""
        asked = self.demand
        return next((d for d in self.loaded.deadlines if asked and d.demand_id == asked.id), None)

    @property
    def passed_deadline(self) -> Deadline | None:
        """The deadline that ran out."""
        return next((d for d in self.loaded.deadlines if d.id == self.subject_id), None)

    @property
    def again(self) -> bool:
        """Whether this was told once before."""
        return self.cause is not None and self.cause.action == ActionName.ESCALATE

    def statement_words(self) -> Mapping[str, Any] | None:
        """What was filed, and how."""
        statement = self.statement
        if statement is None:
            return None
        return {
            "text": self.quoted(statement.text, statement.author_id),
            "by": self.name(statement.author_id),
            "party": self.party(statement.party_id),
            "mine": statement.party_id == self.notice.party_id,
            "on_statements": any(d.id == statement.demand_id and not d.about for d in self.loaded.demands),
            "late": came_late(self.loaded, statement),
            "left_out": self.quoted(statement.left_out_because),
            "channel": self.say(label(statement.channel)),
            "entered_by": self.name(statement.entered_by),
            "at": statement.received_at,
        }

    def demand_words(self) -> Mapping[str, Any] | None:
        """What was asked."""
        demand = self.demand
        if demand is None:
            return None
        declined = demand.ended is DemandEnd.DECLINED
        return {"question": self.quoted(demand.question), "kind": demand.kind.value, "declined": declined}

    def panel_words(self) -> str:
        """Who decides, by name, the chair first."""
        deciding = [s for s in self.seats if s.deciding]
        chairs_first = sorted(deciding, key=lambda s: (s.role is not SeatRole.CHAIR, self.name(s.person_id)))
        return self.join(
            self.say(t("{name} (chair)", name=self.name(s.person_id)))
            if s.role is SeatRole.CHAIR
            else self.name(s.person_id)
            for s in chairs_first
        )
