"""Guards: each returns None, or the reason in words why a step may not be taken."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from casework.domain.minutes import has_run, whole_minute
from casework.domain.rules.editions import why_not_weight
from casework.domain.terms import (
    Body,
    DeadlineEnd,
    DeadlineKind,
    DemandKind,
    Part,
    ProceedingKind,
    RulingOutcome,
    Side,
    State,
)
from casework.domain.workflow.facts import AppealFacts, Ask, Facts
from casework.domain.workflow.table import About, Guard
from casework.text import Text, says_something, t

LONGEST_PROLONGATION = 60
"""Days: the law sets no limit, so this one only catches a mistyped year."""

# What was typed


def typed(field: str, reason: Text) -> Guard:
    """A guard that asks for a field that is not empty; a text must have words."""

    def guard(facts: Facts, ask: Ask) -> Text | None:
        value = ask.data.get(field)
        return reason if not (says_something(value) if isinstance(value, str) else value) else None

    return About(field, guard)


# The ruling


def has_both_sides(facts: Facts, ask: Ask) -> Text | None:
    """Both sides are parties (R32: all parties are told); in an individual event each player is one of his own."""
    if {party.side for party in facts.parties} == set(Side):
        return None
    return t("Say which contestants are the parties: both sides must be told.")


def director_is_no_party(facts: Facts, ask: Ask) -> Text | None:
    """Nobody rules in his own case."""
    director = ask.data.get("director_id", ask.person_id)
    if facts.party_of(director) is None:
        return None
    return t("The director is a party in this case, so another director must rule.")


def given_not_in_the_future(facts: Facts, ask: Ask) -> Text | None:
    """A ruling recorded afterwards was given before now."""
    given: datetime = ask.data.get("given_at", ask.now)
    return t("The ruling cannot have been given in the future.") if given > ask.now else None


def reasons_of_judgement(facts: Facts, ask: Ask) -> Text | None:
    """A ruling of judgement carries its reasons."""
    if ask.data.get("of_judgement") and not says_something(str(ask.data.get("reasons", ""))):
        return t("A ruling of judgement needs its reasons.")
    return None


def weighs_only_where_allowed(facts: Facts, ask: Ask) -> Text | None:
    """R73: by the laws of 2007 the director gives one result; a jury and LK may weight several."""
    if ask.data.get("outcome") is not RulingOutcome.WEIGHTED:
        return None
    return why_not_weight(facts.law_edition, facts.this.body)


def ruling_is_given(facts: Facts, ask: Ask) -> Text | None:
    """R22: the director takes a position himself; no case goes to a jury without his ruling."""
    if facts.this.decision_id is not None:
        return None
    return t(
        "You must give a ruling before the jury can try the case. You may postpone it, but not leave it to the jury."
    )


def telling_is_possible(facts: Facts, ask: Ask) -> Text | None:
    """Somebody was told after the decision was given (times are typed to the minute) and not in the future."""
    given: datetime | None = ask.data.get("given_at", facts.this.decided_at)
    for proof in ask.data.get("proofs", ()):
        if proof.at > ask.now:
            return t("The time when the party was told cannot be in the future.")
        if given is not None and proof.decision_id and proof.at < whole_minute(given):
            return t("A party cannot have been told before the decision was given.")
    return None


WAITS = t("The decision waits to be sent, or its sending is stopped. Send it first: nobody learns of it before others.")


def does_not_wait(facts: Facts, ask: Ask) -> Text | None:
    """R36: a decision is told to all or to none: what is held or stopped is sent before anybody is told it."""
    return WAITS if ask.data.get("withheld") else None


def correction_is_possible(facts: Facts, ask: Ask) -> Text | None:
    """What is corrected was recorded, and the right time is another one, after the decision and not in the future."""
    wrong, right = ask.data.get("correction", (None, None))
    if wrong is None or wrong not in facts.proofs:
        return t("It is not recorded that this party was told.")
    if right.at == wrong.at:
        return t("This is the time that is recorded already.")
    return telling_is_possible(facts, replace(ask, data={"proofs": (right,)}))


def warning_is_possible(facts: Facts, ask: Ask) -> Text | None:
    """The appellant was told before now."""
    told: datetime = ask.data.get("told_at", ask.now)
    return t("The time when the party was told cannot be in the future.") if told > ask.now else None


def publication_is_past(facts: Facts, ask: Ask) -> Text | None:
    """The official score was made available before now."""
    published: datetime | None = ask.data.get("published_at")
    if published is None:
        return t("Say when the official score was made available.")
    return t("The official score cannot have been made available in the future.") if published > ask.now else None


def tells_no_decision_of_others(facts: Facts, ask: Ask) -> Text | None:
    """R36: what a body has decided is sent or held back by the body or the office only, never by who ruled."""
    decided_here = facts.this.kind is ProceedingKind.APPEAL and ask.data.get("decision_id") is not None
    if not decided_here or ask.parts & {Part.OFFICE, Part.CHAIR}:
        return None
    return t("Only the body that decided, or the office, sends or stops its decision.")


def all_windows_have_run(facts: Facts, ask: Ask) -> Text | None:
    """Final when the last party's window has run: never before each party is proven told."""
    if facts.running(DeadlineKind.APPEAL_WINDOW):
        return t("The time to appeal has not run out for all parties.")
    return None


