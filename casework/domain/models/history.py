"""What happened, when it is due, and who must be told: events, deadlines, notices, jobs, receipts."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, LargeBinary, text
from sqlmodel import Field, UniqueConstraint

from casework.domain.delivery import SmtpPhase
from casework.domain.models.base import Row, enum_text, json, maybe_ref, ref, text_json
from casework.domain.operation import AlarmKind, WorkKind
from casework.domain.terms import (
    ActionName,
    Channel,
    DeadlineEnd,
    DeadlineKind,
    JobState,
    NoticeKind,
    NoticeState,
    Part,
)
from casework.domain.watch import InterruptionKind, TimerState
from casework.text import Text


class Event(Row, table=True):
    """Append-only history: ids, codes, instants and commitments, never a name or a free text (S-AUD6)."""

    __tablename__ = "events"

    case_id: UUID = ref("cases.id", index=False)
    seq: int
    at: datetime
    action: str = Field(max_length=40)
    proceeding_id: UUID | None = maybe_ref("proceedings.id", index=False)
    actor_id: UUID | None = maybe_ref("persons.id", index=False)
    part: Part = Field(sa_type=enum_text(Part))
    data: dict[str, Any] = Field(default_factory=dict, sa_type=json())
    prev: str = Field(max_length=64)
    hash: str = Field(max_length=64)

    __table_args__ = (UniqueConstraint("case_id", "seq"), UniqueConstraint("case_id", "prev"))


class Checkpoint(Row, table=True):
    """A chain over all cases' heads, written at each decision and nightly (S-AUD4)."""

    __tablename__ = "checkpoints"

    seq: int = Field(unique=True)
    at: datetime
    cases: int
    heads: str = Field(max_length=64)
    prev: str = Field(max_length=64)
    hash: str = Field(max_length=64)


class Deadline(Row, table=True):
    """A last moment with how it was reckoned. `instant` is empty while its start event has not happened."""

    __tablename__ = "deadlines"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id")
    kind: DeadlineKind = Field(sa_type=enum_text(DeadlineKind))
    party_id: UUID | None = maybe_ref("parties.id")
    demand_id: UUID | None = maybe_ref("demands.id")
    appeal_id: UUID | None = maybe_ref("appeals.id")
    """Which appeal it is about: each is forwarded in a time of its own (R24)."""
    base: datetime | None = None
    told_base: datetime | None = None
    """The start that a mail has named before its own proof could start the time: it never runs from earlier."""
    span_value: int
    span_unit: str = Field(max_length=20)
    source: str = Field(default="", max_length=200)
    confirmed: bool = False
    unrolled: date | None = None
    last_day: date | None = None
    instant: datetime | None = Field(default=None, index=True)
    explanation: Text = Field(sa_type=text_json())
    opened_at: datetime
    ended: DeadlineEnd | None = Field(default=None, sa_type=enum_text(DeadlineEnd), nullable=True)
    ended_at: datetime | None = None
    overdue_at: datetime | None = None
    prolonged_because: str = Field(default="", max_length=2000)
    given_until: datetime | None = None
    """An end that somebody set as a moment of its own, instead of counting on."""
    given_day: date | None = None
    """The same where it was a day: it is moved as every last day is, and then the time ends `given_until`."""
    given_over: Text | None = Field(default=None, sa_type=text_json(), nullable=True)
    """How the time was reckoned before that, with every reason."""
    more: list[str] = Field(default_factory=list, sa_type=json())
    """Spans given on top, in their order, each counted from the unrolled end before it ("2 weeks")."""
    pauses: list[list[str]] = Field(default_factory=list, sa_type=json())
    """Intervals that are not counted, each [begins, ends] as ISO instants."""
    halted_at: datetime | None = None
    """Since when, or from when, it stands still until somebody lifts it: until then it has no end (`instant`)."""
    rule_version: str = Field(default="", max_length=40, index=True)
    """By which arithmetic and which days off it was reckoned, "1/9f3c2a10"."""
    changes: int = 0
    """How often its end has been told, moved or taken away."""
    changed_at: datetime | None = None

    __table_args__ = (
        Index("ix_deadlines_due", "ended", "overdue_at", "instant"),
        CheckConstraint("span_value > 0", name="span"),
    )


