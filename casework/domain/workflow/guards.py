"""Guards: each returns None, or the reason in words why a step may not be taken."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from casework.domain.terms import (
    AppealOutcome,
    Body,
    ConflictState,
    DeadlineKind,
    DemandKind,
    HearingStep,
    NoticeKind,
    Part,
    Position,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow.audience import called, concurring
from casework.domain.workflow.facts import Ask, Facts, PanelFacts, PartyFacts
from casework.domain.workflow.table import Guard
from casework.text import Text, t

# What was typed


def typed(field: str, reason: Text) -> Guard:
    """A guard that asks for a field that is not empty."""

    def guard(facts: Facts, ask: Ask) -> Text | None:
        value = ask.data.get(field)
        return reason if not (value.strip() if isinstance(value, str) else value) else None

    return guard


# The ruling


def has_both_sides(facts: Facts, ask: Ask) -> Text | None:
    """Both sides are parties (R32: all parties are told)."""
    return None if len(facts.parties) == 2 else t("Say which contestants are the parties: both sides must be told.")


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
    if ask.data.get("of_judgement") and not str(ask.data.get("reasons", "")).strip():
        return t("A ruling of judgement needs its reasons.")
    return None


def ruling_is_given(facts: Facts, ask: Ask) -> Text | None:
    """R22: the director takes a position himself; no case goes to a jury without his ruling."""
    if facts.this.decision_id is not None:
        return None
    return t("You must give a ruling before the jury can try the case. You may postpone it, but not leave it to the jury.")


def telling_is_possible(facts: Facts, ask: Ask) -> Text | None:
    """Somebody was told after the ruling was given and not in the future."""
    told: datetime = ask.data.get("told_at", ask.now)
    return t("The time when the party was told cannot be in the future.") if told > ask.now else None


def all_windows_have_run(facts: Facts, ask: Ask) -> Text | None:
    """Final when the last party's window has run: never before each party is proven told."""
    if facts.running(DeadlineKind.APPEAL_WINDOW):
        return t("The time to appeal has not run out for all parties.")
    return None


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
    """The deadline's instant has come."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    if deadline is None or deadline.ended is not None:
        return t("This deadline has already ended.")
    if deadline.instant is None or deadline.instant > ask.now:
        return t("The time has not run out.")
    return None


def longer_than_before(facts: Facts, ask: Ask) -> Text | None:
    """A window is prolonged, never cut."""
    deadline = next((d for d in facts.deadlines if d.id == ask.subject_id), None)
    until: datetime | None = ask.data.get("until")
    if deadline is None or until is None or until <= ask.now or (deadline.instant and until <= deadline.instant):
        return t("The new time must be later than the old one and later than now.")
    return None


# The appeal


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


def not_yet_tried(facts: Facts, ask: Ask) -> Text | None:
    """An appeal of the other side joins while the body has not begun to deliberate."""
    child = facts.child
    if child is not None and child.state in (State.DELIBERATING, State.DECIDED, State.FINAL, State.APPEALED, State.TRIED):
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


def only_for_the_party_with_reason(facts: Facts, ask: Ask) -> Text | None:
    """An official withdraws an appeal only because the party said so: when and how is written down."""
    if Part.APPELLANT in ask.parts or str(ask.data.get("because", "")).strip():
        return None
    return t("Write when and how the party withdrew its appeal.")


def has_not_concurred(facts: Facts, ask: Ask) -> Text | None:
    """One word a person, and only of one whose word is needed."""
    appeal = next((a for a in facts.tried_here if a.id == ask.subject_id), None)
    who = ask.data.get("concurring_id", ask.person_id)
    if appeal is None:
        return t("This appeal has been withdrawn.")
    if who in appeal.concurred:
        return t("This player has already concurred.")
    if not facts.party(appeal.party_id).has(who):
        return t("Only a player or captain of the appealing side can concur.")
    return None


def forwarding_is_late(facts: Facts, ask: Ask) -> Text | None:
    """Others forward in the director's place only when his time has run out."""
    if any(d.overdue or (d.instant and d.instant <= ask.now) for d in facts.running(DeadlineKind.FORWARD_APPEAL)):
        return None
    return t("The director still has time to forward the appeal.")


