"""A case's way: its proceedings, states, steps and times."""

from enum import StrEnum


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
    RUN_AGAIN = "run_again"
    PROLONG_WINDOW = "prolong_window"
    SUSPEND_TIMES = "suspend_times"
    LIFT_SUSPENSION = "lift_suspension"
    CLOSE_WINDOW = "close_window"
    LODGE_APPEAL = "lodge_appeal"
    REOPEN = "reopen"
    RESUME = "resume"
    FINALISE = "finalise"
    BE_TRIED = "be_tried"
    PASS_DEADLINE = "pass_deadline"  # noqa: S105  # a step, no password
    TAKE_UP = "take_up"
    CONCUR = "concur"
    RECORD_CONCURRENCE = "record_concurrence"
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
    REMIND_OF_HEARING = "remind_of_hearing"
    REMIND_OF_CONFLICT = "remind_of_conflict"
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
    REMIND_OFFICIAL = "remind_official"
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
