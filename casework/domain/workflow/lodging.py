"""What every decision that can be appealed has in common: its proof, its windows, the appeal, and becoming final."""

from collections.abc import Callable

from casework.domain.terms import ActionName, AppealRoute, Audience, Body, DeadlineKind, NoticeKind, Part, State
from casework.domain.workflow import guards
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.table import Action, Base, Opens, Per, Tells
from casework.text import t

TELLERS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.OFFICE, Part.CHAIR})
SCORE_TELLERS = TELLERS | {Part.ORGANISER}
"""Who sends or stops what tells of an official score: who records it, too."""


def _is_to_be_forwarded(facts: Facts, ask: Ask) -> bool:
    """One that joins an appeal which is forwarded already is with the body at once."""
    return facts.child is None or facts.child.state is State.LODGED


def _not_told_by_a_withdrawal(facts: Facts, ask: Ask) -> bool:
    """Where all times to appeal had run when the last appeal was withdrawn, its notice said that all is final."""
    ours = (a.withdrawn_at for a in facts.appeals if a.decision_id == facts.this.decision_id)
    last = max((at for at in ours if at is not None), default=None)
    return last is None or not facts.windows_had_run(facts.this.id, last)


def lodge_appeal(decided: State) -> Action:
    """An appeal that comes late is taken in like any other; the body judges whether it is tried."""
    return Action(
        name=ActionName.LODGE_APPEAL,
        label=t("Appeal"),
        done=t("Appealed"),
        rule="R23, R32",
        start=frozenset({decided, State.APPEALED, State.FINAL}),
        to=(State.APPEALED,),
        who=frozenset({Part.PARTY, Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.OFFICE}),
        guards=(guards.there_is_a_decision, guards.higher_instance_is_open, guards.not_yet_tried),
        checks=(
            guards.acts_for_the_party,
            guards.appealed_after_the_decision,
            guards.not_yet_appealed_by_this_party,
            guards.typed("wants", t("Write what in the decision you want changed.")),
        ),
        opens=(
            Opens(
                DeadlineKind.FORWARD_APPEAL,
                "forward_appeal",
                Base.NOW,
                per=Per.APPEAL,
                in_child=True,
                when=_is_to_be_forwarded,
            ),
        ),
        tells=(
            Tells(NoticeKind.APPEAL_RECEIVED, Audience.PARTIES),
            Tells(NoticeKind.CONCURRENCE_ASKED, Audience.PARTNERS),
            Tells(NoticeKind.APPEAL_TO_FORWARD, Audience.DIRECTOR),
        ),
        adds=True,
    )


