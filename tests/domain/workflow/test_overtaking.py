"""What may be overtaken: never what starts a time, and what tells of a time to appeal only by what tells of it too."""

from casework.domain.terms import NoticeKind
from casework.domain.workflow.overtaking import OVERTAKEN_BY
from casework.services.appeal_rights import WITH_RIGHTS
from casework.services.notifying import ABOUT_DEMAND


def test_nothing_is_overtaken_that_starts_a_time() -> None:
    """A ruling, a decision, and what asks for an answer."""
    starting = {NoticeKind.RULING, NoticeKind.DECISION} | (ABOUT_DEMAND - {NoticeKind.STATEMENT_REMINDER})
    assert not OVERTAKEN_BY.keys() & starting


def test_how_to_appeal_is_never_overtaken_by_what_does_not_say_it() -> None:
    """R32. What lets a time stand still says it wherever the time is one to appeal."""
    assert all(by <= WITH_RIGHTS for kind, by in OVERTAKEN_BY.items() if kind in WITH_RIGHTS)
    still = {NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED}
    assert all(OVERTAKEN_BY[kind] == still for kind in still)
