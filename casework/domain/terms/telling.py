"""Who is told what, by which way, and how far it has come."""

from enum import StrEnum


class NoticeKind(StrEnum):
    """What somebody is told; each has its templates in `templates/mail/<kind>/`."""

    RULING = "ruling"
    RULING_POSTPONED = "ruling_postponed"
    RULING_ASKED = "ruling_asked"
    DIRECTOR_APPOINTED = "director_appointed"
    TO_RULE = "to_rule"
    SCORE_COUNTED = "score_counted"
    WINDOW_OPEN = "window_open"
    WINDOW_PROLONGED = "window_prolonged"
    WINDOW_MOVED = "window_moved"
    TIME_SUSPENDED = "time_suspended"
    TIME_RESUMED = "time_resumed"
    FINAL = "final"
    NO_LONGER_FINAL = "no_longer_final"
    APPEAL_RECEIVED = "appeal_received"
    APPEAL_TO_FORWARD = "appeal_to_forward"
    CONCURRENCE_ASKED = "concurrence_asked"
    CONCURRED = "concurred"
    APPELLANT_WARNED = "appellant_warned"
    APPEAL_WITHDRAWN = "appeal_withdrawn"
    APPEAL_FORWARDED = "appeal_forwarded"
    DEADLINE_PASSED = "deadline_passed"
    TASK_DUE = "task_due"
    SEATED = "seated"
    PANEL_CHANGED = "panel_changed"
    NEW_CHAIR = "new_chair"
    PANEL_LEFT = "panel_left"
    SEAT_TO_FILL = "seat_to_fill"
    SUMMONS = "summons"
    HEARING_REMINDER = "hearing_reminder"
    CONFLICT_REMINDER = "conflict_reminder"
    DECISION = "decision"
    REPORT_FILED = "report_filed"
    STATEMENT_DEMANDED = "statement_demanded"
    STATEMENT_RECEIVED = "statement_received"
    STATEMENT_REMINDER = "statement_reminder"
    STATEMENTS_OPEN = "statements_open"
    MATERIAL_ADDED = "material_added"
    LEFT_OUT = "left_out"
    SENT_IN = "sent_in"
    REGISTERED = "registered"
    TO_BE_TOLD = "to_be_told"
    PUBLICATION_MISSING = "publication_missing"
    LINK = "link"


class Audience(StrEnum):
    """To whom a notice goes: turned into persons by `workflow.audience`."""

    PARTIES = "parties"
    STARTED_PARTIES = "started_parties"
    PARTIES_OUT_OF_TIME = "parties_out_of_time"
    APPELLANTS = "appellants"
    ACTOR_PARTY = "actor_party"
    PARTNERS = "partners"
    DIRECTOR = "director"
    NAMED = "named"
    ORGANISERS = "organisers"
    OFFICE = "office"
    PANEL = "panel"
    NEW_CHAIR = "new_chair"
    STAYING = "staying"
    ATTENDING = "attending"
    SEATED_NOW = "seated_now"
    LEAVING = "leaving"
    COMPOSER = "composer"
    CALLED = "called"
    LAW_COMMISSION = "law_commission"
    OTHER_PARTIES = "other_parties"


class Channel(StrEnum):
    """How a person is told."""

    MAIL = "mail"
    LETTER = "letter"
    SPOKEN = "spoken"
    PHONE = "phone"


class NoticeState(StrEnum):
    """How far a notice has come; `PROVEN` states are the ones that start a window."""

    DUE = "due"
    HANDED_OVER = "handed_over"
    TO_BE_POSTED = "to_be_posted"
    POSTED = "posted"
    TOLD = "told"
    UNSURE = "unsure"
    BOUNCED = "bounced"
    FAILED = "failed"
    CALLED_BACK = "called_back"
    OVERTAKEN = "overtaken"
    """Not sent: before it went, a newer notice took its place."""


class JobState(StrEnum):
    """The life of an outbox row; one that was called back is over, another may have taken its place."""

    DUE = "due"
    CLAIMED = "claimed"
    SENDING = "sending"
    DONE = "done"
    UNSURE = "unsure"
    BOUNCED = "bounced"
    FAILED = "failed"
    CALLED_BACK = "called_back"


class CalendarStatus(StrEnum):
    """How sure an entry in a calendar is, in the words of RFC 5545 and in the order that a hearing comes to them."""

    CONFIRMED = "CONFIRMED"
    TENTATIVE = "TENTATIVE"
    CANCELLED = "CANCELLED"


class LinkPurpose(StrEnum):
    """What a mail link opens."""

    PARTY = "party"
    SEAT = "seat"
