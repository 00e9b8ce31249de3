"""The words of the model as closed lists, named as in the glossary. Labels for people stand in `labels.py`."""

from enum import StrEnum


class Role(StrEnum):
    """What a person is trusted with, in the federation or at one tournament."""

    DIRECTOR = "director"
    CHIEF_DIRECTOR = "chief_director"
    ASSISTANT_DIRECTOR = "assistant_director"
    ORGANISER = "organiser"
    JURY_MEMBER = "jury_member"
    LK_MEMBER = "lk_member"
    LK_RESERVE = "lk_reserve"
    LK_CHAIR = "lk_chair"
    BOARD_MEMBER = "board_member"
    OFFICE = "office"


class Part(StrEnum):
    """In which capacity somebody acts in one case; the workflow's tables name parts, never roles."""

    DIRECTOR = "director"
    CHIEF_DIRECTOR = "chief_director"
    ORGANISER = "organiser"
    OFFICE = "office"
    PARTY = "party"
    APPELLANT = "appellant"
    PANEL = "panel"
    CHAIR = "chair"
    SEATED = "seated"
    ATTENDS = "attends"
    LK_CHAIR = "lk_chair"
    SYSTEM = "system"


class Body(StrEnum):
    """Who decides in a proceeding."""

    DIRECTOR = "director"
    JURY = "jury"
    LAW_COMMISSION = "law_commission"


class AppealRoute(StrEnum):
    """Which body an event's appeals go to first."""

    JURY_ON_SITE = "jury_on_site"
    JURY_LATER = "jury_later"
    LAW_COMMISSION = "law_commission"


class Form(StrEnum):
    """What a contestant is: it changes who must concur in an appeal."""

    PAIRS = "pairs"
    TEAMS = "teams"
    INDIVIDUAL = "individual"


class Side(StrEnum):
    """The side at the table."""

    NORTH_SOUTH = "north_south"
    EAST_WEST = "east_west"


class CaseKind(StrEnum):
    """What question a case settles."""

    RULING = "ruling"


class ProceedingKind(StrEnum):
    """Which procedure a proceeding follows: each has its table in `workflow`."""

    RULING = "ruling"
    APPEAL = "appeal"


class State(StrEnum):
    """The states of all procedures; which belong to which is said by the tables."""

    REQUESTED = "requested"
    OPEN = "open"
    POSTPONED = "postponed"
    GIVEN = "given"
    APPEALED = "appealed"
    TRIED = "tried"
    FINAL = "final"
    LODGED = "lodged"
    COMPOSING = "composing"
    CALLED = "called"
    HEARING = "hearing"
    DELIBERATING = "deliberating"
    DECIDED = "decided"
    PREPARING = "preparing"
    ANSWERING = "answering"
    COMPLETE = "complete"
    SENT_IN = "sent_in"
    REGISTERED = "registered"
    WRITTEN_OFF = "written_off"


class ActionName(StrEnum):
    """Everything a person or the system can do in a case. The services have a verb of the same name."""

    OPEN_CASE = "open_case"
    APPOINT_DIRECTOR = "appoint_director"
    HAND_OVER_RULING = "hand_over_ruling"
    POSTPONE_RULING = "postpone_ruling"
    GIVE_RULING = "give_ruling"
    COMPLETE_RULING = "complete_ruling"
    SEND_TO_JURY = "send_to_jury"
    RECORD_TELLING = "record_telling"
    RECORD_PROOF = "record_proof"
    RECORD_RETURN = "record_return"
    CALL_BACK = "call_back"
    SEND_NOW = "send_now"
    RECORD_PUBLICATION = "record_publication"
    CORRECT_TIME = "correct_time"
    RECALCULATE = "recalculate"
    PROLONG_WINDOW = "prolong_window"
    CLOSE_WINDOW = "close_window"
    LODGE_APPEAL = "lodge_appeal"
    REOPEN = "reopen"
    RESUME = "resume"
    FINALISE = "finalise"
    BE_TRIED = "be_tried"
    PASS_DEADLINE = "pass_deadline"  # noqa: S105  # a step, no password
    TAKE_UP = "take_up"
    CONCUR = "concur"
    DEEM_CONCURRENCE = "deem_concurrence"
    WARN_APPELLANT = "warn_appellant"
    WITHDRAW_APPEAL = "withdraw_appeal"
    FORWARD_APPEAL = "forward_appeal"
    FORWARD_IN_PLACE = "forward_in_place"
    COMPOSE_PANEL = "compose_panel"
    DECLARE_CONFLICT = "declare_conflict"
    DECIDE_CONFLICT = "decide_conflict"
    CALL_HEARING = "call_hearing"
    OPEN_HEARING = "open_hearing"
    NOTE_ATTENDANCE = "note_attendance"
    NOTE_STEP = "note_step"
    CLOSE_HEARING = "close_hearing"
    WRITE_NOTE = "write_note"
    COUNT_SCORE = "count_score"
    CAST_VOTE = "cast_vote"
    CLOSE_BALLOT = "close_ballot"
    RECORD_ROOM_VOTE = "record_room_vote"
    VOTE_AGAIN = "vote_again"
    DECIDE_APPEAL = "decide_appeal"
    FILE_REPORT = "file_report"
    REPORT_IN_PLACE = "report_in_place"
    DEMAND_STATEMENTS = "demand_statements"
    DEMAND_IN_PLACE = "demand_in_place"
    FILE_STATEMENT = "file_statement"
    DECLINE_STATEMENT = "decline_statement"
    ENTER_STATEMENT = "enter_statement"
    REMIND = "remind"
    ESCALATE = "escalate"
    END_DEMAND = "end_demand"
    LEAVE_OUT = "leave_out"
    OPEN_STATEMENTS = "open_statements"
    FINISH_ANSWERS = "finish_answers"
    SEND_IN = "send_in"
    SEND_IN_IN_PLACE = "send_in_in_place"
    REGISTER_CASE = "register_case"
    BEGIN_DELIBERATION = "begin_deliberation"


