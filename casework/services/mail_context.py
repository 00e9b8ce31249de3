"""What the words of a notice may speak of, as sentences in the recipient's language.

Nothing here is an address or a telephone number of anybody else: a notice tells one person what he may know (S-MAIL3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from casework.adapters.mail import code_mark, link_mark
from casework.domain.calendar import Span, Unit
from casework.domain.labels import label, time_for
from casework.domain.minutes import has_run
from casework.domain.models import Deadline, Decision, Link, Notice
from casework.domain.terms import (
    UNANSWERED,
    ActionName,
    AppealRoute,
    Body,
    Channel,
    ConflictState,
    DeadlineKind,
    DemandEnd,
    Form,
    NoticeKind,
    NoticeState,
    ProceedingKind,
    SeatRole,
)
from casework.services import link_codes
from casework.services.appeal_rights import WITH_RIGHTS, AppealRights, NoAppealRights, appeal_rights, exact_time
from casework.services.clockwork import delay_words
from casework.services.late_mails import since
from casework.services.links import mark_of
from casework.services.loading import load
from casework.services.mail_appeal import appeal_words, concurrence_words, word_is_asked
from casework.services.mail_calendar import calendar_of
from casework.services.mail_decision import board_changes, decision_words
from casework.services.mail_rows import Rows
from casework.services.mail_times import OF_TIMES, times_of, times_told
from casework.services.notifying import SHUT_OUT
from casework.services.reminder_choice import stop_url
from casework.services.times_ahead import started_by, why
from casework.settings import get_settings
from casework.text import Quoted, Text, sentences, t

Context = Mapping[str, Any]

_IDLE = t("You need not do anything now.")
_WORD_IS_ASKED = t("The appeal still needs your word: say whether you concur.")
_OF_DEMAND = frozenset({NoticeKind.STATEMENT_DEMANDED, NoticeKind.STATEMENT_REMINDER, NoticeKind.STATEMENTS_OPEN,
                        NoticeKind.MATERIAL_ADDED})  # fmt: skip
_OF_HEARING = frozenset({NoticeKind.SUMMONS, NoticeKind.HEARING_REMINDER, NoticeKind.PANEL_CHANGED,
                         NoticeKind.NEW_CHAIR})  # fmt: skip
"""Say when and where the hearing is."""


def context_of(session: Session, notice: Notice, now: datetime, *, paper: bool = False) -> Context:
    """Everything that the templates of a notice may use; what is sent already says what it said then.

    Raises:
        NoAppealRights: a party is told of a decision, and how to appeal it is not known.
    """
    sent_at = now if notice.state is NoticeState.DUE else notice.handed_over_at or notice.proven_at or now
    rows = Rows(session, notice, load(session, notice.proceeding_id), sent_at, paper)
    started = started_by(rows.loaded, notice, sent_at) if notice.channel is Channel.MAIL else []
    running = {row.id: row for row in started}
    rows.loaded.deadlines = [running.get(row.id, row) for row in rows.loaded.deadlines]
    rows.name(notice.person_id)
    rows.name(rows.loaded.proceeding.director_id)
    rights = _rights(rows)
    settings = get_settings()
    moved_on = since(rows)
    return {
        "since": rows.say(moved_on) if moved_on else "",
        "federation_name": settings.federation_name,
        "case_number": rows.loaded.case.number,
        "rights": rights,
        "deadline": _deadline(rows, rights),
        "calendar": calendar_of(rows, _announced(rows, rights)),
        "started": started,
        "help": {"who": t("The federation's office"), "phone": settings.help_phone, "mail": settings.help_mail},
        "stop_url": stop_url(notice),
        "privacy_url": f"{settings.public_base_url.rstrip('/')}/om-uppgifter",
        **_where(rows),
        **_ways_in(rows),
        **_who(rows),
        **_what(rows),
    }


def _rights(rows: Rows) -> AppealRights | None:
    if rows.notice.kind not in WITH_RIGHTS and not _of_own_window(rows):
        return None
    if rows.notice.party_id is None:
        raise NoAppealRights
    return appeal_rights(rows.loaded, rows.notice.party_id, rows.sent_at, paper=rows.paper)


def _of_own_window(rows: Rows) -> bool:
    """Whether a notice of times that stand still or go on tells a party of its time to appeal (R32)."""
    return rows.notice.party_id is not None and any(row.kind is DeadlineKind.APPEAL_WINDOW for row in times_of(rows))


def _where(rows: Rows) -> Context:
    """Where it happened: `place` in one line, `about` for a sentence, `matter` with the parties."""
    tournament, incident, playing = rows.loaded.tournament, rows.loaded.incident, rows.loaded.playing_session
    table = rows.say(t("table {table}", table=incident.table)) if incident.table else ""
    board = rows.say(t("board {number}", number=incident.board)) if incident.board else ""
    place = ", ".join(part for part in (tournament.name, playing.name, table, board) if part)
    parties = [
        f"{rows.party(party.id)}: {rows.join(rows.name(m.person_id) for m in rows.loaded.party_of_member[party.id])}"
        for party in rows.loaded.parties
    ]
    return {
        "place": place,
        "about": board or playing.name,
        "session_name": playing.name,
        "matter": "\n".join([place, *(line[:1].upper() + line[1:] for line in parties)]),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A person's way into the case: his own link, as it is kept, or the page that he signs in to.

    `code` is what a browser that is new to the link is asked for; empty where none is.
    """

    name: str
    url: str
    link: Link | None
    code: str

    @property
    def until(self) -> datetime | None:
        """When the link runs out."""
        return self.link.expires_at if self.link else None