def a_window_runs(facts: Facts, ask: Ask) -> Text | None:
    """More time was given, or the score was available later than recorded: what was final is not."""
    return None if facts.running(DeadlineKind.APPEAL_WINDOW) else t("The time to appeal has run out.")


def no_live_appeal(facts: Facts, ask: Ask) -> Text | None:
    """No side's appeal stands."""
    return t("There is an appeal that has not been withdrawn.") if facts.against_this else None


def nothing_is_taken_up(facts: Facts, ask: Ask) -> Text | None:
    """No body has taken the case up without an appeal."""
    child = facts.child
    return t("A body has taken the case up.") if child is not None and child.taken_up else None


def child_has_decided(facts: Facts, ask: Ask) -> Text | None:
    """The body that tries this has decided."""
    child = facts.child
    if child is not None and child.decision_id is not None:
        return None
    return t("The appeal has not been decided.")


def window_has_run(facts: Facts, ask: Ask) -> Text | None:
    """The deadline's instant has come, and nothing has been done about it."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    if deadline is None or deadline.ended is not None or deadline.overdue or deadline.proceeding_id != facts.this.id:
        return t("This deadline has already ended.")
    if not has_run(deadline.instant, ask.now):
        return t("The time has not run out.")
    return None


def ended_before_its_time(facts: Facts, ask: Ask) -> Text | None:
    """A wrong clock said that it had run out, and the procedure has not gone on from that."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    ended = deadline is not None and (deadline.ended is DeadlineEnd.EXPIRED or deadline.overdue)
    if deadline is None or not ended or deadline.proceeding_id != facts.this.id:
        return t("This deadline has not been ended by its running out.")
    if has_run(deadline.instant, ask.now):
        return t("The time has run out.")
    gone_on = {DeadlineKind.APPEAL_WINDOW: facts.this.state is State.TRIED,
               DeadlineKind.STATEMENT: facts.this.state is not State.PREPARING}  # fmt: skip
    return t("The case has gone on since the time was ended.") if gone_on.get(deadline.kind) else None