def windows(decided: State, senders: frozenset[Part] = TELLERS) -> tuple[Action, ...]:
    """The actions on a decision's windows, where `decided` is the state in which it can be appealed.

    `senders`: who sends or stops what is held.
    """
    return (
        Action(
            name=ActionName.RECORD_PROOF,
            label=t("Record that a notice arrived"),
            done=t("A party was told"),
            rule="R32, R37",
            start=frozenset(State),
            who=TELLERS | {Part.SYSTEM},
            checks=(guards.telling_is_possible,),
            adds=True,
        ),
        Action(
            name=ActionName.RECORD_RETURN,
            label=t("Record that a mail came back"),
            done=t("A mail to a party came back"),
            rule="R32, R37",
            start=frozenset(State),
            who=frozenset({Part.SYSTEM}),
            adds=True,
        ),
        Action(
            name=ActionName.CALL_BACK,
            label=t("Stop what is held from being sent"),
            done=t("Stopped notices before they were sent"),
            rule="R36, R37",
            start=frozenset(State),
            who=senders,
            checks=(guards.typed("because", t("Write why nothing is to be sent.")), guards.tells_no_decision_of_others),
            adds=True,
        ),
        Action(
            name=ActionName.SEND_NOW,
            label=t("Send what is held"),
            done=t("Sent the held notices"),
            rule="R36, R37",
            start=frozenset(State),
            who=senders,
            checks=(guards.tells_no_decision_of_others,),
            adds=True,
        ),
        Action(
            name=ActionName.RECORD_TELLING,
            label=t("Record that you told a party"),
            done=t("Told a party in person"),
            rule="R32, R36, R37",
            start=frozenset({decided, State.APPEALED, State.TRIED, State.FINAL}),
            who=TELLERS,
            checks=(guards.does_not_wait, guards.telling_is_possible),
            adds=True,
        ),
        Action(
            name=ActionName.CORRECT_TIME,
            label=t("Correct when a party was told"),
            done=t("Corrected when a party was told"),
            rule="R32, R37",
            start=frozenset(State),
            who=TELLERS,
            checks=(guards.correction_is_possible, guards.typed("because", t("Write why the time was wrong."))),
            adds=True,
            tells=(Tells(NoticeKind.WINDOW_MOVED, Audience.STARTED_PARTIES),),
        ),
        Action(
            name=ActionName.RECALCULATE,
            label=t("Count again with the days off as they are now"),
            done=t("A last day was moved, because a day off was added"),
            rule="C10",
            start=frozenset(State),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.still_runs,),
            adds=True,
            tells=(
                Tells(NoticeKind.WINDOW_MOVED, Audience.ACTOR_PARTY, when=_of_window),
                Tells(NoticeKind.STATEMENT_REMINDER, Audience.ACTOR_PARTY, when=_of_demand),
                Tells(NoticeKind.TASK_DUE, Audience.DIRECTOR, when=_of_the_director),
                Tells(NoticeKind.TASK_DUE, Audience.PANEL, when=_of_the_body),
            ),
        ),
        Action(
            name=ActionName.RUN_AGAIN,
            label=t("Let a time run again that a wrong clock ended"),
            done=t("The time runs on: the system's clock was wrong when it was said to have run out"),
            rule="R32",
            start=frozenset(State),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.ended_before_its_time,),
            adds=True,
        ),
        Action(
            name=ActionName.CLOSE_WINDOW,
            label=t("The time to appeal has run out"),
            done=t("The time to appeal ran out"),
            rule="R32",
            start=frozenset(State),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.window_has_run,),
            closes=(DeadlineKind.APPEAL_WINDOW,),
            adds=True,
        ),
        Action(
            name=ActionName.FINALISE,
            label=t("Nobody has appealed in time"),
            done=t("Became final: the time to appeal has run out, and no appeal stands"),
            rule="R32",
            start=frozenset({decided}),
            to=(State.FINAL,),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.all_windows_have_run, guards.no_live_appeal),
            automatic=True,
            tells=(
                Tells(NoticeKind.FINAL, Audience.PARTIES, when=_not_told_by_a_withdrawal),
                Tells(NoticeKind.FINAL, Audience.DIRECTOR, when=_not_told_by_a_withdrawal),
            ),
        ),
        Action(
            name=ActionName.REOPEN,
            label=t("The time to appeal runs again"),
            done=t("Is no longer final: the time to appeal runs again"),
            rule="R32",
            start=frozenset({State.FINAL}),
            to=(decided,),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.a_window_runs,),
            tells=(
                Tells(NoticeKind.NO_LONGER_FINAL, Audience.PARTIES_OUT_OF_TIME),
                Tells(NoticeKind.NO_LONGER_FINAL, Audience.DIRECTOR),
            ),
        ),
        Action(
            name=ActionName.RESUME,
            label=t("The last appeal is withdrawn"),
            done=t("The last appeal was withdrawn"),
            rule="R32",
            start=frozenset({State.APPEALED}),
            to=(decided,),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.no_live_appeal, guards.nothing_is_taken_up),
            automatic=True,
        ),
        Action(
            name=ActionName.BE_TRIED,
            label=t("The appeal is decided"),
            done=t("The appeal was decided"),
            rule="R36",
            start=frozenset({State.APPEALED}),
            to=(State.TRIED,),
            who=frozenset({Part.SYSTEM}),
            guards=(guards.child_has_decided,),
            voids=(DeadlineKind.APPEAL_WINDOW,),
            automatic=True,
        ),
    )


def _is(*kinds: DeadlineKind) -> Callable[[Facts, Ask], bool]:
    """Whether the step is about a running time of one of these kinds."""
    return lambda facts, ask: any(d.id == ask.subject_id for kind in kinds for d in facts.running(kind))


_of_window = _is(DeadlineKind.APPEAL_WINDOW)
_of_demand = _is(DeadlineKind.STATEMENT, DeadlineKind.ANSWER)
_of_the_director = _is(DeadlineKind.FORWARD_APPEAL, DeadlineKind.REPORT, DeadlineKind.SEND_IN)
_of_the_body = _is(DeadlineKind.DECISION)


def prolong_window(decided: State, who: frozenset[Part]) -> Action:
    """A director may give a party more time: when the publication was recorded late, or for another stated reason.

    What had become final is then reopened, and the other side is told.
    """
    return Action(
        name=ActionName.PROLONG_WINDOW,
        label=t("Give more time to appeal"),
        done=t("Gave more time to appeal"),
        rule="R32",
        start=frozenset({decided, State.APPEALED, State.FINAL}),
        who=who,
        guards=(guards.higher_instance_is_open,),
        checks=(guards.longer_than_before, guards.typed("because", t("Write why the party gets more time."))),
        tells=(Tells(NoticeKind.WINDOW_PROLONGED, Audience.ACTOR_PARTY),),
    )


def way_on(facts: Facts) -> Body | None:
    """Which body an appeal of this proceeding's decision goes to; None where there is none (R5, R38)."""
    if facts.this.body is Body.LAW_COMMISSION or (facts.this.body is Body.JURY and not facts.this.lk_open):
        return None
    if facts.this.body is Body.JURY or facts.appeal_route is AppealRoute.LAW_COMMISSION:
        return Body.LAW_COMMISSION
    return Body.JURY