def sending_in_is_late(facts: Facts, ask: Ask) -> Text | None:
    """Others send in in the director's place only when his time has run out."""
    if any(d.overdue or (d.instant and d.instant <= ask.now) for d in facts.running(DeadlineKind.SEND_IN)):
        return None
    return t("The director still has time to send in the papers.")


# The panel


def _panel(facts: Facts) -> PanelFacts | None:
    return facts.panel


def panel_fits(facts: Facts, ask: Ask) -> Text | None:
    """Nobody on the panel is a party, and it has a quorum and one chair."""
    seats: Mapping[UUID, SeatRole] = ask.data.get("seats", {})
    if any(facts.party_of(person) for person in seats):
        return t("A party cannot sit on the panel.")
    if any(p.decided_by in seats for p in facts.proceedings if p.decided_by):
        return t("Who gave the ruling cannot sit on the panel.")
    if facts.this.body is Body.LAW_COMMISSION and earlier_jurors(facts) & set(seats):
        return t("Who sat on the jury cannot try the case in the Law Commission.")
    if len(seats) < quorum(facts):
        return t("The panel needs at least {count} members.", count=quorum(facts))
    if list(seats.values()).count(SeatRole.CHAIR) != 1:
        return t("Choose one chair.")
    return None


def quorum(facts: Facts) -> int:
    """How many must decide, by the case's profile."""
    return facts.profile.number("jury_quorum" if facts.this.body is Body.JURY else "lk_quorum")


def earlier_jurors(facts: Facts) -> frozenset[UUID]:
    """R19: who sat to decide this case in a lower instance."""
    return frozenset(
        seat.person_id
        for panel in facts.panels
        if panel.proceeding_id != facts.this.id
        for seat in panel.seats
        if seat.role is not SeatRole.ATTENDEE
    )


def panel_is_composed(facts: Facts, ask: Ask) -> Text | None:
    """There is a quorum of members who are not recused."""
    panel = _panel(facts)
    if panel is None or len(panel.deciding) < quorum(facts):
        return t("The panel needs at least {count} members.", count=quorum(facts))
    return None


def conflicts_are_settled(facts: Facts, ask: Ask) -> Text | None:
    """Every deciding member has answered whether he has a conflict of interest, and every doubt is decided."""
    panel = _panel(facts)
    if panel and all(seat.conflict is ConflictState.NONE for seat in panel.deciding):
        return None
    return t("Every member must first say whether there is a conflict of interest, and each doubt must be decided.")


def own_seat(facts: Facts, ask: Ask) -> Text | None:
    """A member answers for himself; on site the one at the laptop may enter it for him."""
    panel = _panel(facts)
    seat = next((s for s in panel.seats if s.id == ask.subject_id), None) if panel else None
    if seat is None:
        return t("This person does not sit on the panel.")
    if seat.conflict is ConflictState.RECUSED:
        return t("This member is already recused.")
    if ask.parts & {Part.SEATED, Part.PANEL} and Part.CHAIR not in ask.parts and seat.person_id != ask.person_id:
        return t("You can answer for yourself only.")
    return None


def not_own_conflict(facts: Facts, ask: Ask) -> Text | None:
    """Nobody decides about his own conflict of interest."""
    panel = _panel(facts)
    seat = next((s for s in panel.seats if s.id == ask.subject_id), None) if panel else None
    if seat is None:
        return t("This person does not sit on the panel.")
    return t("Nobody decides about his own conflict of interest.") if seat.person_id == ask.person_id else None


def every_lk_member_is_called(facts: Facts, ask: Ask) -> Text | None:
    """R18: LK members present must have been called, whether they come or not."""
    panel = _panel(facts)
    have = {seat.person_id for seat in panel.seats if seat.called} if panel else set()
    if called(facts) <= have:
        return None
    return t("A member of the Law Commission is present and must be called before the hearing can open.")


def parties_are_called(facts: Facts, ask: Ask) -> Text | None:
    """The parties have been called."""
    return None if facts.panel and facts.panel.parties_called else t("The parties have not been called to the hearing.")


def every_party_is_accounted_for(facts: Facts, ask: Ask) -> Text | None:
    """Each party is present, or noted absent with proof that the call reached it."""
    for party in facts.parties:
        reason = _unheard_on_site(party, facts)
        if reason is not None:
            return reason
    return None