def still_runs(facts: Facts, ask: Ask) -> Text | None:
    """The deadline is this proceeding's and has not ended."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    if deadline is None or deadline.ended is not None or deadline.proceeding_id != facts.this.id:
        return t("This deadline has already ended.")
    return None


def still_overdue(facts: Facts, ask: Ask) -> Text | None:
    """The deadline has passed, and what it was for has still not been done."""
    overdue = any(d.id == ask.subject_id and d.overdue for d in facts.deadlines)
    return still_runs(facts, ask) or (None if overdue else t("The time has not run out."))


def longer_than_before(facts: Facts, ask: Ask) -> Text | None:
    """A party's window is prolonged, never cut, and not before it runs: else it could end before the party is told."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    until: datetime | None = ask.data.get("until")
    if deadline is None or (deadline.proceeding_id, deadline.kind) != (facts.this.id, DeadlineKind.APPEAL_WINDOW):
        return t("This is no time to appeal.")
    if deadline.party_id != ask.party_id or deadline.ended in (DeadlineEnd.MOVED, DeadlineEnd.VOID):
        return t("This deadline has already ended.")
    if deadline.instant is None:
        stands = t("The time stands still. Let it go on first.")
        return stands if deadline.halted else t("The time to appeal has not started for this party.")
    if until is None or until <= max(ask.now, deadline.instant):
        return t("The new time must be later than the old one and later than now.")
    if until > ask.now + timedelta(days=LONGEST_PROLONGATION):
        return t("At most {count} days can be given at a time.", count=LONGEST_PROLONGATION)
    return None


# The appeal


def there_is_a_decision(facts: Facts, ask: Ask) -> Text | None:
    """Only what has been decided can be appealed: not a case that a body took up without a ruling."""
    return None if facts.this.decision_id is not None else t("This decision cannot be appealed.")


def appealed_after_the_decision(facts: Facts, ask: Ask) -> Text | None:
    """An appeal registered afterwards was made after the decision was given (typed to the minute) and before now."""
    made: datetime = ask.data.get("happened_at", ask.now)
    given = facts.this.decided_at
    if made > ask.now:
        return t("The appeal cannot have been made in the future.")
    if given is not None and made < whole_minute(given):
        return t("The appeal cannot have been made before the decision was given.")
    return None


def not_yet_appealed_by_this_party(facts: Facts, ask: Ask) -> Text | None:
    """One appeal a side."""
    if any(appeal.party_id == ask.party_id for appeal in facts.against_this):
        return t("Your side has already appealed.")
    return None


def higher_instance_is_open(facts: Facts, ask: Ask) -> Text | None:
    """R38: the event may have closed the way to LK; R5: there is no way beyond LK."""
    if facts.this.body is Body.LAW_COMMISSION:
        return t("The Law Commission's decision is final and cannot be appealed.")
    if facts.this.body is Body.JURY and not facts.this.lk_open:
        return t("In this tournament the jury's decision is final.")
    return None


def is_being_tried(facts: Facts) -> bool:
    """Whether a body has begun to decide on an appeal of this decision, or has decided: no other is taken in."""
    child = facts.child
    return child is not None and child.state in (
        State.DELIBERATING,
        State.DECIDED,
        State.FINAL,
        State.APPEALED,
        State.TRIED,
    )


def not_yet_tried(facts: Facts, ask: Ask) -> Text | None:
    """An appeal of the other side joins while the body has not begun to deliberate."""
    if is_being_tried(facts):
        return t("The body has already begun to decide on this ruling.")
    return None


def acts_for_the_party(facts: Facts, ask: Ask) -> Text | None:
    """A party acts for itself; an official only for a named party."""
    if ask.party_id is None:
        return t("Say for which party.")
    if Part.PARTY in ask.parts and not facts.party(ask.party_id).has(ask.person_id):
        return t("You can act for your own side only.")
    return None


def own_appeal(facts: Facts, ask: Ask) -> Text | None:
    """The appeal stands, is tried here, and the party's own if a party asks."""
    appeal = next((a for a in facts.tried_here if a.id == ask.subject_id), None)
    if appeal is None:
        return t("This appeal has been withdrawn.")
    if Part.PARTY in ask.parts and not facts.party(appeal.party_id).has(ask.person_id):
        return t("You can act for your own side only.")
    return None


def body_does_not_decide(facts: Facts, ask: Ask) -> Text | None:
    """Own reading, the laws are silent: an appeal stands from the moment when the body begins to deliberate.

    That moment everybody sees; a vote or a signature, which nobody else may see, changes nothing in the answer.
    """
    if facts.this.state is not State.DELIBERATING:
        return None
    return t("The body has begun to decide the appeal, so it cannot be withdrawn any more.")


