"""The part of an appeal that happens on paper: report, statements, answers, sending in, registering (R27-R31)."""

from dataclasses import replace
from uuid import UUID

from casework.domain.terms import ActionName, Audience, Body, DeadlineKind, NoticeKind, Part, State
from casework.domain.workflow import guards
from casework.domain.workflow import hearing_guards as panel
from casework.domain.workflow import written_guards as papers
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.table import About, Action, Base, Opens, Per, Tells
from casework.text import t

COLLECTING = frozenset({State.PREPARING, State.ANSWERING})
LATE = frozenset({State.COMPLETE, State.SENT_IN, State.REGISTERED, State.DELIBERATING})
DIRECTORS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR})
IN_PLACE = frozenset({Part.CHIEF_DIRECTOR, Part.OFFICE, Part.LK_CHAIR})


def is_late(facts: Facts, ask: Ask) -> bool:
    """What nobody waits for, once the statements are open, may be answered by the others before it counts."""
    return facts.this.state in LATE | {State.ANSWERING} and not ask.data.get("demand_id")


def is_news(facts: Facts, ask: Ask) -> bool:
    """The others are told of all that they can read at once: answers, and what comes late."""
    return facts.this.state in LATE | {State.ANSWERING}


def _asked_anew(facts: Facts, ask: Ask) -> frozenset[UUID]:
    """Who is being asked already answers once, to everything, in a whole new time."""
    demands: dict[UUID, UUID] = ask.data.get("demands", {})
    return frozenset(demand.id for party in demands for demand in facts.asked(party))


def _left_out(facts: Facts, ask: Ask) -> frozenset[UUID]:
    return papers.freed_by_leaving_out(facts, ask.subject_id)


def _advances(facts: Facts, ask: Ask) -> State | None:
    """One step on, whatever was missing; while papers are collected the parties must still be asked."""
    return {State.LODGED: State.PREPARING, State.COMPLETE: State.SENT_IN}.get(facts.this.state)


def _is_lodged(facts: Facts, ask: Ask) -> bool:
    return facts.this.state is State.LODGED


def _to_lk(facts: Facts, ask: Ask) -> bool:
    return facts.this.body is Body.LAW_COMMISSION


def _to_jury(facts: Facts, ask: Ask) -> bool:
    return facts.this.body is Body.JURY


def _of_the_body(facts: Facts, ask: Ask) -> bool:
    return any(d.id == ask.subject_id and d.kind is DeadlineKind.DECISION for d in facts.deadlines)


def _of_the_director(facts: Facts, ask: Ask) -> bool:
    return not _of_the_body(facts, ask)


def _of_lk_unseated(facts: Facts, ask: Ask) -> bool:
    return _of_the_body(facts, ask) and facts.panel is None and _to_lk(facts, ask)


def _of_jury_unseated(facts: Facts, ask: Ask) -> bool:
    return _of_the_body(facts, ask) and facts.panel is None and _to_jury(facts, ask)


def _completes_to_lk(facts: Facts, ask: Ask) -> bool:
    return facts.this.state is State.COMPLETE and _to_lk(facts, ask)


def _completes_to_jury(facts: Facts, ask: Ask) -> bool:
    return facts.this.state is State.COMPLETE and _to_jury(facts, ask)


_SENT_IN_TELLS = (
    Tells(NoticeKind.SENT_IN, Audience.PARTIES),
    Tells(NoticeKind.SENT_IN, Audience.LAW_COMMISSION, when=_to_lk),
    Tells(NoticeKind.SENT_IN, Audience.ORGANISERS, when=_to_jury),
)

_DECISION_OPENS = (
    Opens(DeadlineKind.DECISION, "lk_decides", Base.NOW, when=_to_lk),
    Opens(DeadlineKind.DECISION, "jury_decides", Base.NOW, when=_to_jury),
)

