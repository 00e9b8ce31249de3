"""Guards of panel, hearing and vote: composition, conflicts of interest, who was heard, what the vote says."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from uuid import UUID

from casework.domain.minutes import whole_minute
from casework.domain.terms import (
    UNANSWERED,
    Body,
    ConflictState,
    DemandKind,
    HearingStep,
    NoticeKind,
    Part,
    Position,
    Role,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow.audience import called
from casework.domain.workflow.facts import Ask, Facts, PanelFacts, PartyFacts, SeatFacts
from casework.text import Text, t

AT_THE_LAPTOP = frozenset({Part.CHAIR, Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.ORGANISER, Part.OFFICE})
"""On site one person at one laptop enters all of it; the deliberation stays with the panel."""
COMPOSERS = frozenset({Part.ORGANISER, Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.OFFICE})


def panel_fits(facts: Facts, ask: Ask) -> Text | None:
    """Nobody on the panel is barred from it, and it has a quorum of members who decide, and one chair."""
    seats: Mapping[UUID, SeatRole] = ask.data.get("seats", {})
    for person in seats:
        for reason in _bars(person, facts):
            return reason
    if len([role for role in seats.values() if role is not SeatRole.ATTENDEE]) < quorum(facts):
        return t("The panel needs at least {count} members.", count=quorum(facts))
    if list(seats.values()).count(SeatRole.CHAIR) != 1:
        return t("Choose one chair.")
    return None


def _bars(person: UUID, facts: Facts) -> Iterator[Text]:
    """What nobody can decide away (R19)."""
    if facts.party_of(person):
        yield t("A party cannot sit on the panel.")
    if person in facts.directors:
        yield t("Who gave the ruling cannot sit on the panel.")
    if any(seat.person_id == person and seat.conflict is ConflictState.RECUSED for seat in _seats(facts)):
        yield t("This member is already recused.")
    if facts.this.body is Body.LAW_COMMISSION:
        if person in facts.earlier_jurors:
            yield t("Who sat on the jury cannot try the case in the Law Commission.")
        if not any((person, role) in facts.staff for role in (Role.LK_MEMBER, Role.LK_RESERVE, Role.LK_CHAIR)):
            yield t("Only members and reserves of the Law Commission sit in it.")


def _seats(facts: Facts) -> tuple[SeatFacts, ...]:
    return facts.panel.seats if facts.panel else ()


def quorum(facts: Facts) -> int:
    """How many must decide, by the case's profile."""
    return facts.profile.number("jury_quorum" if facts.this.body is Body.JURY else "lk_quorum")


def composes_this_body(facts: Facts, ask: Ask) -> Text | None:
    """LK seats its own members, by its chair or the office; a jury is composed for the event."""
    own = {Part.LK_CHAIR, Part.OFFICE} if facts.this.body is Body.LAW_COMMISSION else COMPOSERS
    return None if ask.parts & own else t("The Law Commission seats its own members.")


def panel_may_change(facts: Facts, ask: Ask) -> Text | None:
    """Once the body hears or deliberates, members are added only where recusals have left too few."""
    begun = facts.this.state in (State.HEARING, State.DELIBERATING)
    if not begun or panel_is_composed(facts, ask) is not None:
        return None
    return t("The panel can be changed only if too few members are left.")


def panel_is_composed(facts: Facts, ask: Ask) -> Text | None:
    """There is a quorum of members who are not recused."""
    panel = facts.panel
    if panel is None or len(panel.deciding) < quorum(facts):
        return t("The panel needs at least {count} members.", count=quorum(facts))
    return None


def conflicts_are_settled(facts: Facts, ask: Ask) -> Text | None:
    """Every deciding member has answered whether he has a conflict of interest, and every doubt is decided."""
    panel = facts.panel
    if panel and all(seat.conflict is ConflictState.NONE for seat in panel.deciding):
        return None
    return t("Every member must first say whether there is a conflict of interest, and each doubt must be decided.")


def somebody_has_not_answered(facts: Facts, ask: Ask) -> Text | None:
    """A member is asked about conflicts of interest and has said nothing."""
    if any(seat.deciding and seat.conflict in UNANSWERED for seat in _seats(facts)):
        return None
    return t("Every member has answered about conflicts of interest.")


