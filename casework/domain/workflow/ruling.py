"""The director's proceeding: from a question at the table to a ruling that is final or appealed (R22-R40)."""

from casework.domain.bridge.board_parts import Refiled
from casework.domain.terms import (
    ActionName,
    Audience,
    DeadlineKind,
    NoticeKind,
    Part,
    ProceedingKind,
    State,
)
from casework.domain.workflow import guards
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.lodging import SCORE_TELLERS, lodge_appeal, prolong_window, windows
from casework.domain.workflow.suspending import suspension
from casework.domain.workflow.table import Action, Base, Opens, Per, Procedure, Stage, Tells
from casework.text import t

OPEN_STATES = frozenset({State.OPEN, State.POSTPONED})
DIRECTORS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR})
APPOINTERS = frozenset({Part.ORGANISER, Part.OFFICE, Part.CHIEF_DIRECTOR})


def _counts_what_was_told(facts: Facts, ask: Ask) -> bool:
    """Whether the points of a ruling that the parties have been told are worked out, for the first time or anew."""
    return bool(ask.data.get("score")) and facts.this.state not in OPEN_STATES


def _changes_what_was_ruled_on(facts: Facts, ask: Ask) -> bool:
    """Whether the board is another than the parties have read it in the ruling, or something noted since is changed.

    To a short ruling the board is added in parts, of which nobody is told (R27).
    """
    filed: Refiled | None = ask.data.get("board")
    if filed is None or facts.this.state in OPEN_STATES:
        return False
    return bool(filed.changes) and (filed.ruled is not None or any(each.old is not None for each in filed.changes))


STAGES = (
    Stage(
        state=State.REQUESTED,
        label=t("A ruling has been asked for"),
        next_step=t("A director is appointed and rules"),
        waits_for=(Part.ORGANISER, Part.OFFICE),
    ),
    Stage(
        state=State.OPEN,
        label=t("The director looks into it"),
        next_step=t("The director gives his ruling"),
        waits_for=(Part.DIRECTOR,),
    ),
    Stage(
        state=State.POSTPONED,
        label=t("The ruling is postponed"),
        next_step=t("The director gives his ruling"),
        waits_for=(Part.DIRECTOR,),
    ),
    Stage(
        state=State.GIVEN,
        label=t("The ruling is given and can be appealed"),
        next_step=t("The ruling becomes final if nobody appeals"),
        waits_for=(Part.PARTY,),
    ),
    Stage(
        state=State.APPEALED,
        label=t("The ruling is appealed"),
        next_step=t("The appeal is tried"),
    ),
    Stage(
        state=State.TRIED,
        label=t("The ruling has been tried"),
        next_step=t("Nothing remains to be done here"),
        ends=True,
    ),
    Stage(
        state=State.FINAL,
        label=t("The ruling is final"),
        next_step=t("Nothing remains to be done"),
        ends=True,
    ),
)

