"""The part of an appeal that happens in a room: composing, calling, hearing, voting (R17-R19, R25-R26)."""

from casework.domain.terms import ActionName, Audience, NoticeKind, Part, State
from casework.domain.workflow import guards
from casework.domain.workflow import hearing_guards as panel
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.hearing_guards import AT_THE_LAPTOP, COMPOSERS
from casework.domain.workflow.panel_changes import hearing_stands, parties_know_another_panel
from casework.domain.workflow.table import About, Action, Tells
from casework.text import t

SETTLERS = frozenset({Part.CHAIR, Part.PANEL, Part.ORGANISER, Part.OFFICE, Part.LK_CHAIR})
"""Never the director: it is his ruling that the panel tries."""
SEATERS = COMPOSERS | {Part.LK_CHAIR}
WITH_PANEL = frozenset({State.COMPOSING, State.CALLED, State.HEARING, State.REGISTERED, State.DELIBERATING})


def _somebody_steps_in(facts: Facts, ask: Ask) -> bool:
    """A reserve takes the place of who is recused, and is told so (R19)."""
    return bool(ask.data.get("seated"))


def _leaves_a_seat_empty(facts: Facts, ask: Ask) -> bool:
    """A member is recused and no reserve takes the place: who appointed the panel must know (R17)."""
    leaves = ask.data.get("has_conflict") or ask.data.get("recused")
    return bool(leaves) and not _somebody_steps_in(facts, ask)


def _heard_anew(facts: Facts, ask: Ask) -> State | None:
    """Who joins a jury that has begun must hear the parties: the hearing is called again."""
    begun = facts.this.state in (State.HEARING, State.DELIBERATING)
    return State.CALLED if begun and facts.on_site else None


_CHANGE_TELLS = (
    Tells(NoticeKind.SUMMONS, Audience.SEATED_NOW, when=hearing_stands),
    Tells(NoticeKind.PANEL_LEFT, Audience.LEAVING),
    Tells(NoticeKind.PANEL_CHANGED, Audience.PARTIES, when=parties_know_another_panel),
    Tells(NoticeKind.PANEL_CHANGED, Audience.STAYING, when=parties_know_another_panel),
    Tells(NoticeKind.PANEL_CHANGED, Audience.DIRECTOR, when=parties_know_another_panel),
    Tells(NoticeKind.PANEL_CHANGED, Audience.ATTENDING, when=parties_know_another_panel),
    Tells(NoticeKind.NEW_CHAIR, Audience.NEW_CHAIR),
)
_RECUSING_TELLS = (
    Tells(NoticeKind.SEATED, Audience.PANEL, when=_somebody_steps_in),
    *_CHANGE_TELLS,
    Tells(NoticeKind.SEAT_TO_FILL, Audience.COMPOSER, when=_leaves_a_seat_empty),
)
_CALLED = (Audience.PARTIES, Audience.PANEL, Audience.CALLED, Audience.DIRECTOR)
"""Who comes to the hearing. The director presents the case (R25), and is called even when he does the calling: with
the call the hearing comes into his calendar."""

