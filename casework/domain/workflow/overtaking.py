"""Which notice takes the place of an earlier one that has not gone: what that says holds no longer, and this says all.

A notice is written when it goes, from the case as it then is. Of two that wait, the earlier would say what happened
after it. None is overtaken that starts somebody's time; what tells of a time to appeal only by what tells of it too.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from casework.domain.terms import NoticeKind

_ENDS = frozenset({NoticeKind.PANEL_LEFT, NoticeKind.APPEAL_WITHDRAWN})
"""Its reader has nothing more to do with the panel."""
_WINDOWS = frozenset({NoticeKind.WINDOW_OPEN, NoticeKind.WINDOW_PROLONGED, NoticeKind.WINDOW_MOVED})
_STANDSTILLS = frozenset({NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED})

OVERTAKEN_BY: Mapping[NoticeKind, AbstractSet[NoticeKind]] = {
    NoticeKind.SUMMONS: {NoticeKind.SUMMONS} | _ENDS,
    NoticeKind.HEARING_REMINDER: {NoticeKind.SUMMONS, NoticeKind.HEARING_REMINDER} | _ENDS,
    NoticeKind.PANEL_CHANGED: {NoticeKind.SUMMONS, NoticeKind.PANEL_CHANGED, NoticeKind.NEW_CHAIR} | _ENDS,
    NoticeKind.NEW_CHAIR: _ENDS,
    NoticeKind.SEATED: {NoticeKind.SEATED} | _ENDS,
    NoticeKind.CONFLICT_REMINDER: {NoticeKind.CONFLICT_REMINDER} | _ENDS,
    NoticeKind.PANEL_LEFT: {NoticeKind.SEATED},
    NoticeKind.SEAT_TO_FILL: _ENDS,
    NoticeKind.DIRECTOR_APPOINTED: {NoticeKind.DIRECTOR_APPOINTED},
    NoticeKind.RULING_POSTPONED: {NoticeKind.RULING_POSTPONED, NoticeKind.RULING},
    NoticeKind.STATEMENT_REMINDER: {NoticeKind.STATEMENT_REMINDER},
    NoticeKind.LINK: {NoticeKind.LINK},
    NoticeKind.SCORE_COUNTED: {NoticeKind.SCORE_COUNTED},
    NoticeKind.FINAL: {NoticeKind.FINAL},
    NoticeKind.NO_LONGER_FINAL: {NoticeKind.NO_LONGER_FINAL, NoticeKind.FINAL},
    **dict.fromkeys(_WINDOWS, _WINDOWS),
    **dict.fromkeys(_STANDSTILLS, _STANDSTILLS),
}
"""By an earlier kind: the later ones to the same person, in the same matter."""
OVERTAKING = frozenset().union(*OVERTAKEN_BY.values())
