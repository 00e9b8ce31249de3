"""The appeal: through the director to a jury on site, or in writing to a later jury or the Law Commission."""

from uuid import UUID

from casework.domain.terms import (
    ActionName,
    Audience,
    Body,
    DeadlineKind,
    NoticeKind,
    Part,
    ProceedingKind,
    State,
)
from casework.domain.workflow import decision_guards as decision
from casework.domain.workflow import guards
from casework.domain.workflow import hearing_guards as panel
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.hearing import HEARING_ACTIONS
from casework.domain.workflow.lodging import lodge_appeal, prolong_window, windows
from casework.domain.workflow.suspending import suspension
from casework.domain.workflow.table import About, Action, Base, Opens, Per, Procedure, Stage, Tells
from casework.domain.workflow.written import WRITTEN_ACTIONS
from casework.text import t

BEFORE_DECISION = frozenset(
    {
        State.LODGED,
        State.COMPOSING,
        State.CALLED,
        State.HEARING,
        State.PREPARING,
        State.ANSWERING,
        State.COMPLETE,
        State.SENT_IN,
        State.REGISTERED,
        State.DELIBERATING,
    }
)
DIRECTORS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR})


def _forwarded(facts: Facts, ask: Ask) -> State:
    return State.COMPOSING if facts.on_site else State.PREPARING


def _in_writing(facts: Facts, ask: Ask) -> bool:
    return not facts.on_site


def _at_once(facts: Facts, ask: Ask) -> bool:
    return facts.on_site


def _last_withdrawn(facts: Facts, ask: Ask) -> State | None:
    others = [appeal for appeal in facts.tried_here if appeal.id != ask.subject_id]
    return None if others else State.WRITTEN_OFF


def _withdrawn(facts: Facts, ask: Ask) -> frozenset[UUID]:
    """The other side's appeal is forwarded in its own time."""
    return frozenset() if ask.subject_id is None else frozenset({ask.subject_id})


def _hearing_falls(facts: Facts, ask: Ask) -> bool:
    """Who was called, and is no party and no judge, learns it too."""
    return facts.this.state in (State.CALLED, State.HEARING) and _last_withdrawn(facts, ask) is not None


def _panel_falls(facts: Facts, ask: Ask) -> bool:
    """Who appointed the panel learns that nobody needs it any more."""
    return facts.panel is not None and _last_withdrawn(facts, ask) is not None


def _appealable(facts: Facts, ask: Ask) -> bool:
    return facts.this.body is Body.JURY and facts.this.lk_open


def _decided(facts: Facts, ask: Ask) -> State:
    return State.DECIDED if _appealable(facts, ask) else State.FINAL


STAGES = (
    Stage(
        state=State.LODGED,
        label=t("The appeal is with the director"),
        next_step=t("The director forwards the appeal"),
        waits_for=(Part.DIRECTOR,),
    ),
    Stage(
        state=State.COMPOSING,
        label=t("The jury is being appointed"),
        next_step=t("The jury is appointed and called"),
        waits_for=(Part.ORGANISER, Part.DIRECTOR),
    ),
    Stage(
        state=State.CALLED,
        label=t("The jury is called"),
        next_step=t("The jury hears both sides"),
        waits_for=(Part.CHAIR,),
    ),
    Stage(
        state=State.HEARING,
        label=t("The jury hears the case"),
        next_step=t("The jury deliberates"),
        waits_for=(Part.CHAIR,),
    ),
    Stage(
        state=State.PREPARING,
        label=t("Report and statements are being collected"),
        next_step=t("The director reports and the parties state their views"),
        waits_for=(Part.DIRECTOR, Part.PARTY),
    ),
    Stage(
        state=State.ANSWERING,
        label=t("The parties answer each other"),
        next_step=t("The papers become complete and are sent in"),
        waits_for=(Part.PARTY,),
    ),
    Stage(
        state=State.COMPLETE,
        label=t("The papers are complete"),
        next_step=t("The director sends in the papers"),
        waits_for=(Part.DIRECTOR,),
    ),
    Stage(
        state=State.SENT_IN,
        label=t("The papers are with the body"),
        next_step=t("The body registers the case and seats its members"),
        waits_for=(Part.LK_CHAIR, Part.OFFICE, Part.ORGANISER),
    ),
    Stage(
        state=State.REGISTERED,
        label=t("The case is registered"),
        next_step=t("The members declare conflicts of interest and deliberate"),
        waits_for=(Part.PANEL,),
    ),
    Stage(
        state=State.DELIBERATING,
        label=t("The body deliberates"),
        next_step=t("The body votes and decides"),
        waits_for=(Part.PANEL,),
    ),
    Stage(
        state=State.DECIDED,
        label=t("The appeal is decided and can be appealed"),
        next_step=t("The decision becomes final if nobody appeals"),
        waits_for=(Part.PARTY,),
    ),
    Stage(
        state=State.APPEALED,
        label=t("The decision is appealed"),
        next_step=t("The appeal is tried"),
    ),
    Stage(
        state=State.TRIED,
        label=t("The decision has been tried"),
        next_step=t("Nothing remains to be done here"),
        ends=True,
    ),
    Stage(
        state=State.FINAL,
        label=t("The decision is final"),
        next_step=t("Nothing remains to be done"),
        ends=True,
    ),
    Stage(
        state=State.WRITTEN_OFF,
        label=t("The appeal is withdrawn"),
        next_step=t("Nothing remains to be done here"),
        ends=True,
    ),
)

