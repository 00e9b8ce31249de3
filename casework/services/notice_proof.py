"""Proof of notice: for each who was told of something, what was sent, where, when, how, and what came of it (R37).

The page, the PDF and the case file show the same. Whoever may not read contact data sees addresses masked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.domain.delivery import OurReason, SmtpPhase, Waits, our_reason
from casework.domain.labels import label
from casework.domain.models import (
    CaseFile,
    DeliveryTry,
    Demand,
    EarlierCopy,
    Event,
    Notice,
    Person,
    Posting,
    Remark,
)
from casework.domain.terms import ActionName, Channel, DemandEnd, NoticeState
from casework.services.case_rows import CaseRows
from casework.services.overtaking import newer_among
from casework.text import Text, t

_ADDRESS = re.compile(r"[^\s<>]+@[^\s<>]+")

Fact = tuple[Text, Sequence[Text | str]]
"""What is known, and its lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One person told through one channel; `sure` where it is proven that he knows."""

    notice_id: UUID
    name: str
    party: Text | None
    state: Text
    sure: bool
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing that people had to be told: the subject that they read, since when, and each who is told so."""

    title: Text | str
    at: datetime
    proofs: Sequence[Proof]


def told(session: Session, rows: CaseRows, *, masked: bool) -> list[Told]:
    """Everything that somebody was told in a case, in the order in which it became due."""
    reader = _Reader(session, rows, masked=masked)
    groups: dict[tuple[datetime, str, str], list[Notice]] = {}
    for notice in rows.notices:
        groups.setdefault((notice.due_at, notice.kind, _subject(notice, rows.notices)), []).append(notice)
    return [
        Told(
            title=title(notices[0], rows.notices),
            at=at,
            proofs=[reader.proof(notice) for notice in reader.in_order(notices)],
        )
        for (at, _, _), notices in sorted(groups.items())
    ]


def one(session: Session, rows: CaseRows, notice: Notice, *, masked: bool) -> Proof:
    """The proof of one notice."""
    return _Reader(session, rows, masked=masked).proof(notice)


def title(notice: Notice, among: Sequence[Notice]) -> Text | str:
    """What a notice was called, `among` all of its case: each reads a subject of his own (R37)."""
    known = _subject(notice, among)
    return (known.partition("] ")[2] or known) if known else label(notice.kind)


def _subject(notice: Notice, among: Sequence[Notice]) -> str:
    """Its own; what is not sent, letters, and what was said have none, and share that of their side's mail."""
    return notice.subject or next((n.subject for n in among if n.subject and _tell_alike(n, notice)), "")


def _tell_alike(one: Notice, other: Notice) -> bool:
    same_step = (one.due_at, one.kind, one.party_id) == (other.due_at, other.kind, other.party_id)
    return same_step and (one.party_id is not None or one.person_id == other.person_id)


def masked_address(address: str) -> str:
    """Enough to know one's own address by: "a···@club.example"."""
    name, at, domain = address.partition("@")
    return f"{name[:1]}···{at}{domain}" if at else ""


def _masked(notice: Notice) -> str:
    """Of a letter its town is enough, of a call the last digits."""
    match notice.channel:
        case Channel.LETTER:
            return f"···, {notice.address.rpartition(', ')[2]}" if notice.address else ""
        case Channel.PHONE:
            return f"···{notice.address[-2:]}" if notice.address else ""
    return masked_address(notice.address)


def _sent(notice: Notice, printed: CaseFile | None) -> Iterator[Text | str]:
    if printed is not None and printed.made_at is not None:
        yield t("PDF, made {at}", at=printed.made_at)
    if notice.state is NoticeState.POSTED and not notice.sha256:
        yield t("No PDF of the letter was made here before it was posted, so its bytes are not kept.")
    yield from _copy(notice, notice.built_at)