FILE_REPORT = Action(
    name=ActionName.FILE_REPORT,
    label=t("File the report"),
    done=t("Filed the report"),
    rule="R27",
    start=frozenset({State.PREPARING}),
    who=DIRECTORS,
    guards=(papers.no_report_yet,),
    checks=(
        guards.typed("events", t("Write the course of events.")),
        guards.typed("ruling", t("Write the ruling.")),
        guards.typed("reasons", t("Write the reasons.")),
    ),
    tells=(Tells(NoticeKind.REPORT_FILED, Audience.PARTIES),),
    adds=True,
)
DEMAND_STATEMENTS = Action(
    name=ActionName.DEMAND_STATEMENTS,
    label=t("Ask all parties for statements"),
    done=t("Asked all parties for statements"),
    rule="R28",
    start=frozenset({State.PREPARING}),
    who=DIRECTORS,
    guards=(papers.report_is_filed, papers.nothing_demanded_yet),
    opens=(Opens(DeadlineKind.STATEMENT, "statement", Base.PROOF_OF_DEMAND, per=Per.DEMAND),),
    closes=(DeadlineKind.REPORT,),
    tells=(Tells(NoticeKind.STATEMENT_DEMANDED, Audience.PARTIES),),
)

WRITTEN_ACTIONS = (
    replace(FILE_REPORT, guards=(guards.is_the_director, *FILE_REPORT.guards)),
    replace(
        FILE_REPORT,
        name=ActionName.REPORT_IN_PLACE,
        label=t("File the report in the director's place"),
        done=t("Filed the report in the director's place"),
        who=IN_PLACE,
        guards=(*FILE_REPORT.guards, guards.reporting_is_late),
        override=True,
    ),
    replace(DEMAND_STATEMENTS, guards=(guards.is_the_director, *DEMAND_STATEMENTS.guards)),
    replace(
        DEMAND_STATEMENTS,
        name=ActionName.DEMAND_IN_PLACE,
        label=t("Ask all parties for statements in the director's place"),
        done=t("Asked all parties for statements in the director's place"),
        who=IN_PLACE,
        guards=(*DEMAND_STATEMENTS.guards, guards.reporting_is_late),
        override=True,
    ),
    Action(
        name=ActionName.FILE_STATEMENT,
        label=t("File a statement"),
        done=t("Filed a statement"),
        rule="R28",
        start=COLLECTING | LATE,
        who=frozenset({Part.PARTY}),
        guards=(papers.is_in_writing,),
        checks=(guards.typed("text", t("Write your statement.")), papers.fits_the_time),
        opens=(Opens(DeadlineKind.ANSWER, "answer", Base.PROOF_OF_DEMAND, per=Per.DEMAND, when=is_late),),
        closes=(DeadlineKind.STATEMENT, DeadlineKind.ANSWER),
        lifts=_asked_anew,
        tells=(
            Tells(NoticeKind.STATEMENT_RECEIVED, Audience.ACTOR_PARTY),
            Tells(NoticeKind.MATERIAL_ADDED, Audience.OTHER_PARTIES, when=is_news),
        ),
        adds=True,
    ),
    Action(
        name=ActionName.ENTER_STATEMENT,
        label=t("Enter a statement that came on paper or by phone"),
        done=t("Entered a statement for a party"),
        rule="R28",
        start=COLLECTING | LATE,
        who=DIRECTORS | {Part.OFFICE},
        guards=(papers.is_in_writing,),
        checks=(
            guards.typed("text", t("Write the statement.")),
            guards.acts_for_the_party,
            papers.fits_the_time,
        ),
        opens=(Opens(DeadlineKind.ANSWER, "answer", Base.PROOF_OF_DEMAND, per=Per.DEMAND, when=is_late),),
        closes=(DeadlineKind.STATEMENT, DeadlineKind.ANSWER),
        lifts=_asked_anew,
        tells=(
            Tells(NoticeKind.STATEMENT_RECEIVED, Audience.ACTOR_PARTY),
            Tells(NoticeKind.MATERIAL_ADDED, Audience.OTHER_PARTIES, when=is_news),
        ),
        adds=True,
    ),
    Action(
        name=ActionName.DECLINE_STATEMENT,
        label=t("Say that you have nothing to add"),
        done=t("Had nothing to add"),
        rule="R28, R30",
        start=COLLECTING | LATE,
        who=frozenset({Part.PARTY}),
        guards=(papers.is_in_writing,),
        checks=(papers.demand_is_open,),
        closes=(DeadlineKind.STATEMENT, DeadlineKind.ANSWER),
        tells=(Tells(NoticeKind.STATEMENT_RECEIVED, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.REMIND,
        label=t("Remind a party that has not answered"),
        done=t("Reminded a party that has not answered"),
        rule="R28",
        start=COLLECTING | LATE,
        who=frozenset({Part.SYSTEM}),
        guards=(papers.demand_is_open,),
        tells=(Tells(NoticeKind.STATEMENT_REMINDER, Audience.ACTOR_PARTY),),
        adds=True,
    ),
    Action(
        name=ActionName.END_DEMAND,
        label=t("The time to answer has run out"),
        done=t("The time to answer ran out"),
        rule="R30",
        start=COLLECTING | LATE,
        who=frozenset({Part.SYSTEM}),
        guards=(guards.window_has_run,),
        closes=(DeadlineKind.STATEMENT, DeadlineKind.ANSWER),
        adds=True,
    ),
    Action(
        name=ActionName.LEAVE_OUT,
        label=t("Leave late material out of account"),
        done=t("Left late material out of account"),
        rule="R30, C9",
        start=frozenset({State.REGISTERED, State.DELIBERATING}),
        who=frozenset({Part.CHAIR, Part.LK_CHAIR}),
        guards=(papers.something_late_waits,),
        checks=(papers.may_be_left_out, guards.typed("because", t("Write why it is left out of account."))),
        lifts=_left_out,
        tells=(Tells(NoticeKind.LEFT_OUT, Audience.PARTIES),),
        adds=True,
    ),
    Action(
        name=ActionName.OPEN_STATEMENTS,
        label=t("The statements are opened to all parties"),
        done=t("The statements were opened to all parties at one moment"),
        rule="R28",
        start=frozenset({State.PREPARING}),
        to=(State.ANSWERING,),
        who=frozenset({Part.SYSTEM}),
        guards=(papers.statements_are_in,),
        opens=(Opens(DeadlineKind.ANSWER, "answer", Base.PROOF_OF_DEMAND, per=Per.DEMAND),),
        tells=(Tells(NoticeKind.STATEMENTS_OPEN, Audience.PARTIES),),
        automatic=True,
    ),
    Action(
        name=ActionName.FINISH_ANSWERS,
        label=t("The papers are complete"),
        done=t("The papers became complete"),
        rule="R30",
        start=frozenset({State.ANSWERING}),
        to=(State.COMPLETE,),
        who=frozenset({Part.SYSTEM}),
        guards=(papers.answers_are_in,),
        opens=(Opens(DeadlineKind.SEND_IN, "papers_sent_in", Base.NOW),),
        automatic=True,
    ),
    Action(
        name=ActionName.SEND_IN,
        label=t("Send in the papers"),
        done=t("Sent in the papers"),
        rule="R29, R30",
        start=frozenset({State.COMPLETE}),
        to=(State.SENT_IN,),
        who=DIRECTORS,
        guards=(guards.is_the_director, papers.report_is_filed, papers.contact_data_is_there),
        closes=(DeadlineKind.SEND_IN,),
        opens=_DECISION_OPENS,
        tells=_SENT_IN_TELLS,
    ),
    Action(
        name=ActionName.SEND_IN_IN_PLACE,
        label=t("Send in the papers in the director's place"),
        done=t("Sent in the papers in the director's place"),
        rule="R30",
        start=frozenset({State.COMPLETE}),
        to=(State.SENT_IN,),
        who=IN_PLACE,
        guards=(guards.sending_in_is_late,),
        override=True,
        closes=(DeadlineKind.SEND_IN,),
        opens=_DECISION_OPENS,
        tells=(*_SENT_IN_TELLS, Tells(NoticeKind.SENT_IN, Audience.DIRECTOR)),
    ),
    Action(
        name=ActionName.TAKE_UP,
        label=t("Take the case up although papers are missing"),
        done=t("Took the case up although papers were missing"),
        rule="R1, R30",
        start=frozenset({State.LODGED, State.PREPARING, State.COMPLETE}),
        to=(State.PREPARING, State.SENT_IN),
        choose=_advances,
        who=frozenset({Part.LK_CHAIR, Part.OFFICE}),
        guards=(papers.takes_up_for_the_body, papers.something_is_missing),
        override=True,
        closes=(DeadlineKind.FORWARD_APPEAL, DeadlineKind.SEND_IN),
        opens=(
            Opens(DeadlineKind.REPORT, "report_and_demands", Base.NOW, when=_is_lodged),
            Opens(DeadlineKind.DECISION, "lk_decides", Base.NOW, when=_completes_to_lk),
            Opens(DeadlineKind.DECISION, "jury_decides", Base.NOW, when=_completes_to_jury),
        ),
        tells=(
            Tells(NoticeKind.SENT_IN, Audience.PARTIES),
            Tells(NoticeKind.SENT_IN, Audience.DIRECTOR),
            Tells(NoticeKind.SENT_IN, Audience.ORGANISERS, when=_completes_to_jury),
        ),
    ),
    Action(
        name=ActionName.REGISTER_CASE,
        label=t("Register the case and seat the members"),
        done=t("Registered the case and seated the members"),
        rule="R2, R15, R19",
        start=frozenset({State.SENT_IN}),
        to=(State.REGISTERED,),
        who=frozenset({Part.LK_CHAIR, Part.OFFICE, Part.ORGANISER}),
        guards=(panel.composes_this_body,),
        checks=(
            guards.typed("jurisdiction", t("Write why the body may try the case.")),
            About("seats", panel.panel_fits),
        ),
        tells=(
            Tells(NoticeKind.REGISTERED, Audience.PARTIES),
            Tells(NoticeKind.SEATED, Audience.PANEL),
        ),
    ),
    Action(
        name=ActionName.BEGIN_DELIBERATION,
        label=t("Begin the deliberation"),
        done=t("Began the deliberation"),
        rule="R19",
        start=frozenset({State.REGISTERED}),
        to=(State.DELIBERATING,),
        who=frozenset({Part.CHAIR}),
        guards=(panel.panel_is_composed, panel.conflicts_are_settled, panel.everybody_was_heard),
    ),
    Action(
        name=ActionName.PASS_DEADLINE,
        label=t("A time has run out"),
        done=t("A time ran out without the step being taken"),
        rule="R24, R30",
        start=frozenset(State),
        who=frozenset({Part.SYSTEM}),
        guards=(guards.window_has_run,),
        tells=(
            Tells(NoticeKind.DEADLINE_PASSED, Audience.OFFICE),
            Tells(NoticeKind.DEADLINE_PASSED, Audience.DIRECTOR),
            Tells(NoticeKind.DEADLINE_PASSED, Audience.PARTIES),
        ),
        adds=True,
    ),
    Action(
        name=ActionName.REMIND_OFFICIAL,
        label=t("Remind of a step before its time runs out"),
        done=t("Reminded of a step before its time runs out"),
        rule="C10",
        start=frozenset(State),
        who=frozenset({Part.SYSTEM}),
        guards=(guards.still_runs,),
        tells=(
            Tells(NoticeKind.TASK_DUE, Audience.DIRECTOR, when=_of_the_director),
            Tells(NoticeKind.TASK_DUE, Audience.PANEL, when=_of_the_body),
            Tells(NoticeKind.TASK_DUE, Audience.LAW_COMMISSION, when=_of_lk_unseated),
            Tells(NoticeKind.TASK_DUE, Audience.ORGANISERS, when=_of_jury_unseated),
        ),
        adds=True,
    ),
    Action(
        name=ActionName.ESCALATE,
        label=t("Say again that a time has run out"),
        done=t("The step that is overdue has still not been taken"),
        rule="R24, R30",
        start=frozenset(State),
        who=frozenset({Part.SYSTEM}),
        guards=(guards.still_overdue,),
        tells=(
            Tells(NoticeKind.DEADLINE_PASSED, Audience.OFFICE),
            Tells(NoticeKind.DEADLINE_PASSED, Audience.DIRECTOR),
            Tells(NoticeKind.DEADLINE_PASSED, Audience.LAW_COMMISSION, when=_to_lk),
        ),
        adds=True,
    ),
)