def only_for_the_party_with_reason(facts: Facts, ask: Ask) -> Text | None:
    """An official withdraws an appeal only because the party said so: when and how is written down."""
    if Part.APPELLANT in ask.parts or says_something(str(ask.data.get("because", ""))):
        return None
    return t("Write when and how the party withdrew its appeal.")


def has_not_concurred(facts: Facts, ask: Ask) -> Text | None:
    """One word a person, and only of one whose word is needed; his own takes the place of one that was deemed."""
    return _word_is_lacking(facts, ask, lambda appeal: appeal.concurred - appeal.deemed)


def has_no_word(facts: Facts, ask: Ask) -> Text | None:
    """The same of one that is deemed: it takes the place of none."""
    return _word_is_lacking(facts, ask, lambda appeal: appeal.concurred)


def _word_is_lacking(facts: Facts, ask: Ask, given: Callable[[AppealFacts], AbstractSet[UUID]]) -> Text | None:
    appeal = next((a for a in facts.tried_here if a.id == ask.subject_id), None)
    who = ask.data.get("concurring_id", ask.person_id)
    if appeal is None:
        return t("This appeal has been withdrawn.")
    if who in given(appeal):
        return t("This player has already concurred.")
    if not facts.party(appeal.party_id).has(who):
        return t("Only a player or captain of the appealing side can concur.")
    return None


def _is_late(kind: DeadlineKind, facts: Facts, ask: Ask) -> bool:
    return any(d.overdue or has_run(d.instant, ask.now) for d in facts.running(kind))


def is_the_director(facts: Facts, ask: Ask) -> Text | None:
    """R23, R27: the step is that of the director who ruled; whoever takes it for him does so in his place."""
    if facts.this.director_id in (None, ask.person_id):
        return None
    return t("This is for the director who ruled. When his time has run out others can do it in his place.")


def forwarding_is_late(facts: Facts, ask: Ask) -> Text | None:
    """Others forward in the director's place only when his time has run out."""
    if _is_late(DeadlineKind.FORWARD_APPEAL, facts, ask):
        return None
    return t("The director still has time to forward the appeal.")


def sending_in_is_late(facts: Facts, ask: Ask) -> Text | None:
    """Others send in in the director's place only when his time has run out."""
    if _is_late(DeadlineKind.SEND_IN, facts, ask):
        return None
    return t("The director still has time to send in the papers.")


def reporting_is_late(facts: Facts, ask: Ask) -> Text | None:
    """Others report and ask in the director's place when his time has run out, or when the body took the case up."""
    if facts.this.taken_up or _is_late(DeadlineKind.REPORT, facts, ask):
        return None
    return t("The director still has time to report and to ask the parties.")


def parties_can_answer_it(facts: Facts, ask: Ask) -> Text | None:
    """Nothing is added that a party can no longer see and answer (R28): in the room, or with its statement."""
    trying = facts.newest
    here = replace(facts, this=trying)
    over = trying.state in (State.DELIBERATING, State.DECIDED, State.FINAL)
    if trying.kind is ProceedingKind.RULING or not (over if here.on_site else over or _parties_are_asked(here)):
        return None
    if over:
        return t("The case is being decided or is decided. Nothing more can be added to the ruling.")
    return t("The parties have been asked for their statements. What you add now they could not answer.")


def board_is_not_heard_about(facts: Facts, ask: Ask) -> Text | None:
    """R28: the parties speak about the board that they have read; it is not changed under them in the room."""
    if not ask.data.get("board") or facts.newest.state is not State.HEARING:
        return None
    return t("The hearing has begun: the parties are heard about the board as it is recorded. Say at the hearing what "
             "should be corrected. The body writes it in its decision.")  # fmt: skip


def _parties_are_asked(facts: Facts) -> bool:
    return facts.this.state is not State.LODGED and bool(facts.demanded(DemandKind.STATEMENT))
