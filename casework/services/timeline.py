"""What has happened in a case, as its reader may know it: the history itself, with names looked up (S-AUD6)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from casework.adapters.i18n import LANGUAGES
from casework.domain.access import IN_CASE, Permission
from casework.domain.delivery import OurReason, Waits
from casework.domain.labels import label
from casework.domain.minutes import whole_minute
from casework.domain.models import AdjustmentRecord, Event, Notice
from casework.domain.terms import ActionName, Channel, HearingStep, NoticeState, Part
from casework.domain.workflow import PROCEDURES
from casework.services import moved_times
from casework.services.board_changes import Filing
from casework.services.boards import AGREED, REASONS
from casework.services.case_documents import DocumentLink, documents
from casework.services.case_rows import CaseRows
from casework.services.clockwork import delay_words
from casework.services.notice_proof import stopped_because, waits_because
from casework.text import Text, sentences, t

_EVERYBODY = IN_CASE[Permission.READ_PAPERS]
_OFFICIALS = _EVERYBODY - {Part.PARTY, Part.APPELLANT}
_PANEL = IN_CASE[Permission.READ_DELIBERATION]

WHO_SEES: Mapping[ActionName, frozenset[Part]] = {
    ActionName.DECLARE_CONFLICT: _OFFICIALS,
    ActionName.DECIDE_CONFLICT: _OFFICIALS,
    ActionName.CAST_VOTE: frozenset(),
    ActionName.CLOSE_BALLOT: _PANEL,
    ActionName.RECORD_ROOM_VOTE: _PANEL,
    ActionName.VOTE_AGAIN: _PANEL,
    ActionName.WRITE_NOTE: frozenset(),
    ActionName.COUNT_SCORE: frozenset(),
    ActionName.RECORD_PROOF: frozenset(),
    ActionName.RECORD_RETURN: frozenset(),
    ActionName.CALL_BACK: _OFFICIALS,
    ActionName.SEND_NOW: _OFFICIALS,
}
"""Acts that not everybody who reads the papers sees. Notes, votes and counted scores stand in the panel's room alone
(S-AC4); a proof stands with the notice it proves."""

REASON_TO_ALL = frozenset({ActionName.LEAVE_OUT, ActionName.SUSPEND_TIMES})
"""Acts whose reason both sides read, though nobody acts in another's place."""

REASON_TO_OWN_SIDE = frozenset({ActionName.PROLONG_WINDOW})
"""Acts whose reason is told to the side that they are for, and to nobody on the other side."""

OWN_SIDE_ONLY = frozenset({ActionName.WARN_APPELLANT, ActionName.RECORD_TELLING, ActionName.CORRECT_TIME})
"""Acts towards one side: the other side does not see them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One act: when, what, who, with which documents, and one line for each who was told."""

    at: datetime
    title: Text
    by: Text
    text: Text | str = ""
    documents: tuple[DocumentLink, ...] = ()
    proofs: tuple[Text, ...] = field(default_factory=tuple)


def happenings(rows: CaseRows) -> tuple[Happening, ...]:
    """What has happened, the newest first."""
    papers = {document.id: document for document in documents(rows)}
    return tuple(happened(rows, event, papers) for event in reversed(rows.events) if seen(rows, event))


def seen(rows: CaseRows, event: Event) -> bool:
    """Whether the reader may know of an event."""
    action = ActionName(event.action)
    if WHO_SEES.get(action, _EVERYBODY).isdisjoint(rows.parts):
        return False
    if rows.own_party is None or action not in OWN_SIDE_ONLY:
        return True
    return event.data.get("party") == str(rows.own_party)


def words_of(action: ActionName) -> Text:
    """What the timeline says about an act."""
    if action is ActionName.OPEN_CASE:
        return t("Opened the case")
    for procedure in PROCEDURES.values():
        for entry in procedure.actions:
            if entry.name is action:
                return entry.done
    raise KeyError(action)


def happened(rows: CaseRows, event: Event, papers: Mapping[UUID, DocumentLink] | None = None) -> Happening:
    """One act, with those of the papers that it filed."""
    papers = papers or {}
    filed = (papers.get(UUID(row)) for row in event.data.get("filed", {}))
    return Happening(
        at=event.at,
        title=_completed(rows, event) or words_of(ActionName(event.action)),
        by=t("The system") if event.part is Part.SYSTEM else rows.signer(event.actor_id, event.part),
        text=_said(rows, event),
        documents=tuple(document for document in filed if document is not None),
        proofs=proofs(rows, _told(rows, event)),
    )


def reached(rows: CaseRows, action: ActionName) -> tuple[Text, ...]:
    """Whom the newest step of a kind has reached and whom it has not, as far as the reader may know."""
    newest = next((event for event in reversed(rows.events) if event.action == action and seen(rows, event)), None)
    return happened(rows, newest).proofs if newest else ()


