"""What people call the closed lists of `terms`: one label for each member, the same everywhere."""

from collections.abc import Mapping
from enum import StrEnum

from casework.domain.delivery import OurReason, SmtpPhase
from casework.domain.terms import (
    AppealOutcome,
    AppealRoute,
    Body,
    Channel,
    ConflictState,
    ConsequenceKind,
    ConsequenceState,
    DeadlineKind,
    DemandEnd,
    FilingChannel,
    Form,
    HearingStep,
    NoticeKind,
    NoticeState,
    Part,
    Position,
    Role,
    RulingOutcome,
    SeatRole,
    Side,
    StatementKind,
)
from casework.text import Text, t

_WORDS: tuple[tuple[StrEnum, Text], ...] = (
    (Role.DIRECTOR, t("tournament director")),
    (Role.CHIEF_DIRECTOR, t("chief tournament director")),
    (Role.ASSISTANT_DIRECTOR, t("assistant director")),
    (Role.ORGANISER, t("organiser")),
    (Role.JURY_MEMBER, t("jury member")),
    (Role.LK_MEMBER, t("member of the Law Commission")),
    (Role.LK_RESERVE, t("reserve of the Law Commission")),
    (Role.LK_CHAIR, t("chair of the Law Commission")),
    (Role.BOARD_MEMBER, t("member of the Disciplinary Board")),
    (Role.OFFICE, t("federation office")),
    (Part.DIRECTOR, t("director")),
    (Part.CHIEF_DIRECTOR, t("chief director")),
    (Part.ORGANISER, t("organiser")),
    (Part.OFFICE, t("federation office")),
    (Part.PARTY, t("party")),
    (Part.APPELLANT, t("appellant")),
    (Part.PANEL, t("panel member")),
    (Part.CHAIR, t("chair")),
    (Part.SEATED, t("panel member")),
    (Part.ATTENDS, t("member of the Law Commission")),
    (Part.LK_CHAIR, t("chair of the Law Commission")),
    (Part.SYSTEM, t("the system")),
    (Body.DIRECTOR, t("the director")),
    (Body.JURY, t("the jury")),
    (Body.LAW_COMMISSION, t("the Law Commission")),
    (AppealRoute.JURY_ON_SITE, t("a jury on site")),
    (AppealRoute.JURY_LATER, t("a jury that meets later")),
    (AppealRoute.LAW_COMMISSION, t("the Law Commission")),
    (Form.PAIRS, t("pairs")),
    (Form.TEAMS, t("teams")),
    (Form.INDIVIDUAL, t("individual")),
    (Side.NORTH_SOUTH, t("North–South")),
    (Side.EAST_WEST, t("East–West")),
    (RulingOutcome.RESULT_STANDS, t("The table result stands")),
    (RulingOutcome.ASSIGNED, t("Assigned score")),
    (RulingOutcome.WEIGHTED, t("Weighted score")),
    (RulingOutcome.SPLIT, t("Split score")),
    (RulingOutcome.ARTIFICIAL, t("Artificial score")),
    (RulingOutcome.PENALTY, t("Penalty")),
    (RulingOutcome.OTHER, t("Other ruling")),
    (AppealOutcome.GRANTED, t("Granted")),
    (AppealOutcome.PARTLY, t("Partly granted")),
    (AppealOutcome.REJECTED, t("Rejected")),
    (AppealOutcome.DISMISSED, t("Dismissed without trial")),
    (AppealOutcome.WRITTEN_OFF, t("Written off")),
    (Position.CONFIRM, t("Confirm the decision")),
    (Position.CHANGE, t("Change the decision")),
    (Position.DISMISS, t("Do not try the appeal")),
    (SeatRole.CHAIR, t("chair")),
    (SeatRole.MEMBER, t("member")),
    (SeatRole.RESERVE, t("reserve")),
    (SeatRole.ATTENDEE, t("attends without a vote")),
    (ConflictState.UNDECLARED, t("Not answered")),
    (ConflictState.NONE, t("No conflict")),
    (ConflictState.SUGGESTED, t("Possible conflict")),
    (ConflictState.DECLARED, t("To be decided")),
    (ConflictState.RECUSED, t("Recused")),
    (ConflictState.REPLACED, t("Replaced")),
    (DeadlineKind.APPEAL_WINDOW, t("Last time to appeal")),
    (DeadlineKind.FORWARD_APPEAL, t("The appeal is to be forwarded by")),
    (DeadlineKind.REPORT, t("Report and questions to the parties are due")),
    (DeadlineKind.STATEMENT, t("Last day for a statement")),
    (DeadlineKind.ANSWER, t("Last day to answer the others")),
    (DeadlineKind.SEND_IN, t("The papers are to be sent in by")),
    (DeadlineKind.DECISION, t("The body aims to decide by")),
    (DemandEnd.ANSWERED, t("Answered")),
    (DemandEnd.DECLINED, t("Nothing to add")),
    (DemandEnd.SILENT, t("No answer in time")),
    (DemandEnd.RENEWED, t("Asked again")),
    (DemandEnd.VOID, t("Need not be answered")),
    (FilingChannel.LINK, t("through the link")),
    (FilingChannel.TABLE, t("at the table")),
    (FilingChannel.PAPER, t("on paper")),
    (FilingChannel.PHONE, t("by phone")),
    (FilingChannel.ACCOUNT, t("signed in")),
    (StatementKind.REQUEST, t("Request for a ruling")),
    (StatementKind.REPORT, t("The director's report")),
    (StatementKind.STATEMENT, t("Statement")),
    (StatementKind.ANSWER, t("Answer to the others")),
    (StatementKind.LATE, t("Later statement")),
    (StatementKind.ADDITION, t("Addition to the ruling")),
    (HearingStep.CHAIR_EXPLAINS, t("The chair presents the jury and explains the order")),
    (HearingStep.DIRECTOR_PRESENTS, t("The director presents the case and his reasons")),
    (HearingStep.FACTS_SETTLED, t("Questions are answered and the facts are settled")),
    (HearingStep.APPELLANTS_HEARD, t("The appealing side is heard")),
    (HearingStep.RESPONDENTS_HEARD, t("The other side is heard")),
    (HearingStep.ROOM_CLEARED, t("Director and players leave the room")),
    (NoticeState.DUE, t("On its way")),
    (NoticeState.HANDED_OVER, t("Delivered")),
    (NoticeState.TO_BE_POSTED, t("To be posted")),
    (NoticeState.POSTED, t("Posted")),
    (NoticeState.TOLD, t("Told in person")),
    (NoticeState.UNSURE, t("May have arrived")),
    (NoticeState.BOUNCED, t("Did not arrive")),
    (NoticeState.FAILED, t("Not sent")),
    (NoticeState.CALLED_BACK, t("Stopped before it was sent")),
    (NoticeState.OVERTAKEN, t("Replaced")),
    (Channel.MAIL, t("by mail")),
    (Channel.LETTER, t("by letter")),
    (Channel.SPOKEN, t("in person")),
    (Channel.PHONE, t("by phone")),
    (SmtpPhase.WORDS, t("when it was written")),
    (SmtpPhase.ADDRESS, t("before it was sent: the address cannot be mailed")),
    (SmtpPhase.CONNECT, t("when the mail server was called")),
    (SmtpPhase.TLS, t("when the line to the mail server was to be encrypted")),
    (SmtpPhase.LOGIN, t("when signing in to the mail server")),
    (SmtpPhase.SENDER, t("when the sender was named")),
    (SmtpPhase.RECIPIENT, t("when the recipient was named")),
    (SmtpPhase.DATA, t("before the text was sent")),
    (SmtpPhase.FINAL_DOT, t("after the whole mail was sent")),
    (SmtpPhase.ACCEPTED, t("when the mail server took it")),
    (SmtpPhase.RETURNED, t("when it came back")),
    (NoticeKind.RULING, t("The ruling")),
    (NoticeKind.RULING_POSTPONED, t("The ruling waits")),
    (NoticeKind.RULING_ASKED, t("A ruling is asked for")),
    (NoticeKind.DIRECTOR_APPOINTED, t("A director is appointed")),
    (NoticeKind.TO_RULE, t("Asked to give the ruling")),
    (NoticeKind.SCORE_COUNTED, t("The points of the ruling")),
    (NoticeKind.WINDOW_OPEN, t("The appeal came in time")),
    (NoticeKind.WINDOW_PROLONGED, t("More time to appeal")),
    (NoticeKind.WINDOW_MOVED, t("Another last time to appeal")),
    (NoticeKind.TIME_SUSPENDED, t("A time stands still")),
    (NoticeKind.TIME_RESUMED, t("A time goes on again")),
    (NoticeKind.FINAL, t("The ruling is final")),
    (NoticeKind.NO_LONGER_FINAL, t("The ruling is no longer final")),
    (NoticeKind.APPEAL_RECEIVED, t("The appeal has come in")),
    (NoticeKind.APPEAL_TO_FORWARD, t("An appeal to forward")),
    (NoticeKind.CONCURRENCE_ASKED, t("Asked whether to concur")),
    (NoticeKind.CONCURRED, t("The concurrence is recorded")),
    (NoticeKind.APPELLANT_WARNED, t("The grounds look insufficient")),
    (NoticeKind.APPEAL_WITHDRAWN, t("An appeal is withdrawn")),
    (NoticeKind.APPEAL_FORWARDED, t("The appeal is forwarded")),
    (NoticeKind.DEADLINE_PASSED, t("A time has run out")),
    (NoticeKind.TASK_DUE, t("A task that waits")),
    (NoticeKind.SEATED, t("A seat in the body")),
    (NoticeKind.PANEL_CHANGED, t("Other members")),
    (NoticeKind.NEW_CHAIR, t("Chair of the body")),
    (NoticeKind.PANEL_LEFT, t("No longer a seat in the body")),
    (NoticeKind.SEAT_TO_FILL, t("A seat to fill")),
    (NoticeKind.SUMMONS, t("The call to the hearing")),
    (NoticeKind.HEARING_REMINDER, t("A reminder of the hearing")),
    (NoticeKind.CONFLICT_REMINDER, t("A reminder of the question of a conflict of interest")),
    (NoticeKind.DECISION, t("The decision")),
    (NoticeKind.REPORT_FILED, t("The director's report is filed")),
    (NoticeKind.STATEMENT_DEMANDED, t("Asked for a statement")),
    (NoticeKind.STATEMENT_RECEIVED, t("The answer has come in")),
    (NoticeKind.STATEMENT_REMINDER, t("A reminder of the statement")),
    (NoticeKind.STATEMENTS_OPEN, t("The others' statements")),
    (NoticeKind.MATERIAL_ADDED, t("Something new in the case")),
    (NoticeKind.LEFT_OUT, t("Something is left out of account")),
    (NoticeKind.SENT_IN, t("The papers are sent in")),
    (NoticeKind.REGISTERED, t("The Law Commission takes up the case")),
    (NoticeKind.TO_BE_TOLD, t("Asked to tell the parties the decision")),
    (NoticeKind.PUBLICATION_MISSING, t("Asked when the score was available")),
    (NoticeKind.LINK, t("The link to the case")),
    (OurReason.NO_ANSWER, t("The mail server did not answer.")),
    (OurReason.NO_SERVER, t("There is no mail server in the settings.")),
    (OurReason.NOT_OFFERED, t("The mail server does not offer what the settings demand.")),
    (OurReason.NOT_SAFE, t("The line to the mail server was not safe.")),
    (OurReason.LETTERS, t("The mail server does not take an address with these letters.")),
    (OurReason.TOO_LARGE, t("The mail is larger than the mail server takes.")),
    (
        OurReason.NOT_WRITTEN,
        t(
            "The mail could not be made: its words do not fit what has happened in the case since. Tell the person in "
            "another way, and tell those who look after the system."
        ),
    ),
    (OurReason.NO_ADDRESS, t("The address cannot be mailed.")),
    (OurReason.WORKER_DIED, t("The sending was interrupted before the mail server had answered.")),
    (OurReason.GAVE_UP, t("The sending was given up after several tries.")),
    (OurReason.WRONG_CLOCK, t("Stopped: it was written while the clock was wrong")),
    (OurReason.NOT_NEEDED, t("Not sent: it was no longer needed")),
    (ConsequenceKind.SCORE_ADJUSTMENT, t("Score on the board")),
    (ConsequenceKind.PROCEDURAL_PENALTY, t("Procedural penalty")),
    (ConsequenceKind.TITLES_HELD, t("Titles and master points")),
    (ConsequenceKind.PRIZES_MAY_BE_PAID, t("Prizes")),
    (ConsequenceKind.CORRECTED_REPORT, t("Corrected result report")),
    (ConsequenceKind.WITHOUT_MERIT, t("Appeal without merit")),
    (ConsequenceKind.REFERRAL, t("Referral")),
    (ConsequenceState.HELD, t("Held")),
    (ConsequenceState.ALLOWED, t("Allowed")),
    (ConsequenceState.DONE, t("Done")),
    (ConsequenceState.RELEASED, t("Released")),
    (ConsequenceState.PENDING, t("To be done")),
    (ConsequenceState.REPLACED, t("Replaced")),
    (ConsequenceState.UNREGULATED, t("Not regulated")),
)