_FORWARD_OPENS = (Opens(DeadlineKind.REPORT, "report_and_demands", Base.NOW, when=_in_writing),)
_FORWARD_TELLS = (
    Tells(NoticeKind.APPEAL_FORWARDED, Audience.PARTIES),
    Tells(NoticeKind.APPEAL_FORWARDED, Audience.ORGANISERS, when=_at_once),
)

ACTIONS = (
    Action(
        name=ActionName.CONCUR,
        label=t("Concur in the appeal"),
        done=t("Concurred in the appeal"),
        rule="R23",
        start=BEFORE_DECISION,
        who=frozenset({Part.PARTY}),
        checks=(guards.own_appeal, guards.has_not_concurred),
        tells=(Tells(NoticeKind.CONCURRED, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.RECORD_CONCURRENCE,
        label=t("Record that a partner concurs"),
        done=t("Recorded that a partner concurs"),
        rule="R23",
        start=BEFORE_DECISION,
        who=DIRECTORS | {Part.OFFICE, Part.CHAIR},
        checks=(
            guards.has_not_concurred,
            guards.typed("told_how", t("Write when and how the partner said it.")),
        ),
        tells=(Tells(NoticeKind.CONCURRED, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.DEEM_CONCURRENCE,
        label=t("Let an absent partner count as concurring"),
        done=t("Counted an absent partner as concurring"),
        rule="R23",
        start=BEFORE_DECISION,
        who=DIRECTORS | {Part.OFFICE, Part.CHAIR},
        checks=(
            guards.has_no_word,
            guards.typed("because", t("Write why the partner cannot be asked.")),
        ),
        tells=(Tells(NoticeKind.CONCURRED, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.WARN_APPELLANT,
        label=t("Tell the appellant that the grounds look insufficient"),
        done=t("Told the appellant that the grounds look insufficient"),
        rule="R33, R34",
        start=frozenset({State.LODGED}),
        who=DIRECTORS,
        checks=(
            guards.own_appeal,
            guards.typed("how", t("Write how you told the appellant.")),
            guards.warning_is_possible,
        ),
        tells=(Tells(NoticeKind.APPELLANT_WARNED, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.WITHDRAW_APPEAL,
        label=t("Withdraw the appeal"),
        done=t("Withdrew the appeal"),
        rule="R23",
        start=BEFORE_DECISION,
        to=(State.WRITTEN_OFF,),
        choose=_last_withdrawn,
        who=frozenset({Part.APPELLANT, Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.OFFICE}),
        guards=(guards.body_does_not_decide,),
        checks=(guards.own_appeal, guards.only_for_the_party_with_reason),
        lifts=_withdrawn,
        tells=(
            Tells(NoticeKind.APPEAL_WITHDRAWN, Audience.PARTIES),
            Tells(NoticeKind.APPEAL_WITHDRAWN, Audience.DIRECTOR),
            Tells(NoticeKind.APPEAL_WITHDRAWN, Audience.PANEL),
            Tells(NoticeKind.APPEAL_WITHDRAWN, Audience.CALLED, when=_hearing_falls),
            Tells(NoticeKind.APPEAL_WITHDRAWN, Audience.COMPOSER, when=_panel_falls),
        ),
    ),
    Action(
        name=ActionName.FORWARD_APPEAL,
        label=t("Forward the appeal"),
        done=t("Forwarded the appeal"),
        rule="R24",
        start=frozenset({State.LODGED}),
        to=(State.COMPOSING, State.PREPARING),
        choose=_forwarded,
        who=DIRECTORS,
        guards=(guards.is_the_director,),
        opens=_FORWARD_OPENS,
        closes=(DeadlineKind.FORWARD_APPEAL,),
        tells=_FORWARD_TELLS,
    ),
    Action(
        name=ActionName.FORWARD_IN_PLACE,
        label=t("Forward the appeal in the director's place"),
        done=t("Forwarded the appeal in the director's place"),
        rule="R24",
        start=frozenset({State.LODGED}),
        to=(State.COMPOSING, State.PREPARING),
        choose=_forwarded,
        who=frozenset({Part.CHIEF_DIRECTOR, Part.OFFICE, Part.LK_CHAIR}),
        guards=(guards.forwarding_is_late,),
        override=True,
        opens=_FORWARD_OPENS,
        closes=(DeadlineKind.FORWARD_APPEAL,),
        tells=(*_FORWARD_TELLS, Tells(NoticeKind.APPEAL_FORWARDED, Audience.DIRECTOR)),
    ),
    *HEARING_ACTIONS,
    *WRITTEN_ACTIONS,
    Action(
        name=ActionName.DECIDE_APPEAL,
        label=t("Sign the decision"),
        done=t("Decided the appeal"),
        rule="R3, R5, R35, R36",
        start=frozenset({State.DELIBERATING}),
        to=(State.DECIDED, State.FINAL),
        choose=_decided,
        who=frozenset({Part.CHAIR}),
        guards=(
            panel.conflicts_are_settled,
            panel.ballot_is_closed,
            panel.everybody_was_heard,
            panel.all_is_open_to_the_parties,
            panel.votes_on_all_there_is,
            decision.nobody_else_may_still_appeal,
        ),
        checks=(
            guards.typed("operative", t("Write what the body decides.")),
            guards.typed("facts", t("Write which facts the body found.")),
            guards.typed("reasons", t("Write the reasons.")),
            guards.typed("laws", t("Say which laws the decision rests on.")),
            About("outcomes", decision.outcome_follows_the_vote),
            decision.only_a_lost_appeal_is_without_merit,
            About("score", decision.score_follows_the_outcome),
            decision.late_is_judged,
            About("outcomes", decision.appeals_are_concurred_in),
        ),
        opens=(
            Opens(DeadlineKind.APPEAL_WINDOW, "jury_to_lk", Base.PROOF_OF_DECISION, per=Per.PARTY, when=_appealable),
        ),
        closes=(DeadlineKind.DECISION,),
        voids=(
            DeadlineKind.FORWARD_APPEAL,
            DeadlineKind.REPORT,
            DeadlineKind.STATEMENT,
            DeadlineKind.ANSWER,
            DeadlineKind.SEND_IN,
        ),
        tells=(
            Tells(NoticeKind.DECISION, Audience.PARTIES),
            Tells(NoticeKind.TO_BE_TOLD, Audience.DIRECTOR),
        ),
    ),
    *windows(State.DECIDED),
    prolong_window(State.DECIDED, DIRECTORS | {Part.OFFICE}),
    *suspension(frozenset({Part.CHAIR, Part.LK_CHAIR, Part.OFFICE})),
    lodge_appeal(State.DECIDED),
)

APPEAL = Procedure(
    kind=ProceedingKind.APPEAL,
    name=t("Appeal"),
    initial=frozenset({State.LODGED, State.PREPARING}),
    stages=STAGES,
    actions=ACTIONS,
)