HEARING_ACTIONS = (
    Action(
        name=ActionName.COMPOSE_PANEL,
        label=t("Appoint the jury"),
        done=t("Appointed the jury"),
        rule="R17, R19",
        start=WITH_PANEL,
        to=(State.CALLED,),
        choose=_heard_anew,
        who=SEATERS,
        guards=(panel.composes_this_body, panel.panel_may_change),
        checks=(About("seats", panel.panel_fits),),
        tells=(Tells(NoticeKind.SEATED, Audience.PANEL), *_CHANGE_TELLS),
    ),
    Action(
        name=ActionName.DECLARE_CONFLICT,
        label=t("Say whether there is a conflict of interest"),
        done=t("Answered about conflicts of interest"),
        rule="R17, R19",
        start=WITH_PANEL,
        who=frozenset({Part.SEATED, Part.PANEL}) | AT_THE_LAPTOP,
        checks=(panel.own_seat,),
        tells=_RECUSING_TELLS,
        adds=True,
    ),
    Action(
        name=ActionName.DECIDE_CONFLICT,
        label=t("Decide about a conflict of interest"),
        done=t("Decided about a conflict of interest"),
        rule="R17, R19",
        start=WITH_PANEL,
        who=SETTLERS,
        checks=(panel.not_own_conflict, guards.typed("because", t("Write the reason."))),
        tells=_RECUSING_TELLS,
        adds=True,
    ),
    Action(
        name=ActionName.CALL_HEARING,
        label=t("Call to the hearing"),
        done=t("Called to the hearing"),
        rule="R18, R25, R26",
        start=frozenset({State.COMPOSING, State.CALLED}),
        to=(State.CALLED,),
        who=AT_THE_LAPTOP,
        guards=(panel.panel_is_composed,),
        checks=(
            guards.typed("place", t("Write where the hearing is.")),
            guards.typed("at", t("Write when it is.")),
            About("at", panel.called_to_the_future),
        ),
        tells=tuple(Tells(NoticeKind.SUMMONS, audience) for audience in _CALLED),
    ),
    Action(
        name=ActionName.REMIND_OF_HEARING,
        label=t("Remind of the hearing"),
        done=t("Reminded of the hearing"),
        rule="R26, C10",
        start=frozenset({State.CALLED}),
        who=frozenset({Part.SYSTEM}),
        guards=(panel.parties_are_called,),
        tells=tuple(Tells(NoticeKind.HEARING_REMINDER, audience) for audience in _CALLED),
        adds=True,
    ),
    Action(
        name=ActionName.REMIND_OF_CONFLICT,
        label=t("Remind a member of the question of a conflict of interest"),
        done=t("Reminded a member of the question of a conflict of interest"),
        rule="R17, R19, C10",
        start=WITH_PANEL,
        who=frozenset({Part.SYSTEM}),
        guards=(panel.somebody_has_not_answered,),
        tells=(Tells(NoticeKind.CONFLICT_REMINDER, Audience.SEATED_NOW),),
        adds=True,
    ),
    Action(
        name=ActionName.NOTE_ATTENDANCE,
        label=t("Note who is present"),
        done=t("Noted who is present"),
        rule="R26",
        start=frozenset({State.CALLED, State.HEARING}),
        who=AT_THE_LAPTOP,
        checks=(panel.absent_only_when_it_is_time,),
        adds=True,
    ),
    Action(
        name=ActionName.OPEN_HEARING,
        label=t("Open the hearing"),
        done=t("Opened the hearing"),
        rule="R18, R25, R26",
        start=frozenset({State.CALLED}),
        to=(State.HEARING,),
        who=AT_THE_LAPTOP,
        guards=(
            panel.panel_is_composed,
            panel.conflicts_are_settled,
            panel.parties_are_called,
            panel.every_lk_member_is_called,
            panel.every_party_is_accounted_for,
            panel.its_time_has_come,
        ),
    ),
    Action(
        name=ActionName.NOTE_STEP,
        label=t("Tick a step of the hearing"),
        done=t("Took a step of the hearing"),
        rule="R25, R26",
        start=frozenset({State.HEARING}),
        who=AT_THE_LAPTOP,
        checks=(panel.next_step_only,),
        adds=True,
    ),
    Action(
        name=ActionName.CLOSE_HEARING,
        label=t("Close the hearing and deliberate"),
        done=t("Closed the hearing"),
        rule="R25",
        start=frozenset({State.HEARING}),
        to=(State.DELIBERATING,),
        who=AT_THE_LAPTOP,
        guards=(panel.steps_are_done, panel.every_party_is_accounted_for),
    ),
    Action(
        name=ActionName.WRITE_NOTE,
        label=t("Write a note to the panel"),
        done=t("Wrote a note to the panel"),
        rule="R17",
        start=frozenset({State.CALLED, State.HEARING, State.REGISTERED, State.DELIBERATING}),
        who=frozenset({Part.PANEL, Part.CHAIR}),
        checks=(guards.typed("text", t("Write the note.")),),
        adds=True,
    ),
    Action(
        name=ActionName.COUNT_SCORE,
        label=t("Work out the score"),
        done=t("Worked out the score"),
        rule="R69, R73",
        start=frozenset({State.DELIBERATING}),
        who=frozenset({Part.CHAIR}),
        adds=True,
    ),
    Action(
        name=ActionName.CAST_VOTE,
        label=t("Vote"),
        done=t("Voted"),
        rule="R19",
        start=frozenset({State.DELIBERATING}),
        who=frozenset({Part.PANEL, Part.CHAIR}),
        guards=(panel.has_not_voted, panel.all_is_open_to_the_parties, panel.votes_on_all_there_is),
        checks=(guards.typed("position", t("Choose how you vote.")),),
        adds=True,
    ),
    Action(
        name=ActionName.CLOSE_BALLOT,
        label=t("Close the vote and show it"),
        done=t("Closed the vote"),
        rule="R19",
        start=frozenset({State.DELIBERATING}),
        who=frozenset({Part.CHAIR}),
        guards=(panel.enough_votes, panel.all_is_open_to_the_parties, panel.votes_on_all_there_is),
        adds=True,
    ),
    Action(
        name=ActionName.RECORD_ROOM_VOTE,
        label=t("Record the vote taken in the room"),
        done=t("Recorded the vote taken in the room"),
        rule="R19",
        start=frozenset({State.DELIBERATING}),
        who=frozenset({Part.CHAIR}),
        guards=(panel.no_blind_vote_cast, panel.all_is_open_to_the_parties),
        checks=(panel.room_vote_is_whole,),
        adds=True,
    ),
    Action(
        name=ActionName.VOTE_AGAIN,
        label=t("Vote again"),
        done=t("Decided to vote again"),
        rule="R19",
        start=frozenset({State.DELIBERATING}),
        who=frozenset({Part.CHAIR}),
        guards=(panel.vote_is_void,),
        adds=True,
    ),
)
