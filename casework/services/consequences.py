"""What follows of a decision, each with a life of its own (R3, R8-R9, R111)."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, update

from casework.domain.models import Consequence
from casework.domain.terms import Body, ConsequenceKind, ConsequenceState, ProceedingKind
from casework.services.step import Step
from casework.text import Text, t


def replace_results(session: Session, step: Step) -> None:
    """What an earlier decision would have entered in the result list is no longer to be done."""
    session.exec(
        update(Consequence)
        .where(
            col(Consequence.case_id) == step.loaded.case.id,
            col(Consequence.kind).in_([ConsequenceKind.SCORE_ADJUSTMENT, ConsequenceKind.CORRECTED_REPORT]),
            col(Consequence.state) == ConsequenceState.PENDING,
        )
        .values(
            state=ConsequenceState.REPLACED,
            since=step.now,
            explanation=t("A later decision gives another result."),
        )
    )


def explained(kind: ConsequenceKind, *, of_ruling: bool) -> Text:
    """Why it is to be done, in the words of the decision that it follows of."""
    return _OF_RULING.get(kind, _EXPLAINED[kind]) if of_ruling else _EXPLAINED[kind]


_OF_RULING = {
    ConsequenceKind.SCORE_ADJUSTMENT: t("The ruling changes the result. The organiser enters it in the result list."),
}
_EXPLAINED = {
    ConsequenceKind.SCORE_ADJUSTMENT: t("The decision changes the result. The organiser enters it in the result list."),
    ConsequenceKind.PROCEDURAL_PENALTY: t("The decision sets a sanction."),
    ConsequenceKind.CORRECTED_REPORT: t("A corrected result report is sent to the office (R111)."),
    ConsequenceKind.WITHOUT_MERIT: t("The body found the appeal without merit."),
}


def consequence(step: Step, decision_id: UUID, kind: ConsequenceKind, detail: str = "") -> Consequence:
    """What a decision leads to, still to be done; `detail` is what is entered or paid."""
    return Consequence(
        case_id=step.loaded.case.id,
        decision_id=decision_id,
        kind=kind,
        state=ConsequenceState.PENDING,
        explanation=explained(kind, of_ruling=step.proceeding.kind is ProceedingKind.RULING),
        detail=detail,
        since=step.now,
    )


def while_appealed(body: Body) -> dict[ConsequenceKind, tuple[ConsequenceState, Text]]:
    """R9: titles and master points wait for the final list. R8: prizes may be paid when the appeal is LK's."""
    if body is Body.LAW_COMMISSION:
        prizes = t("Prizes may be paid from the preliminary list in spite of an appeal to the Law Commission.")
        paid = ConsequenceState.ALLOWED, prizes
    else:
        prizes = t("The rules do not say whether prizes may be paid while a jury tries an appeal.")
        paid = ConsequenceState.UNREGULATED, prizes
    waits = t("Until the decision is final. The result list stays published, marked preliminary.")
    return {
        ConsequenceKind.TITLES_HELD: (ConsequenceState.HELD, waits),
        ConsequenceKind.PRIZES_MAY_BE_PAID: paid,
    }


def release_titles(session: Session, case_id: UUID, now: datetime) -> None:
    """R9: with the final decision titles and master points follow the final list."""
    session.exec(
        update(Consequence)
        .where(
            col(Consequence.case_id) == case_id,
            col(Consequence.kind).in_([ConsequenceKind.TITLES_HELD, ConsequenceKind.PRIZES_MAY_BE_PAID]),
        )
        .values(
            state=ConsequenceState.RELEASED,
            since=now,
            explanation=t("The decision is final. The final result list applies."),
        )
    )