def _ways_in(rows: Rows) -> Context:
    """The recipient's way in; two persons of a side with one address have each his own."""
    told = () if rows.notice.kind in SHUT_OUT else (rows.notice, *rows.carried)
    ways = [_way(rows, notice) for notice in told]
    return {"ways": ways, "link_until": ways[0].until if ways else None}


def _way(rows: Rows, notice: Notice) -> Way:
    base = get_settings().public_base_url.rstrip("/")
    link = rows.session.get_one(Link, notice.link_id) if notice.link_id else None
    return Way(
        name=rows.name(notice.person_id),
        url=f"{base}/l/{link_mark(mark_of(link, rows.notice.id))}" if link else f"{base}/arenden/{notice.case_id}",
        link=link,
        code=code_mark(mark_of(link, rows.notice.id)) if link and link_codes.asked_for() else "",
    )


def _who(rows: Rows) -> Context:
    notice, loaded = rows.notice, rows.loaded
    seat = next((s for s in rows.seats if s.person_id == notice.person_id), None)
    return {
        "name": rows.join(rows.name(n.person_id) for n in (notice, *rows.carried)),
        "party": rows.party(notice.party_id),
        "single": loaded.tournament.form is Form.INDIVIDUAL,
        "captain": any(m.captain and m.person_id == notice.person_id for m in loaded.members),
        "director": rows.name(loaded.proceeding.director_id),
        "is_director": rows.is_director,
        "seat_role": rows.say(label(seat.role)) if seat else "",
        "unanswered": seat is not None and seat.deciding and seat.conflict in UNANSWERED,
        "recused": seat is not None and seat.conflict is ConflictState.RECUSED,
        "hearing": rows.hearing_ahead.hearing_at if rows.hearing_ahead else None,
        "attends_only": seat is not None and seat.role is SeatRole.ATTENDEE,
        "panel": rows.panel_words(),
        "left_by": rows.left_by,
        "too_few": rows.too_few,
        "called_before": notice.kind is NoticeKind.SUMMONS and rows.told_before,
    }


def _passed(rows: Rows, deadline: Deadline) -> Context:
    """`appellant`: whose appeal it is about, where each has a time of its own."""
    appeal = next((a for a in rows.loaded.appeals if a.id == deadline.appeal_id), None)
    return {
        "kind": deadline.kind.value,
        "at": deadline.instant,
        "again": rows.again,
        "appellant": rows.party(appeal.party_id) if appeal else "",
    }


