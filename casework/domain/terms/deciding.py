"""What is heard, voted and decided, and what follows of it."""

from enum import StrEnum


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
