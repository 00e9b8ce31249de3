"""Which setting of the profile a deadline is reckoned by."""

from casework.domain.terms import Body, DeadlineKind, ProceedingKind
from casework.domain.workflow.facts import ProceedingFacts


def setting_of(kind: DeadlineKind, owner: ProceedingFacts) -> str:
    """Which setting a deadline of a kind is reckoned by."""
    if kind is DeadlineKind.APPEAL_WINDOW:
        return "appeal_window" if owner.kind is ProceedingKind.RULING else "jury_to_lk"
    return {
        DeadlineKind.FORWARD_APPEAL: "forward_appeal",
        DeadlineKind.REPORT: "report_and_demands",
        DeadlineKind.STATEMENT: "statement",
        DeadlineKind.ANSWER: "answer",
        DeadlineKind.SEND_IN: "papers_sent_in",
        DeadlineKind.DECISION: "jury_decides" if owner.body is Body.JURY else "lk_decides",
    }[kind]