def _what(rows: Rows) -> Context:
    notice, loaded = rows.notice, rows.loaded
    decision = rows.session.get_one(Decision, notice.decision_id) if notice.decision_id else loaded.decision()
    passed = rows.passed_deadline
    trying = rows.trying
    return {
        "decision": decision_words(rows, decision),
        "is_ruling": loaded.proceeding.kind is ProceedingKind.RULING,
        "decided": rows.say(_decided(loaded.proceeding.kind)),
        "appealed": rows.say(_decided(rows.appealed.kind)),
        "body": rows.say(label(trying.body)),
        "to_law_commission": trying.body is Body.LAW_COMMISSION,
        "on_site": trying.body is Body.JURY and loaded.tournament.appeal_route is AppealRoute.JURY_ON_SITE,
        "appeal": appeal_words(rows),
        "idle": rows.say(_WORD_IS_ASKED if word_is_asked(rows) else _IDLE),
        "own_appeal_in_time": rows.own_appeal_in_time,
        "corrected": rows.cause is not None and "instead_of" in rows.cause.data,
        "told_final": rows.told_final,
        "withdrawn_by": rows.withdrawn_by,
        "final_with_it": notice.kind is NoticeKind.APPEAL_WITHDRAWN and rows.final_with_withdrawal,
        "told_in_person": rows.told_in_person,
        "running": rows.running_words(),
        "concurrence": concurrence_words(rows),
        "demand": rows.demand_words(),
        "statement": rows.statement_words(),
        "board_changes": board_changes(rows) if notice.kind is NoticeKind.MATERIAL_ADDED else "",
        "filed_at": rows.cause.at if rows.cause else None,
        **times_told(rows),
        "task": {"kind": passed.kind.value} if passed else None,
        "passed": _passed(rows, passed) if passed else None,
        "day_off": rows.cause is not None and rows.cause.action == ActionName.RECALCULATE,
        "delay": rows.say(delay) if (delay := delay_words(rows.cause.data if rows.cause else {})) else "",
        "waits_for": rows.quoted(loaded.proceeding.waits_for),
        "taken_up_because": rows.quoted(trying.taken_up_because),
        "jurisdiction": rows.quoted(loaded.proceeding.jurisdiction),
    }


def _decided(kind: ProceedingKind) -> Text:
    return t("the ruling") if kind is ProceedingKind.RULING else t("the decision")


def _deadline(rows: Rows, rights: AppealRights | None) -> Context | None:
    """The last moment that this recipient must know of: the same instant and explanation as everywhere.

    Where it has passed (a late mail, or a score that leaves a party no time) `over` says so, for its words.
    """
    announced = _announced(rows, rights)
    if announced is not None:
        over = has_run(announced.instant, rows.sent_at)
        ran_out = t("The time ran out") if rights is None else t("The time to appeal ran out")
        words = {"label": ran_out} if over else {}
        because = rows.quoted(announced.prolonged_because) if rights is not None else ""
        return _shown(rows, announced) | words | {"because": because, "over": over}
    panel = rows.panel if rows.notice.kind is NoticeKind.SUMMONS else rows.hearing_ahead
    if panel is None or rows.notice.kind not in _OF_HEARING:
        return None
    place = Quoted(panel.hearing_place, apart=False)
    over = has_run(panel.hearing_at, rows.sent_at)
    begins = t("The hearing was to begin") if over else t("The hearing begins")
    return {"label": begins, "instant": panel.hearing_at, "explanation": place, "over": over}


def _announced(rows: Rows, rights: AppealRights | None) -> Deadline | None:
    """The deadline that the notice tells of. Raises LookupError where it must be there and is not."""
    kind = rows.notice.kind
    if rights is not None:
        return rights.window
    if kind in OF_TIMES and rows.notice.party_id is not None:
        return next(iter(times_of(rows)), None)
    if kind is NoticeKind.TASK_DUE:
        found = rows.passed_deadline
    elif kind is NoticeKind.APPEAL_TO_FORWARD:
        return rows.forwarding
    elif kind in _OF_DEMAND and rows.demand:
        if rows.notice.state is NoticeState.DUE and rows.demand.ended not in (None, DemandEnd.SILENT):
            return None  # what is answered, or not asked any more, has no last day
        found = rows.demand_deadline
    else:
        return None
    if found is None:
        raise LookupError("a notice about a deadline that does not exist")
    return found


def _shown(rows: Rows, row: Deadline) -> dict[str, Any]:
    """Until it runs there is only its length and from when; the exact time then stands on the page, for all alike."""
    if row.instant is not None:
        return {"label": label(row.kind), "instant": row.instant, "explanation": row.explanation}
    if row.halted_at is not None:
        return {"label": time_for(row.kind), "instant": None, "span": t("The time stands still"),
                "explanation": row.explanation}  # fmt: skip
    return {
        "label": t("How long you have"),
        "instant": None,
        "span": Span(row.span_value, Unit(row.span_unit)).words,
        "explanation": sentences((why(rows.loaded, row, mine=True), exact_time(paper=rows.paper))),
    }