def _copy(sent: Notice | EarlierCopy, built_at: datetime | None) -> Iterator[Text | str]:
    """When the bytes were made, for which mail server, and what they are (R-PROOF1)."""
    if built_at is not None and sent.remote:
        yield t("Made {at}, for the mail server {remote}", at=built_at, remote=sent.remote)
    elif sent.remote:
        yield t("For the mail server {remote}", remote=sent.remote)
    if sent.message_id:
        yield sent.message_id
    if sent.sha256:
        yield f"SHA-256 {sent.sha256[:32]} {sent.sha256[32:]}"
    if sent.template:
        yield t("Words: {version}", version=sent.template)


class _Reader:
    """The rows of one case, and the tries of its mails."""

    def __init__(self, session: Session, rows: CaseRows, *, masked: bool) -> None:
        self.rows, self.masked = rows, masked
        ids = [notice.id for notice in rows.notices]
        tries = select(DeliveryTry).where(col(DeliveryTry.notice_id).in_(ids)).order_by(col(DeliveryTry.at))
        self.tries: dict[UUID, list[DeliveryTry]] = {}
        for one in session.exec(tries):
            self.tries.setdefault(one.notice_id, []).append(one)
        before = select(EarlierCopy).where(col(EarlierCopy.notice_id).in_(ids)).options(defer(EarlierCopy.mime))  # type: ignore[arg-type]  # a column
        self.earlier: dict[UUID, list[EarlierCopy]] = {}
        for copy in session.exec(before.order_by(col(EarlierCopy.built_at))):
            self.earlier.setdefault(copy.notice_id, []).append(copy)
        noted = select(Posting, Person).join(Person, col(Person.id) == col(Posting.noted_by))
        self.postings: dict[UUID, list[tuple[Posting, Person]]] = {}
        for posting, by in session.exec(noted.where(col(Posting.notice_id).in_(ids)).order_by(col(Posting.noted_at))):
            self.postings.setdefault(posting.notice_id, []).append((posting, by))
        letters = [notice.id for notice in rows.notices if notice.channel is Channel.LETTER and notice.sha256]
        prints = session.exec(select(CaseFile).where(col(CaseFile.notice_id).in_(letters))) if letters else ()
        self.prints = {(file.notice_id, file.sha256): file for file in prints}
        self.by_id = {notice.id: notice for notice in rows.notices}
        asked = session.exec(select(Demand).where(Demand.case_id == rows.loaded.case.id))
        self.demands = {demand.id: demand for demand in asked}

    def in_order(self, notices: Sequence[Notice]) -> list[Notice]:
        """By party and name; what stands in for a mail comes after it."""
        return sorted(notices, key=lambda n: (str(n.party_id or "~"), self.rows.name(n.person_id), self._steps(n)))

    def _steps(self, notice: Notice) -> int:
        before = self.by_id.get(notice.replaces_id) if notice.replaces_id else None
        return 1 + self._steps(before) if before else 0

    def proof(self, notice: Notice) -> Proof:
        return Proof(
            notice_id=notice.id,
            name=self.rows.name(notice.person_id),
            party=self.rows.party_label(notice.party_id) if notice.party_id else None,
            state=t("Not posted: told by phone instead") if self._was_called_instead(notice) else state_of(notice),
            sure=notice.proven_at is not None,
            facts=[fact for fact in self._facts(notice) if fact[1]],
        )

    def _was_called_instead(self, notice: Notice) -> bool:
        """A letter that nobody has to post any more."""
        return notice.state is NoticeState.TO_BE_POSTED and any(
            call.replaces_id == notice.id and call.channel is Channel.PHONE for call in self.rows.notices
        )

    def _facts(self, notice: Notice) -> Iterator[Fact]:
        yield t("How"), [self._how(notice)]
        if notice.state is NoticeState.OVERTAKEN:
            yield t("Not sent"), [self._overtaken(notice)]
            yield t("Tries"), [self._try(one) for one in self.tries.get(notice.carried_by or notice.id, [])]
            return
        if notice.channel is Channel.LETTER:
            yield t("The posting is noted"), list(self._posted(notice))
        if notice.channel is Channel.MAIL:
            yield t("Tries"), [self._try(one) for one in self.tries.get(notice.carried_by or notice.id, [])]
            yield t("Opened"), [t("{at}", at=notice.opened_at) if notice.opened_at else t("Not opened")]
        yield t("Answered"), self._answered(notice)
        yield (
            t("Told by phone instead"),
            [
                t("{at}, recorded by {name}", at=call.proven_at, name=self.rows.name(call.proven_by))
                for call in self.rows.notices
                if call.replaces_id == notice.id and call.channel is Channel.PHONE and call.proven_at
            ],
        )
        if notice.proven_at:
            yield t("Proven from"), list(self._proven(notice.proven_at, notice))
        else:
            yield t("Proven from"), [t("Nothing proves yet that this reached the person.")]
        yield t("Its time is counted from"), list(self._named_start(notice))
        if notice.proof_note:
            yield t("How it is known"), [notice.proof_note]
        for copy in self.earlier.get(notice.carried_by or notice.id, []):
            yield t("What was sent before"), list(_copy(copy, copy.built_at))
        sent = notice.sha256 or notice.state is NoticeState.POSTED
        printed = self.prints.get((notice.id, notice.sha256))
        yield t("What was sent") if sent else t("What was to be sent"), list(_sent(notice, printed))

    def _how(self, notice: Notice) -> Text:
        address = _masked(notice) if self.masked else notice.address
        match notice.channel:
            case Channel.MAIL:
                return t("By mail to {address}", address=address)
            case Channel.LETTER if notice.handed_over_at:
                where = t("By letter to {address}", address=address) if address else t("By letter")
                return t("{how}, posted {at}", how=where, at=notice.handed_over_at)
            case Channel.LETTER:
                return t("By letter, not posted yet")
            case Channel.PHONE:
                return t("By phone, {number}", number=address) if address else t("By phone")
        return t("In person")

    def _overtaken(self, notice: Notice) -> Text:
        if stopped_because(notice) is OurReason.NOT_NEEDED:
            return t("What it asked for had been done, or its time was over, before it was sent.")
        newer = newer_among(notice, self.rows.notices)
        if newer is None:
            return t("A newer notice took its place before it was sent. Nobody's time begins with this one.")
        what: Text | str = title(newer, self.rows.notices)
        return t(
            "Before it was sent, a newer notice took its place and says what holds since: “{what}”, {at}. Nobody's "
            "time begins with this one.",
            what=what,
            at=newer.due_at,
        )

    def _posted(self, notice: Notice) -> Iterator[Text]:
        noted = self.postings.get(notice.id, [])
        for place, (one, by) in enumerate(noted):
            if len(noted) == 1:
                yield t("By {name}, {when}", name=by.name, when=one.noted_at)
            elif place == 0:
                yield t("First as {at}, by {name}, {when}", at=one.posted_at, name=by.name, when=one.noted_at)
            else:
                yield t("Corrected to {at} by {name}, {when}", at=one.posted_at, name=by.name, when=one.noted_at)
                yield t("Why: {because}", because=one.because)

    def _try(self, one: DeliveryTry) -> Text:
        """A server's own line is quoted, as evidence; where there is none the reason is ours."""
        tried = t("{at}: {state} {phase}.", at=one.at, state=_TRIED[one.state], phase=label(one.phase))
        own = our_reason(one.phase, one.reply)
        if own is OurReason.NO_ANSWER and one.state is NoticeState.UNSURE:
            return tried
        if own is not None:
            return t("{tried} {reason}", tried=tried, reason=label(own))
        reply = _ADDRESS.sub("···", one.reply) if self.masked else one.reply
        return t("{tried} The server said: “{reply}”", tried=tried, reply=reply)

    def _answered(self, notice: Notice) -> list[Text]:
        demand = self.demands.get(notice.demand_id) if notice.demand_id else None
        if demand is None:
            return []
        if demand.ended is None or demand.ended_at is None:
            return [t("Not yet")]
        if demand.ended is DemandEnd.SILENT:
            return [t("No answer when the time ran out {at}", at=demand.ended_at)]
        by = self._answered_by(demand)
        if by is not None and by != notice.person_id:
            name = self.rows.name(by)
            return [t("{how}, {name} for the side, {at}", how=label(demand.ended), name=name, at=demand.ended_at)]
        return [t("{how}, {at}", how=label(demand.ended), at=demand.ended_at)]

    def _answered_by(self, demand: Demand) -> UUID | None:
        """Who answered for his side: the author of the text, or who said that there is nothing to add."""
        if demand.ended is DemandEnd.ANSWERED:
            return next((one.author_id for one in self.rows.statements if one.demand_id == demand.id), None)
        said = self._acts(ActionName.DECLINE_STATEMENT, demand.id)
        return said[0].actor_id if demand.ended is DemandEnd.DECLINED and said else None

    def _proven(self, at: datetime, notice: Notice) -> Iterator[Text]:
        by, corrected = self.rows.name(notice.proven_by), self._acts(ActionName.CORRECT_TIME, notice.id)
        if not corrected:
            yield t("{at}, recorded by {name}", at=at, name=by) if by else t("{at}", at=at)
            return
        before = [datetime.fromisoformat(event.data["was"]) for event in corrected]
        yield t("{at}", at=at)
        yield t("First recorded as {at}, by {name}", at=before[0], name=by)
        for event, to in zip(corrected, [*before[1:], at], strict=True):
            yield t("Corrected to {at} by {name}, {when}", at=to, name=self.rows.name(event.actor_id), when=event.at)
            yield from (t("Why: {because}", because=one.text) for one in self._reasons(event))

    def _named_start(self, notice: Notice) -> Iterator[Text]:
        """Where it is not the proof that a time runs from, but the start that the mail named (workflow/bases.py)."""
        for deadline in self.rows.loaded.deadlines:
            its_own = (deadline.proceeding_id, deadline.party_id, deadline.demand_id)
            told = its_own == (notice.proceeding_id, notice.party_id, notice.demand_id) and notice.proven_at is not None
            if told and deadline.base is not None and deadline.base == deadline.told_base != notice.proven_at:
                yield t("{at}, as the mails to the side say: so mail and page name the same last moment, and nobody "
                        "gets less than the whole time.", at=deadline.base)  # fmt: skip
                return

    def _reasons(self, event: Event) -> list[Remark]:
        """What was written as the reason of a step: the history holds the row's id."""
        filed = event.data.get("filed", {})
        return [one for one in self.rows.remarks if str(one.id) in filed]

    def _acts(self, action: ActionName, subject: UUID) -> list[Event]:
        return [e for e in self.rows.events if e.action == action and e.data.get("subject") == str(subject)]