class DeadlineKind(StrEnum):
    """What a deadline is for."""

    APPEAL_WINDOW = "appeal_window"
    FORWARD_APPEAL = "forward_appeal"
    REPORT = "report"
    STATEMENT = "statement"
    ANSWER = "answer"
    SEND_IN = "send_in"
    DECISION = "decision"


class DeadlineEnd(StrEnum):
    """How a deadline ended."""

    MET = "met"
    EXPIRED = "expired"
    VOID = "void"
    MOVED = "moved"


class NoticeKind(StrEnum):
    """What somebody is told; each has its templates in `templates/mail/<kind>/`."""

    RULING = "ruling"
    RULING_POSTPONED = "ruling_postponed"
    RULING_ASKED = "ruling_asked"
    DIRECTOR_APPOINTED = "director_appointed"
    TO_RULE = "to_rule"
    WINDOW_OPEN = "window_open"
    WINDOW_PROLONGED = "window_prolonged"
    WINDOW_MOVED = "window_moved"
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
    SEATED = "seated"
    PANEL_CHANGED = "panel_changed"
    SUMMONS = "summons"
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


class LinkPurpose(StrEnum):
    """What a mail link opens."""

    PARTY = "party"
    SEAT = "seat"


class DemandKind(StrEnum):
    """What is asked for."""

    STATEMENT = "statement"
    ANSWER = "answer"


class DemandEnd(StrEnum):
    """How a demand ended."""

    ANSWERED = "answered"
    DECLINED = "declined"
    SILENT = "silent"
    RENEWED = "renewed"
    VOID = "void"


class StatementKind(StrEnum):
    """What a filed text is."""

    REQUEST = "request"
    REPORT = "report"
    STATEMENT = "statement"
    ANSWER = "answer"
    LATE = "late"
    ADDITION = "addition"


class FilingChannel(StrEnum):
    """How something reached us."""

    LINK = "link"
    TABLE = "table"
    PAPER = "paper"
    PHONE = "phone"
    ACCOUNT = "account"


class RulingOutcome(StrEnum):
    """What a ruling does with the result."""

    RESULT_STANDS = "result_stands"
    ASSIGNED = "assigned"
    WEIGHTED = "weighted"
    SPLIT = "split"
    ARTIFICIAL = "artificial"
    PENALTY = "penalty"
    OTHER = "other"


class AppealOutcome(StrEnum):
    """What a body decides about one side's appeal."""

    GRANTED = "granted"
    PARTLY = "partly"
    REJECTED = "rejected"
    DISMISSED = "dismissed"
    WRITTEN_OFF = "written_off"


class SeatRole(StrEnum):
    """In which role somebody sits with a panel; an attendee follows under R17 and has no vote."""

    CHAIR = "chair"
    MEMBER = "member"
    RESERVE = "reserve"
    ATTENDEE = "attendee"


class ConflictState(StrEnum):
    """How far the question of a conflict of interest (jäv) has come for one seat."""

    UNDECLARED = "undeclared"
    NONE = "none"
    SUGGESTED = "suggested"
    DECLARED = "declared"
    RECUSED = "recused"


class Position(StrEnum):
    """How a member votes on the appeal."""

    CONFIRM = "confirm"
    CHANGE = "change"
    DISMISS = "dismiss"


class ConsequenceKind(StrEnum):
    """What follows of a decision; each has a life of its own."""

    SCORE_ADJUSTMENT = "score_adjustment"
    PROCEDURAL_PENALTY = "procedural_penalty"
    TITLES_HELD = "titles_held"
    PRIZES_MAY_BE_PAID = "prizes_may_be_paid"
    CORRECTED_REPORT = "corrected_report"
    WITHOUT_MERIT = "without_merit"
    REFERRAL = "referral"


class ConsequenceState(StrEnum):
    """Where a consequence stands."""

    HELD = "held"
    ALLOWED = "allowed"
    DONE = "done"
    RELEASED = "released"
    PENDING = "pending"
    REPLACED = "replaced"
    """A later decision says otherwise."""
    UNREGULATED = "unregulated"
    """The rules are silent."""


class HearingStep(StrEnum):
    """The hearing's checklist in the federation's order."""

    CHAIR_EXPLAINS = "chair_explains"
    DIRECTOR_PRESENTS = "director_presents"
    FACTS_SETTLED = "facts_settled"
    APPELLANTS_HEARD = "appellants_heard"
    RESPONDENTS_HEARD = "respondents_heard"
    ROOM_CLEARED = "room_cleared"