def _unheard_on_site(party: PartyFacts, facts: Facts) -> Text | None:
    attendance = facts.panel.attendance if facts.panel else {}
    if attendance.get(party.id):
        return None
    if party.id not in attendance:
        return t("Note whether {party} is present.", party=party.label)
    if any(proof.party_id == party.id and proof.kind is NoticeKind.SUMMONS for proof in facts.proofs):
        return None
    return t("{party} is absent, and nothing proves that the call reached them.", party=party.label)


HEARING_ORDER = tuple(HearingStep)


def steps_are_done(facts: Facts, ask: Ask) -> Text | None:
    """The hearing's checklist is complete before the panel deliberates."""
    done = facts.panel.steps if facts.panel else frozenset()
    missing = [step for step in HEARING_ORDER if step not in done]
    return t("The hearing's checklist is not complete.") if missing else None


def next_step_only(facts: Facts, ask: Ask) -> Text | None:
    """Steps are taken in the federation's order."""
    done = facts.panel.steps if facts.panel else frozenset()
    following = next((step for step in HEARING_ORDER if step not in done), None)
    return None if ask.data.get("step") is following else t("Take the steps of the hearing in their order.")


# The vote and the decision


def has_not_voted(facts: Facts, ask: Ask) -> Text | None:
    """One vote a member, and none by the recused."""
    panel = _panel(facts)
    seat = next((s for s in panel.deciding if s.person_id == ask.person_id), None) if panel else None
    if panel is None or seat is None:
        return t("You do not sit on the panel.")
    if panel.ballot_closed:
        return t("The ballot is closed.")
    return t("You have already voted.") if seat.id in panel.votes else None


def enough_votes(facts: Facts, ask: Ask) -> Text | None:
    """A ballot closes when a quorum has voted."""
    panel = _panel(facts)
    if panel is None or panel.ballot_closed:
        return t("The ballot is closed.")
    return t("Not enough members have voted.") if len(panel.votes) < quorum(facts) else None


def no_blind_vote_cast(facts: Facts, ask: Ask) -> Text | None:
    """A vote in the room is recorded only where nobody has voted in the product."""
    panel = _panel(facts)
    if panel is None or panel.ballot_closed:
        return t("The ballot is closed.")
    return t("Somebody has already voted here. Let the others vote here too.") if panel.votes else None


def room_vote_is_whole(facts: Facts, ask: Ask) -> Text | None:
    """Each deciding member's position is named."""
    positions: Mapping[UUID, Position] = ask.data.get("positions", {})
    panel = _panel(facts)
    if panel and set(positions) == {seat.id for seat in panel.deciding}:
        return None
    return t("Enter how each member voted.")


def ballot_is_closed(facts: Facts, ask: Ask) -> Text | None:
    """A decision follows a closed ballot with a quorum, in which nobody recused took part."""
    panel = _panel(facts)
    if panel is None or not panel.ballot_closed:
        return t("The vote is not closed.")
    deciding = {seat.id for seat in panel.deciding}
    counted = [seat for seat in panel.votes if seat in deciding]
    if len(counted) != len(panel.votes):
        return t("A recused member has voted. The panel must vote again.")
    return t("Not enough members have voted.") if len(counted) < quorum(facts) else None


def winning(facts: Facts) -> Position | None:
    """The position of more than half of those who voted; there is no casting vote."""
    votes = list(facts.panel.votes.values()) if facts.panel else []
    return next((position for position in Position if votes.count(position) * 2 > len(votes)), None)


_FITTING: Mapping[Position, frozenset[AppealOutcome]] = {
    Position.CONFIRM: frozenset({AppealOutcome.REJECTED}),
    Position.CHANGE: frozenset({AppealOutcome.GRANTED, AppealOutcome.PARTLY, AppealOutcome.REJECTED}),
    Position.DISMISS: frozenset({AppealOutcome.DISMISSED}),
}


def outcome_follows_the_vote(facts: Facts, ask: Ask) -> Text | None:
    """Every appeal gets an outcome, and the majority's position is what is decided."""
    outcomes: Mapping[UUID, AppealOutcome] = ask.data.get("outcomes", {})
    if set(outcomes) != {appeal.id for appeal in facts.tried_here}:
        return t("Decide on every appeal.")
    majority = winning(facts)
    if majority is None:
        return t("No position has a majority. Vote again or deliberate further.")
    given = set(outcomes.values())
    changed = bool(given & {AppealOutcome.GRANTED, AppealOutcome.PARTLY})
    if not given <= _FITTING[majority] or (outcomes and changed != (majority is Position.CHANGE)):
        return t("The outcome does not follow the vote.")
    return None


