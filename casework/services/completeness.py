"""What complete papers consist of, what of it is there, and who must act for the rest (R27-R30, C9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlmodel import Session

from casework.domain.labels import label
from casework.domain.models import Demand
from casework.domain.shown import Piece as ShownPiece
from casework.domain.shown import Shown
from casework.domain.terms import DemandKind, StatementKind
from casework.domain.workflow.decision_guards import lacking
from casework.services import contacts, readings, scores
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.text import Text, t


class Piece(StrEnum):
    """What a line of the list is about: the web leads from it to the page where it is done."""

    REPORT = "report"
    SCORE = "score"
    DEMAND = "demand"
    STATEMENT = "statement"
    ANSWER = "answer"
    CONTACT = "contact"
    CONCURRENCE = "concurrence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One part of the papers. `state` says how it stands, `who` must act where it is not there."""

    piece: Piece
    title: Text
    done: bool
    state: Text
    who: Text | str = ""
    until: datetime | None = None
    person_id: UUID | None = None


def completeness(session: Session, loaded: Loaded) -> Sequence[Line]:
    """The papers of the loaded appeal proceeding, line by line."""
    director = readings.names(session, loaded, [loaded.proceeding.director_id])[loaded.proceeding.director_id]
    return [
        *_concurrences(loaded),
        *_report(loaded, director),
        *_score(session, loaded, director),
        *_heard(loaded, DemandKind.STATEMENT, director),
        *_heard(loaded, DemandKind.ANSWER, director),
        *_contacts(session, loaded, director),
    ]


def shown_lines(lines: Sequence[Line]) -> Shown:
    """The page that sends the papers in."""
    return Shown({ShownPiece.PAPERS: sorted(lines, key=repr)})


def papers_shown(session: Session, loaded: Loaded) -> Shown:
    """The same, gathered as the page gathers it."""
    return shown_lines(completeness(session, loaded))


def _report(loaded: Loaded, director: str) -> Iterator[Line]:
    filed = next(
        (s for s in loaded.statements if _here(loaded, s.proceeding_id) and s.kind is StatementKind.REPORT), None
    )
    yield Line(
        piece=Piece.REPORT,
        title=t("The director's report"),
        done=filed is not None,
        state=t("Filed {at}.", at=filed.signed_at) if filed else t("Not filed."),
        who="" if filed else director,
    )


def _score(session: Session, loaded: Loaded, director: str) -> Iterator[Line]:
    """Only where it is missing: a body cannot try a weighted score of which nobody has said what it comes to."""
    ruling = loaded.decision(loaded.root.id)
    if ruling is None or ruling.outcome is None:
        return
    if scores.lacks_score(ruling.outcome, scores.newest_score(session, loaded.root.id)):
        title = t("The score of the ruling: {outcome}", outcome=label(ruling.outcome))
        yield Line(piece=Piece.SCORE, title=title, done=False, state=scores.NOT_COUNTED, who=director)


def _concurrences(loaded: Loaded) -> Iterator[Line]:
    """Law 92D: an appeal is tried only when those who must stand behind it do."""
    facts = snapshot(loaded)
    for appeal in facts.tried_here:
        for person in sorted(lacking(facts, appeal), key=lambda person: loaded.persons[person].name):
            name, party = loaded.persons[person].name, facts.party(appeal.party_id).label
            yield Line(
                piece=Piece.CONCURRENCE,
                title=t("The word of {name} on the appeal of {party}", name=name, party=party),
                done=False,
                state=t("Without it the appeal cannot be tried."),
                who=name,
            )


def _here(loaded: Loaded, proceeding_id: UUID) -> bool:
    return proceeding_id == loaded.proceeding.id


def _heard(loaded: Loaded, kind: DemandKind, director: str) -> Iterator[Line]:
    demands = [d for d in loaded.demands if _here(loaded, d.proceeding_id) and d.kind is kind]
    if not demands and kind is DemandKind.STATEMENT:
        yield Line(
            piece=Piece.DEMAND,
            title=t("Statements of all parties"),
            done=False,
            state=t("Not asked for yet."),
            who=director,
        )
    for demand in demands:
        yield _demand(loaded, demand)


def _demand(loaded: Loaded, demand: Demand) -> Line:
    party = readings.party_label(loaded, demand.party_id)
    statement = demand.kind is DemandKind.STATEMENT
    deadline = readings.deadline_of(loaded, demand)
    title = t("Statement of {party}", party=party) if statement else t("Answer of {party} to the others", party=party)
    if demand.ended is not None:
        state = t("{how}, {at}.", how=label(demand.ended), at=demand.ended_at or demand.asked_at)
    elif deadline is not None and deadline.instant is not None:
        state = t("Waits until {until}.", until=deadline.instant)
    else:
        state = t("Asked. The time starts when the question has reached them.")
    return Line(
        piece=Piece.STATEMENT if statement else Piece.ANSWER,
        title=title,
        done=demand.ended is not None,
        state=state,
        who="" if demand.ended else party,
        until=deadline.instant if deadline else None,
    )


def _contacts(session: Session, loaded: Loaded, director: str) -> Iterator[Line]:
    """One member of each party is enough for the papers (as the procedure's guard has it)."""
    reachable = contacts.people(session, loaded)
    reached = {person.party_id for person in reachable if person.whole}
    for person in reachable:
        enough = person.whole or (person.party_id is not None and person.party_id in reached)
        yield Line(
            piece=Piece.CONTACT,
            title=t("Address and telephone number of {name}", name=person.name),
            done=enough,
            state=_contact_state(whole=person.whole, enough=enough),
            who="" if enough else director,
            person_id=person.person_id,
        )


def _contact_state(*, whole: bool, enough: bool) -> Text:
    if whole:
        return t("Are there.")
    return t("Not given. Another player of the same side can be reached.") if enough else t("Missing.")