class DeadlineMove(Row, table=True):
    """How a deadline stood before it was moved, and by which step: nothing is moved silently."""

    __tablename__ = "deadline_moves"

    case_id: UUID = ref("cases.id")
    deadline_id: UUID = ref("deadlines.id")
    moved_at: datetime
    action: ActionName = Field(sa_type=enum_text(ActionName))
    base: datetime | None = None
    last_day: date | None = None
    instant: datetime | None = None
    explanation: Text = Field(sa_type=text_json())
    rule_version: str = Field(default="", max_length=40)
    new_instant: datetime | None = None
    """None: it stands still."""


class Timer(Row, table=True):
    """A step that a deadline brings at a time of its own: done once, or red for a person, never skipped (R-DL2)."""

    __tablename__ = "timers"

    case_id: UUID = ref("cases.id")
    deadline_id: UUID = ref("deadlines.id", index=False)
    step: str = Field(max_length=40)
    """What, and how many days before or after the last day: "remind:3", "escalate:7"; "expire" where that failed."""
    due_at: datetime
    state: TimerState = Field(default=TimerState.WAITING, sa_type=enum_text(TimerState))
    done_at: datetime | None = None
    attempts: int = 0
    words: Text | None = Field(default=None, sa_type=text_json(), nullable=True)
    """Why it was not needed, or why it is red."""

    __table_args__ = (UniqueConstraint("deadline_id", "step"), Index("ix_timers_due", "state", "due_at"))


class Notice(Row, table=True):
    """Who must be told what; exactly what was sent, where to, when, and the proof (R32, R37, R-PROOF1)."""

    __tablename__ = "notices"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id")
    kind: NoticeKind = Field(sa_type=enum_text(NoticeKind))
    channel: Channel = Field(sa_type=enum_text(Channel))
    state: NoticeState = Field(sa_type=enum_text(NoticeState))
    person_id: UUID = ref("persons.id")
    party_id: UUID | None = maybe_ref("parties.id", index=False)
    decision_id: UUID | None = maybe_ref("decisions.id", index=False)
    demand_id: UUID | None = maybe_ref("demands.id", index=False)
    link_id: UUID | None = maybe_ref("links.id", index=False)
    address: str = Field(default="", max_length=254)
    language: str = Field(default="sv", max_length=5)
    due_at: datetime
    held_until: datetime | None = None
    """Until then it can be called back: nobody is told (U10)."""
    carried_by: UUID | None = maybe_ref("notices.id")
    """The notice whose mail tells this person too: one address, one side, a link for each."""
    replaces_id: UUID | None = maybe_ref("notices.id")
    """The notice that did not reach this person, for which this letter or call stands in."""
    handed_over_at: datetime | None = None
    remote: str = Field(default="", max_length=200)
    phase: SmtpPhase | None = Field(default=None, sa_type=enum_text(SmtpPhase), nullable=True)
    reply: str = Field(default="", max_length=500)
    template: str = Field(default="", max_length=80)
    message_id: str = Field(default="", max_length=200)
    sha256: str = Field(default="", max_length=64)
    subject: str = Field(default="", max_length=300)
    mime: bytes | None = Field(default=None, sa_type=LargeBinary, nullable=True)
    built_at: datetime | None = None
    """When the mail was made, the moment before its first byte went (R-PROOF1)."""
    proven_at: datetime | None = None
    proven_by: UUID | None = maybe_ref("persons.id", index=False)
    proof_note: str = Field(default="", max_length=2000)
    opened_at: datetime | None = None
    unopened_at: datetime | None = None
    """When the office was asked to see to it that an unopened mail is known (R-PROOF2)."""

    __table_args__ = (Index("ix_notices_state", "state", "due_at"), Index("ix_notices_message_id", "message_id"))


class EarlierCopy(Row, table=True):
    """What an earlier try of a notice handed to the mail server and may have arrived: never changed (R-PROOF1)."""

    __tablename__ = "earlier_copies"

    notice_id: UUID = ref("notices.id")
    built_at: datetime
    remote: str = Field(default="", max_length=200)
    template: str = Field(default="", max_length=80)
    message_id: str = Field(default="", max_length=200)
    sha256: str = Field(max_length=64)
    subject: str = Field(default="", max_length=300)
    mime: bytes = Field(sa_type=LargeBinary)