def _completed(rows: CaseRows, event: Event) -> Text | None:
    """What was added to the ruling, or changed; None for every other act."""
    if event.action != ActionName.COMPLETE_RULING:
        return None
    filing = _filing(rows, event)
    if filing is not None:
        return t("Added the board") if filing.before is None else t("Changed the board")
    parts = next((s.parts or {} for s in rows.statements if str(s.id) in event.data.get("filed", {})), {})
    if REASONS in parts:
        return t("Added reasons")
    if AGREED in parts:
        return t("Added what the sides agree and disagree about")
    tables = {table for table, _ in event.data.get("filed", {}).values()}
    return t("Worked out the score") if AdjustmentRecord.__tablename__ in tables else None


def _filing(rows: CaseRows, event: Event) -> Filing | None:
    return next((each for each in rows.boards if str(each.id) in event.data.get("filed", {})), None)


def _changed(rows: CaseRows, event: Event) -> Text | str:
    """Which parts of the board were added or changed; what they were stands on the board's own page."""
    filing = _filing(rows, event) if event.action == ActionName.COMPLETE_RULING else None
    found = filing.changes(LANGUAGES[0]) if filing is not None else ()
    if not found:
        return ""
    added, changed = ([each.part for each in found if (each.old is None) is fresh] for fresh in (True, False))
    said = [t("Added: {parts}.", parts=added)] if added else []
    return sentences([*said, *([t("Changed: {parts}.", parts=changed)] if changed else [])])


def _whose(rows: CaseRows, event: Event) -> Text | str:
    """Whose time ran out."""
    action, party = ActionName(event.action), event.data.get("party")
    if action not in (ActionName.CLOSE_WINDOW, ActionName.END_DEMAND, ActionName.RUN_AGAIN) or party is None:
        return ""
    return t("It was the time of {party}.", party=rows.party_label(UUID(party)))


def _for_whom(rows: CaseRows, event: Event) -> Text | str:
    """For which side somebody else acted."""
    party = event.data.get("party")
    if event.action != ActionName.LODGE_APPEAL or event.part in (Part.PARTY, Part.APPELLANT) or party is None:
        return ""
    done, late = t("It was done for {party}.", party=rows.party_label(UUID(party))), _late(event)
    return t("{about} {said}", about=done, said=late) if late else done


def _moved(rows: CaseRows, event: Event) -> Text | str:
    """Whose time was moved, from when to when."""
    names = {party.id: rows.party_label(party.id) for party in rows.loaded.parties}
    if lines := moved_times.said(rows.loaded, event.data, event.at, names):
        return sentences(lines)
    was, to, party = (event.data.get(key) for key in ("was", "now", "party"))
    if event.action != ActionName.RECALCULATE or was is None or to is None:
        return ""
    ends = {"old": datetime.fromisoformat(was), "new": datetime.fromisoformat(to)}
    if party is None:
        return t("It is moved from {old} to {new}.", **ends)
    return t("For {party} it is moved from {old} to {new}.", party=rows.party_label(UUID(party)), **ends)


def _step(rows: CaseRows, event: Event) -> Text | str:
    """Which step of the hearing it was."""
    if event.action != ActionName.NOTE_STEP:
        return ""
    taken = {instant: step for panel in rows.loaded.panels for step, instant in panel.steps.items()}
    step = event.data.get("step") or taken.get(event.at.isoformat())
    return label(HearingStep(step)) if step else ""


def _attendance(rows: CaseRows, event: Event) -> Text | str:
    """Who came to the hearing, and who did not."""
    there, away = (
        [rows.party_label(UUID(party)) for party in event.data.get(key, ())] for key in ("present", "absent")
    )
    if there and away:
        return t("Present: {there}. Absent: {away}.", there=there, away=away)
    if there:
        return t("Present: {who}.", who=there)
    return t("Absent: {who}.", who=away) if away else ""


def _member(rows: CaseRows, event: Event) -> Text | str:
    """About whose conflict of interest it was, where another answered or decided."""
    if event.action not in (ActionName.DECLARE_CONFLICT, ActionName.DECIDE_CONFLICT):
        return ""
    seat = next((s for s in rows.loaded.seats if str(s.id) == event.data.get("subject")), None)
    if seat is None or seat.person_id == event.actor_id:
        return ""
    return t("It was about {name}.", name=rows.name(seat.person_id))


def _late(event: Event) -> Text | str:
    """Said only where it was recorded later than it happened."""
    stored = event.data.get("happened_at")
    if stored is None:
        return ""
    happened = datetime.fromisoformat(stored)
    return t("It happened {at}.", at=happened) if (event.at - happened).total_seconds() >= 60 else ""


def _remark(rows: CaseRows, event: Event) -> str:
    """The reason given: for some steps everybody or the side reads it, otherwise those who handle the case."""
    own = event.action in REASON_TO_OWN_SIDE and event.data.get("party") == str(rows.own_party)
    to_reader = own or not _OFFICIALS.isdisjoint(rows.parts) or event.action in REASON_TO_ALL
    for remark in rows.remarks:
        if (remark.action, remark.proceeding_id, remark.written_at) == (
            event.action,
            event.proceeding_id,
            event.at,
        ) and (remark.override or to_reader):
            return remark.text
    return ""


