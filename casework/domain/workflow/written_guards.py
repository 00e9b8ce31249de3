"""Guards of the written way: report, statements of all parties, complete papers (R27-R30)."""

from uuid import UUID

from casework.domain.terms import Body, DemandKind, Part, State, StatementKind
from casework.domain.workflow.facts import Ask, Facts
from casework.text import Text, t


def is_in_writing(facts: Facts, ask: Ask) -> Text | None:
    """A jury on site hears the parties in the room; nothing is filed when it has begun to deliberate."""
    return t("The jury hears the parties in the room, not in writing.") if facts.on_site else None


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
    """A filing answers an open demand; from a party that was asked before, what comes later is taken in too."""
    if ask.data.get("demand_id"):
        return demand_is_open(facts, ask)
    if facts.this.state is State.ANSWERING and _has_added(ask.party_id, facts):
        return t("This side has already added something. It can add more when the papers are complete.")
    if any(d.party_id == ask.party_id for d in facts.demanded(DemandKind.STATEMENT)) or facts.this.taken_up:
        return None
    return t("The parties have not yet been asked for their statements.")


def _has_added(party_id: UUID | None, facts: Facts) -> bool:
    """Once while the parties answer each other: each addition gives the others new time, and the papers wait for it."""
    return any(statement.party_id == party_id for statement in facts.filed(StatementKind.LATE))


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


def something_late_waits(facts: Facts, ask: Ask) -> Text | None:
    """There is late material that somebody may still answer: nothing else keeps the body from deciding."""
    if any(facts.waiting_for(statement.id) for statement in facts.filed(StatementKind.LATE)):
        return None
    return t("Nothing that came late waits for an answer.")


def may_be_left_out(facts: Facts, ask: Ask) -> Text | None:
    """Never what was in time, and never what everybody has answered or had the time to answer."""
    late = next((s for s in facts.filed(StatementKind.LATE) if s.id == ask.subject_id), None)
    if late is None:
        return t("Only what came after the papers were complete can be left out of account.")
    if late.left_out:
        return t("This is already left out of account.")
    if not facts.waiting_for(late.id):
        return t("Everybody has had the time to answer this, so it counts.")
    return None


def freed_by_leaving_out(facts: Facts, statement_id: UUID | None) -> frozenset[UUID]:
    """The demands that let a party answer nothing but this and what is left out already."""
    gone = {statement.id for statement in facts.statements if statement.left_out} | {statement_id}
    return frozenset(demand.id for demand in facts.waiting_for(statement_id) if demand.about <= gone)


def takes_up_for_the_body(facts: Facts, ask: Ask) -> Text | None:
    """LK's chair. A jury that meets later is seated when it has the papers: until then the office acts in its place.

    The office alone, as it does in the director's: director and organiser have a part in what went wrong.
    """
    if facts.on_site:
        return t("The jury hears the parties in the room, not in writing.")
    own = Part.LK_CHAIR if facts.this.body is Body.LAW_COMMISSION else Part.OFFICE
    return None if own in ask.parts else t("The body itself decides whether it takes the case up.")


def something_is_missing(facts: Facts, ask: Ask) -> Text | None:
    """A body takes an appeal up by its own decision only where a form fault remains, and only once."""
    if facts.this.taken_up or (facts.this.state is State.PREPARING and facts.filed(StatementKind.REPORT)):
        return t("Nothing is missing that the body would have to overlook.")
    return None


def contact_data_is_there(facts: Facts, ask: Ask) -> Text | None:
    """R29: the papers give address and telephone of director and parties."""
    if not facts.director_reachable:
        return t("The director's address and telephone number are missing.")
    for party in facts.parties:
        if not any(member.reachable_on_paper for member in party.members):
            return t("Address and telephone number of {party} are missing.", party=party.label)
    return None
