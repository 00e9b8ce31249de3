"""Guards of the decision: what it says follows the vote, the appeals, and itself (R5, R35)."""

from collections.abc import Mapping
from uuid import UUID

from casework.domain.labels import label
from casework.domain.minutes import has_run
from casework.domain.terms import AppealOutcome, Body, DeadlineKind, Position, RulingOutcome
from casework.domain.workflow.audience import concurring
from casework.domain.workflow.facts import AppealFacts, Ask, Facts
from casework.domain.workflow.hearing_guards import winning
from casework.text import Text, says_something, t

_GRANTED = frozenset({AppealOutcome.GRANTED, AppealOutcome.PARTLY})
_FITTING: Mapping[Position, frozenset[AppealOutcome]] = {
    Position.CONFIRM: frozenset({AppealOutcome.REJECTED, AppealOutcome.DISMISSED}),
    Position.CHANGE: frozenset(
        {AppealOutcome.GRANTED, AppealOutcome.PARTLY, AppealOutcome.REJECTED, AppealOutcome.DISMISSED}
    ),
    Position.DISMISS: frozenset({AppealOutcome.DISMISSED}),
}


def outcome_follows_the_vote(facts: Facts, ask: Ask) -> Text | None:
    """Every appeal gets an outcome, and the majority's position is what is decided.

    Of two appeals one may be dismissed, for example as late, while the other is tried. One that cannot be tried, since
    not everybody stands behind it (Law 92D), is dismissed whatever the vote says.
    """
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    if set(outcomes) != {appeal.id for appeal in facts.tried_here}:
        return t("Decide on every appeal.")
    untried = {appeal.id for appeal in facts.tried_here if lacking(facts, appeal)}
    given = {outcome for appeal, outcome in outcomes.items() if appeal not in untried}
    if outcomes and not given:
        return None
    majority = winning(facts)
    if majority is None:
        return t("No position has a majority. Vote again or deliberate further.")
    changed = bool(given & _GRANTED)
    tried = bool(given - {AppealOutcome.DISMISSED})
    fits = given <= _FITTING[majority] and changed == (majority is Position.CHANGE)
    if outcomes and not (fits and tried == (majority is not Position.DISMISS)):
        return t("The outcome does not follow the vote.")
    return None


def lacking(facts: Facts, appeal: AppealFacts) -> frozenset[UUID]:
    """Who must stand behind an appeal (Law 92D) and has not said so; nor is deemed to."""
    return concurring(facts, appeal.party_id) - appeal.concurred


def only_a_lost_appeal_is_without_merit(facts: Facts, ask: Ask) -> Text | None:
    """R35: an appeal that is granted, if only in part, had merit."""
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    granted = {appeal for appeal, outcome in outcomes.items() if outcome in _GRANTED}
    if granted.isdisjoint(ask.data.get("without_merit", ())):
        return None
    return t("An appeal that is granted is not without merit.")


def score_follows_the_outcome(facts: Facts, ask: Ask) -> Text | None:
    """A decision that grants says what changes; one that grants nothing changes nothing, or says why it does.

    `score` is what the result becomes and `tried_score` what it was by the decision that is tried, if there is one.
    `counted` is there where a score is worked out: whether it changes what stands, None where that cannot be told.
    """
    score: RulingOutcome | None = ask.data.get("score")
    if score is None:
        return None
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    granted = bool(set(outcomes.values()) & _GRANTED)
    excused = bool(ask.data.get("other_change") if granted else says_something(ask.data.get("changes_anyway", "")))
    if excused or _changes(score, ask) in (granted, None):
        return None
    if "counted" in ask.data:
        return _counted_otherwise(granted=granted)
    if granted:
        return t(
            "An appeal is granted, but nothing says what changes. Write it in the field “What the organiser enters in "
            "the result list”, or tick “The decision changes something other than the score”."
        )
    was: RulingOutcome = ask.data.get("tried_score", score)
    if score is not was and not ask.data.get("score_detail", "").strip():
        return t(
            "No appeal is granted, so the result is what the confirmed decision made it: “{was}”. Choose that, or fill "
            "in “Why the decision changes the result all the same”.",
            was=label(was),
        )
    return t(
        "No appeal is granted, but the result is changed. Leave the result as it was and the field “What the organiser "
        "enters in the result list” empty, or fill in “Why the decision changes the result all the same”."
    )


def _changes(score: RulingOutcome, ask: Ask) -> bool | None:
    if "counted" in ask.data:
        counted: bool | None = ask.data["counted"]
        return counted
    return bool(ask.data.get("score_detail", "").strip()) or score is not ask.data.get("tried_score", score)


def _counted_otherwise(*, granted: bool) -> Text:
    if granted:
        return t(
            "An appeal is granted, but the score that is worked out is the one that stands. Work out another, or tick "
            "“The decision changes something other than the score”."
        )
    return t(
        "No appeal is granted, but the score that is worked out is another than the one that stands. Take it back or "
        "work out the same, or fill in “Why the decision changes the result all the same”."
    )


def appeals_are_concurred_in(facts: Facts, ask: Ask) -> Text | None:
    """An appeal is tried only when those who must have concurred (Law 92D), or count as having done so."""
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    for appeal in facts.tried_here:
        if lacking(facts, appeal) and outcomes.get(appeal.id) is not AppealOutcome.DISMISSED:
            return t(
                "Not everybody who must stand behind the appeal of {party} does. Let the absent count as concurring, "
                "with a reason, or do not try the appeal.",
                party=facts.party(appeal.party_id).label,
            )
    return None


def late_is_judged(facts: Facts, ask: Ask) -> Text | None:
    """A late appeal is left to the body: it says whether it tries it, and why."""
    found: Mapping[UUID, bool] = ask.data.get("found_in_time", {})
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    for appeal in facts.tried_here:
        if appeal.in_time is False and appeal.id not in found:
            return t("An appeal came in late. Decide whether it is tried.")
        if found.get(appeal.id) is False and outcomes.get(appeal.id) is not AppealOutcome.DISMISSED:
            return t("An appeal that is not tried because it was late is dismissed.")
    return None


def nobody_else_may_still_appeal(facts: Facts, ask: Ask) -> Text | None:
    """What is decided for good waits for the other side's own time to appeal: all appeals are tried together.

    A jury that decides for good waits for a time that runs or stands still, not for one that has not begun; the
    parties were heard in the room (own reading).
    """
    tried = next((p for p in facts.proceedings if p.decision_id == facts.this.tries_id is not None), None)
    if tried is None or (facts.this.body is Body.JURY and facts.this.lk_open):
        return None
    appealing = {appeal.party_id for appeal in facts.tried_here}
    for window in facts.deadlines:
        at_stake = window.proceeding_id == tried.id and window.kind is DeadlineKind.APPEAL_WINDOW and not window.ended
        if not at_stake or window.party_id is None or window.party_id in appealing:
            continue
        party = facts.party(window.party_id).label
        if window.halted:
            return t("The time of {party} to appeal stands still. Let it go on first: the appeals are tried together.",
                     party=party)  # fmt: skip
        if window.instant is not None and not has_run(window.instant, ask.now):
            return t("{party} may still appeal, until {at}. The appeals are tried together.", party=party,
                     at=window.instant)  # fmt: skip
        if window.instant is None and facts.this.body is not Body.JURY:
            return t("The time of {party} to appeal has not begun to run. The appeals are tried together.", party=party)
    return None