def _said(rows: CaseRows, event: Event) -> Text | str:
    """The first that there is to say about an act, and why it came late if the system stood still."""
    about, remark = _member(rows, event) or _moved(rows, event), _remark(rows, event)
    both = t("{about} {said}", about=about, said=remark) if about and remark else None
    said = (
        both
        or remark
        or about
        or _for_whom(rows, event)
        or _whose(rows, event)
        or _step(rows, event)
        or _attendance(rows, event)
        or _changed(rows, event)
        or _late(event)
    )
    delay = delay_words(event.data)
    return t("{what} {delay}", what=said, delay=delay) if said and delay else delay or said


def _told(rows: CaseRows, event: Event) -> list[Notice]:
    """The notices of an act that the reader may see: all, or his own side's."""
    sent = set(event.data.get("notices", ()))
    told = [
        notice
        for notice in rows.notices
        if str(notice.id) in sent
        or (
            notice.channel is Channel.SPOKEN
            and (notice.due_at, notice.proceeding_id) == (event.at, event.proceeding_id)
        )
    ]
    return [notice for notice in told if may_see_proof(rows, notice)]


def may_see_proof(rows: CaseRows, notice: Notice) -> bool:
    """Who is told and how is for those who run the case; a party sees its own side's."""
    if rows.may(Permission.READ_PROOF):
        return True
    return rows.own_party is not None and notice.party_id == rows.own_party


def proofs(rows: CaseRows, notices: Iterable[Notice]) -> tuple[Text, ...]:
    """One line for each way of being told: who, how, and what proves it. Those told alike share a line."""
    lines: dict[str, tuple[Callable[[list[str]], Text], list[str]]] = {}
    for notice in notices:
        words = _proof(rows, notice)
        names = lines.setdefault(repr(words([])), (words, []))[1]
        if (name := rows.name(notice.person_id)) not in names:
            names.append(name)
    return tuple(words(names) for words, names in lines.values())


def _proof(rows: CaseRows, notice: Notice) -> Callable[[list[str]], Text]:
    if notice.channel is Channel.SPOKEN and (told := notice.proven_at) is not None:
        by = rows.name(notice.proven_by) or label(Part.DIRECTOR)
        return lambda who: t("{who}: told in person {at}, recorded by {by}", who=who, at=told, by=by)
    if notice.channel is Channel.PHONE and (called := notice.proven_at) is not None:
        caller = rows.name(notice.proven_by) or label(Part.OFFICE)
        return lambda who: t("{who}: told by phone {at}, recorded by {by}", who=who, at=called, by=caller)
    if opened := _opened_at(rows, notice):
        return lambda who: t("{who}: opened the case {at}", who=who, at=opened)
    if notice.state is NoticeState.HANDED_OVER and (delivered := notice.handed_over_at) is not None:
        minute = whole_minute(delivered)
        return lambda who: t("{who}: mail delivered {at}, case not opened", who=who, at=minute)
    if notice.state is NoticeState.POSTED and (arrived := notice.proven_at) is not None:
        return lambda who: t("{who}: letter posted, counted as arrived {at}", who=who, at=arrived)
    return _unproven(rows, notice)


def _unproven(rows: CaseRows, notice: Notice) -> Callable[[list[str]], Text]:
    if stopped_because(notice) is OurReason.NOT_NEEDED:
        return lambda who: t("{who}: not sent, it was no longer needed", who=who)
    match waits_because(notice, rows.now):
        case Waits.HELD if (until := notice.held_until) is not None:
            return lambda who: t("{who}: held until {until}, not sent yet", who=who, until=until)
        case Waits.NOT_ENCRYPTED:
            return lambda who: t("{who}: the mail waits, the line to the mail server could not be encrypted", who=who)
        case Waits.NOT_TAKEN:
            return lambda who: t("{who}: the mail waits, the mail server does not take it yet", who=who)
    return _UNPROVEN[notice.state]


_UNPROVEN: Mapping[NoticeState, Callable[[list[str]], Text]] = {
    NoticeState.DUE: lambda who: t("{who}: mail on its way", who=who),
    NoticeState.HANDED_OVER: lambda who: t("{who}: mail delivered, case not opened", who=who),
    NoticeState.TO_BE_POSTED: lambda who: t("{who}: letter to be posted", who=who),
    NoticeState.POSTED: lambda who: t("{who}: letter posted", who=who),
    NoticeState.TOLD: lambda who: t("{who}: told in person", who=who),
    NoticeState.UNSURE: lambda who: t("{who}: mail may have arrived", who=who),
    NoticeState.BOUNCED: lambda who: t("{who}: mail did not arrive", who=who),
    NoticeState.FAILED: lambda who: t("{who}: mail could not be sent", who=who),
    NoticeState.CALLED_BACK: lambda who: t("{who}: stopped before it was sent", who=who),
    NoticeState.OVERTAKEN: lambda who: t("{who}: not sent, a newer notice took its place", who=who),
}


def _opened_at(rows: CaseRows, notice: Notice) -> datetime | None:
    """When the person opened the case, if that was after the notice."""
    link = rows.loaded.links.get((notice.person_id, notice.party_id))
    opened = notice.opened_at or (link.opened_at if link else None)
    return opened if opened is not None and opened >= notice.due_at else None