def own_seat(facts: Facts, ask: Ask) -> Text | None:
    """A member answers for himself; on site the one at the laptop may enter it for him."""
    seat = next((seat for seat in _seats(facts) if seat.id == ask.subject_id), None)
    if seat is None:
        return t("This person does not sit on the panel.")
    if not seat.conflict.sits:
        return _no_more(seat)
    if seat.person_id == ask.person_id or (facts.this.body is Body.JURY and ask.parts & AT_THE_LAPTOP):
        return None
    return t("You can answer for yourself only.")


def _no_more(seat: SeatFacts) -> Text:
    recused = seat.conflict is ConflictState.RECUSED
    return t("This member is already recused.") if recused else t("Somebody else sits instead of this member.")


def not_own_conflict(facts: Facts, ask: Ask) -> Text | None:
    """Nobody decides about his own conflict of interest; in LK the body decides, not the director or organiser.

    A member decides only where the chair's own is in question (R17).
    """
    seat = next((seat for seat in _seats(facts) if seat.id == ask.subject_id), None)
    if seat is None:
        return t("This person does not sit on the panel.")
    if not seat.conflict.sits:
        return _no_more(seat)
    if facts.this.body is Body.LAW_COMMISSION and not ask.parts & {Part.PANEL, Part.LK_CHAIR, Part.OFFICE}:
        return t("The body itself decides about conflicts of interest.")
    if not ask.parts & {Part.CHAIR, Part.ORGANISER, Part.OFFICE, Part.LK_CHAIR} and not chair_is_in_doubt(facts):
        return t("The chair decides about conflicts of interest.")
    return t("Nobody decides about his own conflict of interest.") if seat.person_id == ask.person_id else None


def chair_is_in_doubt(facts: Facts) -> bool:
    """Whether the chair's own conflict of interest is an open question."""
    return any(s.role is SeatRole.CHAIR and s.deciding and s.conflict is not ConflictState.NONE for s in _seats(facts))


def every_lk_member_is_called(facts: Facts, ask: Ask) -> Text | None:
    """R18: LK members present must have been called, whether they come or not."""
    panel = facts.panel
    have = {seat.person_id for seat in panel.seats if seat.called} if panel else set()
    if called(facts) <= have:
        return None
    return t("A member of the Law Commission is present and must be called before the hearing can open.")


def parties_are_called(facts: Facts, ask: Ask) -> Text | None:
    """The parties have been called."""
    panel = facts.panel
    if panel and panel.parties_called:
        return None
    if panel and any(seat.called for seat in panel.seats):
        return t("The jury has changed. Call again.")
    return t("The parties have not been called to the hearing.")


def called_to_the_future(facts: Facts, ask: Ask) -> Text | None:
    """R26: nobody can come to a hearing that began before its call; "now" is typed to the minute."""
    at: datetime | None = ask.data.get("at")
    if at is None or at >= whole_minute(ask.now):
        return None
    return t("The hearing cannot be called to a time that has passed.")


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


def its_time_has_come(facts: Facts, ask: Ask) -> Text | None:
    """R26: who is called to a time is waited for until then; earlier only when both sides are here."""
    panel = facts.panel
    if panel is None or panel.hearing_at is None or ask.now >= panel.hearing_at:
        return None
    if all(panel.attendance.get(party.id) for party in facts.parties):
        return None
    return t("The hearing is called to {at}. It opens earlier only when both sides are here.", at=panel.hearing_at)


def absent_only_when_it_is_time(facts: Facts, ask: Ask) -> Text | None:
    """R26: nobody is absent from what has not begun."""
    at = facts.panel.hearing_at if facts.panel else None
    if at is None or ask.now >= at or all(ask.data.get("parties", {}).values()):
        return None
    return t("Nobody is absent before the time of the call, {at}.", at=at)


def heard_in(facts: Facts, step: HearingStep) -> tuple[UUID, ...]:
    """The parties that a step of the hearing hears: those who appeal, or the others."""
    if step not in (HearingStep.APPELLANTS_HEARD, HearingStep.RESPONDENTS_HEARD):
        return ()
    appealing = {appeal.party_id for appeal in facts.tried_here}
    turn = step is HearingStep.APPELLANTS_HEARD
    return tuple(party.id for party in facts.parties if (party.id in appealing) is turn)