def state_of(notice: Notice) -> Text:
    """Where a notice stands, in a few words."""
    if notice.opened_at is not None:
        return t("Opened")
    if notice.state is NoticeState.POSTED and notice.proven_at is not None:
        return t("Arrived")
    if notice.channel is Channel.PHONE:
        return t("Told by phone")
    if notice.unopened_at is not None and notice.state is NoticeState.HANDED_OVER:
        return t("Delivered, not opened")
    return label(stopped_because(notice) or notice.state)


def stopped_because(notice: Notice) -> OurReason | None:
    """Why it was stopped, where its state does not say it."""
    return next((why for state, why in _STOPPED if (state, why) == (notice.state, notice.reply)), None)


def waits_because(notice: Notice, now: datetime) -> Waits | None:
    """Why a mail that is due has not gone, where anything is known of it: without it, it is on its way."""
    if notice.state is not NoticeState.DUE:
        return None
    if notice.held_until is not None and notice.held_until > now:
        return Waits.HELD
    if notice.phase is None:
        return None
    return Waits.NOT_ENCRYPTED if notice.phase is SmtpPhase.TLS else Waits.NOT_TAKEN


_STOPPED = ((NoticeState.CALLED_BACK, OurReason.WRONG_CLOCK), (NoticeState.OVERTAKEN, OurReason.NOT_NEEDED))


_TRIED = {
    NoticeState.DUE: t("to be tried again"),
    NoticeState.HANDED_OVER: t("delivered"),
    NoticeState.UNSURE: t("no answer"),
    NoticeState.BOUNCED: t("refused"),
    NoticeState.FAILED: t("not sent"),
}