LABELS: Mapping[tuple[type[StrEnum], StrEnum], Text] = {(type(term), term): words for term, words in _WORDS}
"""By list and member: members of two lists with the same value are equal as text."""


_TIMES = {
    DeadlineKind.APPEAL_WINDOW: (t("Time to appeal"), t("The side’s time to appeal")),
    DeadlineKind.STATEMENT: (t("Time for a statement"), t("The side’s time for a statement")),
    DeadlineKind.ANSWER: (t("Time to answer the others' statements"), t("The side’s time to answer the others")),
}


def label(term: StrEnum) -> Text:
    """The label of a member of a closed list."""
    return LABELS[type(term), term]


def time_for(kind: DeadlineKind) -> Text:
    """What a party's time is for, where no last moment can be said; of another deadline its label."""
    return _TIMES[kind][0] if kind in _TIMES else label(kind)


def sides_time(kind: DeadlineKind) -> Text:
    """The same of a party's time as the subject of a sentence."""
    return _TIMES[kind][1]


def contestant(form: Form, number: int, name: str = "") -> Text:
    """What a contestant is called: "pair 7", a team by its name, "player 12"."""
    match form:
        case Form.PAIRS:
            return t("pair {number}", number=number)
        case Form.TEAMS:
            return t("{name}", name=name) if name else t("team {number}", number=number)
        case Form.INDIVIDUAL:
            return t("player {number}", number=number)


def size_words(size: int) -> Text:
    """A file's size for people, in whole kB or MB."""
    if size < 1_000_000:
        return t("{number} kB", number=max(1, round(size / 1000)))
    return t("{number} MB", number=round(size / 1_000_000))
