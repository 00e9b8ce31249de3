"""A story whose mails are written down as they go out, in both languages, with nothing in them that is chance."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.adapters.i18n import LANGUAGES, format_instant
from casework.adapters.mail import Letter, build, message_id
from casework.adapters.smtp import Handover
from casework.domain.models import Contact, Deadline, Notice, Timer
from casework.domain.terms import DeadlineKind, NoticeKind, NoticeState, Side
from casework.domain.watch import TimerState
from casework.services import at_the_table, deadlines, notices
from casework.services.late_mails import asks_in_vain
from tests import factories, ics
from tests.factories import NAMES, Federation, OpenCase
from tests.golden.data import ORDINARY, Data
from tests.services.filing import incident
from tests.story import Story

_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail in one language; `to` is the key of its recipient."""

    kind: NoticeKind
    language: str
    at: datetime
    to: str
    letter: Letter

    @property
    def size(self) -> int:
        """In bytes, as it is sent."""
        return len(build(self.letter, self.at).mime)

    @property
    def page(self) -> str:
        """What its golden file holds of it."""
        head = [f"To: {self.letter.to_name}", f"Subject: {self.letter.subject}", *self._calendar()]
        text = re.sub(rf"\{{(link|stop):{_UUID}\}}", r"{\1}", self.letter.text)
        return "\n".join([*head, "", re.sub(f"/arenden/{_UUID}", "/arenden/{case}", text).rstrip()])

    def _calendar(self) -> Iterable[str]:
        if self.letter.calendar is not None:
            for entry in ics.read(self.letter.calendar.content):
                at = format_instant(entry.at, self.language)
                yield f"Calendar: {', '.join(filter(None, (entry.title, at, entry.place, entry.status)))}"