def steps_that_stand(
    taken: Mapping[HearingStep, datetime], *, arrived: Mapping[UUID, datetime], appealing: Collection[UUID]
) -> dict[HearingStep, datetime]:
    """A turn to be heard is open again for a party that came after it, and the room is cleared when all are heard.

    `arrived` is when each party that is present was noted so.
    """
    standing = dict(taken)
    for step in (HearingStep.APPELLANTS_HEARD, HearingStep.RESPONDENTS_HEARD):
        turn = (at for party, at in arrived.items() if (party in appealing) is (step is HearingStep.APPELLANTS_HEARD))
        if step in taken and any(at > taken[step] for at in turn):
            del standing[step]
    cleared = taken.get(HearingStep.ROOM_CLEARED)
    if cleared is not None and (len(standing) < len(taken) or any(at > cleared for at in taken.values())):
        del standing[HearingStep.ROOM_CLEARED]
    return standing


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


def votes_on_all_there_is(facts: Facts, ask: Ask) -> Text | None:
    """A vote rests on everything that counts: what came after the first vote makes it void, unless it is left out."""
    first = facts.panel.first_vote_at if facts.panel else None
    here = (s.received_at for s in facts.statements if s.proceeding_id == facts.this.id and not s.left_out)
    if first is not None and any(at is not None and at > first for at in here):
        return t("Something new has been filed since the vote began. The panel must vote again.")
    return None


def has_not_voted(facts: Facts, ask: Ask) -> Text | None:
    """One vote a member, and none by the recused."""
    panel = facts.panel
    seat = next((s for s in panel.deciding if s.person_id == ask.person_id), None) if panel else None
    if panel is None or seat is None:
        return t("You do not sit on the panel.")
    if panel.ballot_closed:
        return t("The ballot is closed.")
    return t("You have already voted.") if seat.id in panel.votes else None


def enough_votes(facts: Facts, ask: Ask) -> Text | None:
    """A ballot closes when a quorum has voted."""
    panel = facts.panel
    if panel is None or panel.ballot_closed:
        return t("The ballot is closed.")
    return t("Not enough members have voted.") if len(_counted(panel)) < quorum(facts) else None


def _counted(panel: PanelFacts) -> frozenset[UUID]:
    """The seats whose votes count: none of the recused."""
    return frozenset(panel.votes) & {seat.id for seat in panel.deciding}


def vote_is_void(facts: Facts, ask: Ask) -> Text | None:
    """The panel votes again where a vote decides nothing: news, no majority, or a member recused afterwards."""
    panel = facts.panel
    if votes_on_all_there_is(facts, ask) is not None:
        return None
    if panel is None or not panel.ballot_closed:
        return t("The vote is not closed.")
    if winning(facts) is None or ballot_is_closed(facts, ask) is not None:
        return None
    return t("The vote has a result.")


def no_blind_vote_cast(facts: Facts, ask: Ask) -> Text | None:
    """A vote in the room is recorded only where nobody has voted in the product."""
    panel = facts.panel
    if panel is None or panel.ballot_closed:
        return t("The ballot is closed.")
    return t("Somebody has already voted here. Let the others vote here too.") if panel.votes else None


def room_vote_is_whole(facts: Facts, ask: Ask) -> Text | None:
    """Each deciding member's position is named."""
    positions: Mapping[UUID, Position] = ask.data.get("positions", {})
    panel = facts.panel
    if panel and set(positions) == {seat.id for seat in panel.deciding}:
        return None
    return t("Enter how each member voted.")


def ballot_is_closed(facts: Facts, ask: Ask) -> Text | None:
    """A decision follows a closed ballot with a quorum, in which nobody recused took part."""
    panel = facts.panel
    if panel is None or not panel.ballot_closed:
        return t("The vote is not closed.")
    counted = _counted(panel)
    if len(counted) != len(panel.votes):
        return t("A recused member has voted. The panel must vote again.")
    return t("Not enough members have voted.") if len(counted) < quorum(facts) else None


def winning(facts: Facts) -> Position | None:
    """The position of more than half of those who voted; there is no casting vote."""
    votes = list(facts.panel.votes.values()) if facts.panel else []
    return next((position for position in Position if votes.count(position) * 2 > len(votes)), None)


def everybody_was_heard(facts: Facts, ask: Ask) -> Text | None:
    """No decision where a party was not heard: on site, or in writing (answered, declined, or asked and silent)."""
    if facts.on_site:
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
