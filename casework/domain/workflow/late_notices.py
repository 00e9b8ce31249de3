"""How long the words of a notice hold (E10): one that waits for days is written when it goes, in a case that has moved.

What tells somebody what he must know goes whenever it can, and says where the case stands. What only asks for
something, or reminds of it, is not sent when nobody need do it any more: it would ask for what is done.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from casework.domain.terms import NoticeKind, State
from casework.domain.workflow.appeal import BEFORE_DECISION
from casework.domain.workflow.hearing import WITH_PANEL
from casework.domain.workflow.ruling import OPEN_STATES

CAN_BE_APPEALED = frozenset({State.GIVEN, State.DECIDED, State.FINAL})
_DECIDED = CAN_BE_APPEALED | {State.APPEALED}
"""Also appealed, until the body begins to decide: the other side may join (`guards.is_being_tried`)."""
_READ_BY_ALL = frozenset({State.ANSWERING, State.COMPLETE, State.SENT_IN, State.REGISTERED, State.DELIBERATING})

HOLDS_IN: Mapping[NoticeKind, AbstractSet[State]] = {
    NoticeKind.RULING: _DECIDED,
    NoticeKind.DECISION: _DECIDED,
    NoticeKind.WINDOW_OPEN: _DECIDED,
    NoticeKind.WINDOW_PROLONGED: _DECIDED,
    NoticeKind.WINDOW_MOVED: _DECIDED,
    NoticeKind.TIME_SUSPENDED: _DECIDED | BEFORE_DECISION,
    NoticeKind.TIME_RESUMED: _DECIDED | BEFORE_DECISION,
    NoticeKind.NO_LONGER_FINAL: frozenset({State.GIVEN, State.DECIDED}),
    NoticeKind.SCORE_COUNTED: _DECIDED,
    NoticeKind.MATERIAL_ADDED: _DECIDED | _READ_BY_ALL,
    NoticeKind.APPEAL_RECEIVED: frozenset({State.LODGED}),
    NoticeKind.APPEAL_TO_FORWARD: frozenset({State.LODGED}),
    NoticeKind.CONCURRED: BEFORE_DECISION,
    NoticeKind.APPELLANT_WARNED: BEFORE_DECISION,
    NoticeKind.APPEAL_WITHDRAWN: BEFORE_DECISION | {State.WRITTEN_OFF},
    NoticeKind.APPEAL_FORWARDED: frozenset({State.COMPOSING, State.PREPARING}),
    NoticeKind.REPORT_FILED: frozenset({State.PREPARING}),
    NoticeKind.STATEMENT_DEMANDED: frozenset({State.PREPARING}),
    NoticeKind.STATEMENTS_OPEN: frozenset({State.ANSWERING}),
    NoticeKind.SENT_IN: frozenset({State.SENT_IN}),
    NoticeKind.REGISTERED: frozenset({State.APPEALED, State.PREPARING, State.REGISTERED, State.DELIBERATING}),
    NoticeKind.SEATED: WITH_PANEL,
    NoticeKind.PANEL_CHANGED: WITH_PANEL,
    NoticeKind.NEW_CHAIR: WITH_PANEL,
    NoticeKind.SUMMONS: frozenset({State.CALLED}),
}
"""In which states of the proceeding what a notice says comes next can still come. What tells of facts alone is not
here."""

ASKS_IN: Mapping[NoticeKind, AbstractSet[State]] = {
    NoticeKind.RULING_ASKED: frozenset({State.REQUESTED}),
    NoticeKind.TO_RULE: OPEN_STATES,
    NoticeKind.DIRECTOR_APPOINTED: OPEN_STATES,
    NoticeKind.RULING_POSTPONED: frozenset({State.POSTPONED}),
    NoticeKind.FINAL: frozenset({State.FINAL}),
    NoticeKind.CONCURRENCE_ASKED: BEFORE_DECISION,
    NoticeKind.HEARING_REMINDER: frozenset({State.CALLED}),
    NoticeKind.CONFLICT_REMINDER: WITH_PANEL,
    NoticeKind.SEAT_TO_FILL: WITH_PANEL,
}
"""What is not sent in any other state: what it asks for is done, what it announces has come, or holds no more."""