class DeliveryTry(Row, table=True):
    """One try to hand a mail over, or what came back of it: never changed, so a later try hides no earlier one."""

    __tablename__ = "delivery_tries"

    notice_id: UUID = ref("notices.id")
    at: datetime
    state: NoticeState = Field(sa_type=enum_text(NoticeState))
    phase: SmtpPhase = Field(sa_type=enum_text(SmtpPhase))
    remote: str = Field(default="", max_length=200)
    reply: str = Field(default="", max_length=500)
    address: str = Field(default="", max_length=254)
    domain: str = Field(default="", max_length=254)

    __table_args__ = (Index("ix_delivery_tries_domain", "domain", "at"),)


class Posting(Row, table=True):
    """When a letter was posted, as somebody noted it: never changed, so what is put right hides nothing earlier."""

    __tablename__ = "postings"

    notice_id: UUID = ref("notices.id")
    posted_at: datetime
    noted_at: datetime
    noted_by: UUID = ref("persons.id", index=False)
    because: str = Field(default="", max_length=2000)
    """Why it was noted wrongly before."""


class OutboxJob(Row, table=True):
    """A piece of work that must happen after the commit; the broker gets only its id."""

    __tablename__ = "outbox_jobs"

    kind: str = Field(max_length=40)
    subject_id: UUID
    case_id: UUID | None = maybe_ref("cases.id")
    dedupe_key: str = Field(max_length=200, unique=True)
    state: JobState = Field(default=JobState.DUE, sa_type=enum_text(JobState))
    attempts: int = 0
    next_at: datetime
    claimed_by: str = Field(default="", max_length=80)
    claimed_until: datetime | None = None
    error: str = Field(default="", max_length=500)
    created_at: datetime
    done_at: datetime | None = None

    __table_args__ = (Index("ix_outbox_jobs_due", "state", "next_at"),)


class FormReceipt(Row, table=True):
    """A form's instance: the row's id is the form's id, so the same form cannot take effect twice (R-DBL1)."""

    __tablename__ = "form_receipts"

    person_id: UUID | None = maybe_ref("persons.id", index=False)
    case_id: UUID = ref("cases.id", index=False)
    action: ActionName | None = Field(default=None, sa_type=enum_text(ActionName), nullable=True)
    subject_id: UUID | None = None
    at: datetime
    written: str = Field(default="", max_length=64)
    """The mark of the answers (`web/typed.py`): by it the same is known from what was changed and sent again."""


class AccessEntry(Row, table=True):
    """An official's reading of a restricted part (S-AUD7)."""

    __tablename__ = "access_log"

    person_id: UUID = ref("persons.id")
    case_id: UUID = ref("cases.id")
    what: str = Field(max_length=80)
    at: datetime


class Tick(Row, table=True):
    """When a recurring work last ran: what `/healthz` looks at."""

    __tablename__ = "ticks"

    name: str = Field(max_length=40, unique=True)
    at: datetime


class Duration(Row, table=True):
    """How many pieces of work of a kind took at most so long, and longer than the bound before: for `/metrics`."""

    __tablename__ = "durations"

    work: WorkKind = Field(sa_type=enum_text(WorkKind))
    kind: str = Field(max_length=40)
    bound: float
    """In seconds; infinite for the longest."""
    number: int
    seconds: float
    """What they took together."""

    __table_args__ = (UniqueConstraint("work", "kind", "bound"),)


class Interruption(Row, table=True):
    """A time when nothing was sent and no deadline passed, in the machine's own time, without the demo's offset."""

    __tablename__ = "interruptions"

    seq: int = Field(unique=True)
    """Their order: a clock that jumps cannot give it."""
    kind: InterruptionKind = Field(sa_type=enum_text(InterruptionKind))
    began_at: datetime
    """The last work before it."""
    found_at: datetime
    ended_at: datetime | None = Field(default=None, index=True)
    """A jump lasts until somebody confirms the clock."""
    words: Text = Field(sa_type=text_json())
    skew_seconds: float = 0
    """How far the clock stood after the database's; confirmed with the clock."""
    confirmed_by: UUID | None = maybe_ref("persons.id", index=False)


class Alarm(Row, table=True):
    """Something was wrong with the installation, from when to when, and when the operator was told (R-HEALTH1)."""

    __tablename__ = "alarms"

    kind: AlarmKind = Field(sa_type=enum_text(AlarmKind))
    began_at: datetime
    tried_at: datetime | None = None
    """When a mail was last begun: another clock leaves it alone, and a server that is down is not asked each minute."""
    mailed_at: datetime | None = None
    mails: int = 0
    ended_at: datetime | None = None

    __table_args__ = (
        Index(
            "uq_alarms_open", "kind", unique=True, sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )  # fmt: skip