def late_is_judged(facts: Facts, ask: Ask) -> Text | None:
    """A late appeal is left to the body: it says whether it tries it, and why."""
    for appeal in facts.tried_here:
        if appeal.in_time is False and appeal.id not in ask.data.get("found_in_time", {}):
            return t("An appeal came in late. Decide whether it is tried.")
    return None


def everybody_was_heard(facts: Facts, ask: Ask) -> Text | None:
    """No decision where a party was not heard: on site, or in writing (answered, declined, or asked and silent)."""
    if facts.this.body is Body.JURY and facts.panel and facts.panel.attendance:
        return every_party_is_accounted_for(facts, ask)
    asked = {d.party_id for d in facts.demanded(DemandKind.STATEMENT) if d.ended is not None}
    unheard = next((party for party in facts.parties if party.id not in asked), None)
    return None if unheard is None else t("{party} has not been heard.", party=unheard.label)


def all_is_open_to_the_parties(facts: Facts, ask: Ask) -> Text | None:
    """Nothing grounds a decision that a party could not see and answer."""
    hidden = any(not s.opened for s in facts.statements if s.kind is not StatementKind.REQUEST)
    unanswered = any(d.ended is None for d in facts.demands if d.proceeding_id == facts.this.id)
    if hidden or unanswered:
        return t("There is material that a party has not yet been able to read and answer.")
    return None


# The written way


def no_report_yet(facts: Facts, ask: Ask) -> Text | None:
    """One report a proceeding."""
    return t("The report is already filed.") if facts.filed(StatementKind.REPORT) else None


def report_is_filed(facts: Facts, ask: Ask) -> Text | None:
    """The parties answer to a report they can read (R27), unless a body took the case up without one."""
    if facts.filed(StatementKind.REPORT) or facts.this.taken_up:
        return None
    return t("The director's report is not filed.")


def nothing_demanded_yet(facts: Facts, ask: Ask) -> Text | None:
    """All parties are asked once, together."""
    return t("The statements are already demanded.") if facts.demanded(DemandKind.STATEMENT) else None


def demand_is_open(facts: Facts, ask: Ask) -> Text | None:
    """The demand stands and is the party's own if a party answers."""
    demand = next((d for d in facts.demands if d.id == ask.data.get("demand_id")), None)
    if demand is None or demand.ended is not None:
        return t("This question has already been answered or its time has run out.")
    if Part.PARTY in ask.parts and not facts.party(demand.party_id).has(ask.person_id):
        return t("You can act for your own side only.")
    return None


def fits_the_time(facts: Facts, ask: Ask) -> Text | None:
    """While statements are collected a filing answers an open demand; later it is taken in as late material."""
    if facts.this.state in (State.PREPARING, State.ANSWERING) or ask.data.get("demand_id"):
        return demand_is_open(facts, ask)
    return None


def statements_are_in(facts: Facts, ask: Ask) -> Text | None:
    """R30: each party has answered, declined, or was asked, had its time and stayed silent."""
    demands = facts.demanded(DemandKind.STATEMENT)
    if {d.party_id for d in demands if d.ended} == {party.id for party in facts.parties}:
        return None
    return t("Not every party has answered, and the time has not run out for all.")


def answers_are_in(facts: Facts, ask: Ask) -> Text | None:
    """Each party's time to answer the others has been used or has run out."""
    demands = facts.demanded(DemandKind.ANSWER)
    if demands and all(d.ended for d in demands):
        return None
    return t("The parties may still answer each other.")


def contact_data_is_there(facts: Facts, ask: Ask) -> Text | None:
    """R29: the papers give address and telephone of director and parties."""
    if not facts.director_reachable:
        return t("The director's address and telephone number are missing.")
    for party in facts.parties:
        if not any(member.reachable_on_paper for member in party.members):
            return t("Address and telephone number of {party} are missing.", party=party.label)
    return None


def concurrence(facts: Facts, appeal_party: UUID, concurred: frozenset[UUID]) -> frozenset[UUID]:
    """Whose word on an appeal is still waited for (Law 92D)."""
    return concurring(facts, appeal_party) - concurred