@dataclass
class Scribe(Story):
    """A story that writes its mails down."""

    data: Data = ORDINARY
    mails: list[Mail] = field(default_factory=list)
    calendars: dict[UUID, Letter] = field(default_factory=dict)
    away: frozenset[str] = frozenset()
    """Whose own mail server is away: what is due to them goes out when it is back."""
    waits: bool = False
    """The mail server is away: what is due goes out with the next delivery."""

    @classmethod
    def told(cls, data: Data, *, asked: bool = False, **federation: Any) -> Self:
        """A federation of these people, and a case with the director, or before one is appointed."""
        there = factories.federation(
            names=data.names, title=data.title, session_name=data.session_name, team=data.team, **federation
        )
        with uow(write=True) as session:
            for key in data.sharing:
                who = Contact.person_id == there.persons[key]
                session.exec(select(Contact).where(who)).one().email = "familjen@lindvalla.example"
        return cls(there, _asked(there, data) if asked else factories.open_case(there), data=data)

    def rule(self, **ruling: Any) -> UUID:
        """A ruling with all its parts."""
        usual = factories.ruling(facts_agreed="Syd passade efter 30 sekunder.", **ruling)
        parts = ("operative", "facts", "facts_agreed", "reasons")
        return super().rule(**ruling | {part: self.data.says(getattr(usual, part)) for part in parts})

    def appeal(
        self,
        key: str = "north",
        side: Side = Side.NORTH_SOUTH,
        *,
        wants: str = "Ge tillbaka 4♥ jämna.",
        grounds: str = "Nord tänkte inte länge.",
    ) -> UUID:
        """An appeal in this data's words."""
        return super().appeal(key, side, wants=self.data.says(wants), grounds=self.data.says(grounds))

    def run_out(self, kind: DeadlineKind, *, until: timedelta = timedelta(days=4)) -> None:
        """Let a time run out as the clock would: each reminder before its end, and each after it up to `until`."""
        while step := self._next(kind, until):
            self.at, do = max(self.at, step[0]), step[1]
            self.write(lambda s, do=do: do(s, now=self.at))  # type: ignore[misc]  # bound to this one
            self.deliver()

    def _next(self, kind: DeadlineKind, until: timedelta) -> tuple[datetime, Callable[..., None]] | None:
        """What comes next; of two sides' steps at one moment the first side's."""
        sides = [None, *(party for _, party in sorted(self.case.parties.items()))]
        with uow() as session:
            running = select(Deadline).where(Deadline.kind == kind, col(Deadline.ended).is_(None))
            found = {row.id: row for row in session.exec(running) if row.instant is not None}
            waiting = select(Timer).where(col(Timer.deadline_id).in_(found), Timer.state == TimerState.WAITING)
            steps = [
                (one.due_at, found[one.deadline_id].party_id, partial(deadlines.run_timer, timer_id=one.id))
                for one in session.exec(waiting)
            ]
        steps += [
            (row.instant, row.party_id, partial(deadlines.expire, deadline_id=row.id))
            for row in found.values()
            if row.instant is not None and row.overdue_at is None
        ]
        last = max((row.instant for row in found.values() if row.instant), default=self.at) + until
        in_order = sorted(steps, key=lambda step: (step[0], sides.index(step[1])))
        return next(((at, step) for at, _, step in in_order if at <= last), None)

    def deliver(self) -> None:
        """Write down what goes out, then hand it over."""
        if self.waits:
            return
        now = self.at + timedelta(minutes=1)
        with uow(write=True) as session:
            due = select(Notice).where(Notice.state == NoticeState.DUE, col(Notice.carried_by).is_(None))
            keys = list(self.there.persons.values())
            due = due.where(col(Notice.person_id).not_in([self.there.persons[key] for key in self.away]))
            for notice in sorted(session.exec(due), key=lambda notice: (notice.due_at, keys.index(notice.person_id))):
                if asks_in_vain(session, notice, now):
                    notices.record_not_needed(session, notice.id)
                else:
                    self._write_down(session, notice, now)
        super().deliver()

    def hand_over(self, session: Session, notice_id: UUID, now: datetime) -> None:
        """The letter is written down: its bytes are not made once more, but for what a calendar got by it."""
        if session.get_one(Notice, notice_id).person_id in {self.there.persons[key] for key in self.away}:
            return
        letter = self.calendars.pop(notice_id, None)
        kept = build(letter, now).kept if letter else b""
        handover = Handover(now, "mail.example:25", "250 ok", message_id(notice_id), "-", "", kept, "")
        notices.record_handover(session, notice_id, handover)

    def _write_down(self, session: Session, notice: Notice, now: datetime) -> None:
        """Of other data than the ordinary one mail of each kind is enough."""
        if self.data is not ORDINARY and any(mail.kind is notice.kind for mail in self.mails):
            return
        keys, own = {person: key for key, person in self.there.persons.items()}, notice.language
        for language in LANGUAGES:
            notice.language = language
            letter = notices.message_for(session, notice.id, now)
            if letter.calendar is not None and language == own:
                self.calendars[notice.id] = letter
            to = keys[notice.person_id]
            self.mails.append(Mail(kind=notice.kind, language=language, at=now, to=to, letter=letter))
        notice.language = own


def _asked(there: Federation, data: Data) -> OpenCase:
    """A case in which North asks for a ruling."""
    with uow(write=True) as session:
        asking, text = there.actor("north"), data.says("Fick Nord tänka?")
        loaded = at_the_table.request_ruling(session, incident(there), asking, text=text, now=factories.START).loaded
        parties = {party.number: party.id for party in loaded.parties}
        sides = {Side.NORTH_SOUTH: parties[7], Side.EAST_WEST: parties[12]}
        return OpenCase(loaded.case.id, loaded.case.number, loaded.proceeding.id, sides, parties)


def alike(mail: Mail) -> str:
    """What mails have in common that say the same to another person or side, or at another time."""
    names = "|".join(map(re.escape, NAMES.values()))
    party, day = r"\b(?:par|pair|spelare|player|lag|team) \d+", r"\w+da[gy] \d+ \w+ \d{4}(?: (?:kl\.|at) \d\d\.\d\d)?"
    return re.sub(f"{names}|{party}|{day}", "·", mail.page, flags=re.IGNORECASE)