ACTIONS = (
    Action(
        name=ActionName.APPOINT_DIRECTOR,
        label=t("Appoint a director"),
        done=t("Appointed a director"),
        rule="R22",
        start=frozenset({State.REQUESTED}),
        to=(State.OPEN,),
        who=APPOINTERS,
        checks=(guards.typed("director_id", t("Choose the director who is to rule.")), guards.director_is_no_party),
        tells=(
            Tells(NoticeKind.DIRECTOR_APPOINTED, Audience.PARTIES),
            Tells(NoticeKind.TO_RULE, Audience.NAMED),
        ),
    ),
    Action(
        name=ActionName.HAND_OVER_RULING,
        label=t("Let another director rule"),
        done=t("Let another director rule"),
        rule="R22",
        start=OPEN_STATES,
        who=DIRECTORS | APPOINTERS,
        checks=(guards.typed("director_id", t("Choose the director who is to rule.")), guards.director_is_no_party),
        tells=(
            Tells(NoticeKind.DIRECTOR_APPOINTED, Audience.PARTIES),
            Tells(NoticeKind.TO_RULE, Audience.NAMED),
        ),
    ),
    Action(
        name=ActionName.POSTPONE_RULING,
        label=t("Postpone the ruling"),
        done=t("Postponed the ruling"),
        rule="R22",
        start=frozenset({State.OPEN}),
        to=(State.POSTPONED,),
        who=DIRECTORS,
        guards=(guards.has_both_sides,),
        checks=(guards.typed("waits_for", t("Write what is waited for.")),),
        tells=(Tells(NoticeKind.RULING_POSTPONED, Audience.PARTIES),),
    ),
    Action(
        name=ActionName.GIVE_RULING,
        label=t("Tell the parties the ruling"),
        done=t("Gave a ruling"),
        rule="R22, R32",
        start=OPEN_STATES,
        to=(State.GIVEN,),
        who=DIRECTORS,
        guards=(guards.has_both_sides,),
        checks=(
            guards.director_is_no_party,
            guards.typed("operative", t("Write what you have decided.")),
            guards.typed("facts", t("Write what happened.")),
            guards.typed("laws", t("Say which laws the ruling rests on.")),
            guards.reasons_of_judgement,
            guards.weighs_only_where_allowed,
            guards.given_not_in_the_future,
            guards.telling_is_possible,
        ),
        opens=(Opens(DeadlineKind.APPEAL_WINDOW, "appeal_window", Base.PUBLICATION_AND_PROOF, per=Per.PARTY),),
        tells=(Tells(NoticeKind.RULING, Audience.PARTIES),),
    ),
    Action(
        name=ActionName.COMPLETE_RULING,
        label=t("Add board, auction and facts"),
        done=t("Added board, auction or facts"),
        rule="R27",
        start=frozenset({State.OPEN, State.POSTPONED, State.GIVEN, State.APPEALED}),
        who=DIRECTORS,
        guards=(guards.parties_can_answer_it,),
        checks=(guards.board_is_not_heard_about,),
        tells=(
            Tells(NoticeKind.SCORE_COUNTED, Audience.PARTIES, when=_counts_what_was_told),
            Tells(NoticeKind.MATERIAL_ADDED, Audience.PARTIES, when=_changes_what_was_ruled_on),
        ),
        adds=True,
    ),
    Action(
        name=ActionName.SEND_TO_JURY,
        label=t("Let the jury decide"),
        done=t("Let the jury decide"),
        rule="R22",
        start=frozenset({State.OPEN, State.POSTPONED}),
        who=DIRECTORS,
        guards=(guards.ruling_is_given,),
    ),
    Action(
        name=ActionName.TAKE_UP,
        label=t("Take the case up without a ruling"),
        done=t("Took the case up without a ruling"),
        rule="R1, R22",
        start=frozenset({State.REQUESTED, State.OPEN, State.POSTPONED}),
        to=(State.APPEALED,),
        who=frozenset({Part.LK_CHAIR}),
        guards=(guards.has_both_sides,),
        override=True,
        tells=(
            Tells(NoticeKind.REGISTERED, Audience.PARTIES),
            Tells(NoticeKind.REGISTERED, Audience.DIRECTOR),
        ),
    ),
    *windows(State.GIVEN, SCORE_TELLERS),
    prolong_window(State.GIVEN, DIRECTORS | {Part.OFFICE}),
    *suspension(DIRECTORS | {Part.OFFICE}),
    lodge_appeal(State.GIVEN),
    Action(
        name=ActionName.RECORD_PUBLICATION,
        label=t("Record when the official score was published"),
        done=t("The official score was made available"),
        rule="R32",
        start=frozenset({State.GIVEN, State.APPEALED, State.FINAL}),
        who=frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.ORGANISER, Part.OFFICE}),
        checks=(guards.publication_is_past,),
        adds=True,
        tells=(Tells(NoticeKind.WINDOW_OPEN, Audience.STARTED_PARTIES),),
    ),
)

RULING = Procedure(
    kind=ProceedingKind.RULING,
    name=t("Ruling"),
    initial=frozenset({State.REQUESTED, State.OPEN}),
    stages=STAGES,
    actions=ACTIONS,
)
