"""What a ruling or decision rests on and sends out beside what is typed with it: for its check page, and its signature.

One gathering serves both, so that nobody signs what he was not shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ProceedingKind
from casework.domain.workflow.lodging import way_on
from casework.services.before_sending import Told, parties_told, players_told, told_decision
from casework.services.before_telling import BeforeTelling, before_telling
from casework.services.boards import RulingPapers, ruling_papers
from casework.services.case_facts import fact_sections
from casework.services.loading import Loaded
from casework.services.opening import Contestants
from casework.services.score_view import ScoreView, newest_view
from casework.services.snapshot import snapshot
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingOut:
    """What stands in the case.

    `papers`: the board, and facts and reasons as far as they are drafted or added; `facts`: heading and text of each.
    """

    papers: RulingPapers
    facts: tuple[tuple[Text, str], ...]
    score: ScoreView | None
    told: tuple[Told, ...]

    @property
    def pieces(self) -> dict[Piece, Any]:
        """By the names that a reader knows."""
        papers = self.papers
        return {
            Piece.SCORE: self.score,
            Piece.BOARD: papers.board.to_json() if papers.board_filed else None,
            Piece.FACTS: self.facts,
            Piece.REASONS: papers.reasons,
            Piece.TOLD: self.told,
        }


def going_out(session: Session, loaded: Loaded, actor: Actor, now: datetime) -> GoingOut:
    """Of the loaded proceeding, whoever decides in it; drafts are the director's own. `actor` is who signs."""
    rules = loaded.proceeding.kind is ProceedingKind.RULING
    papers = ruling_papers(session, loaded, drafting=rules)
    return GoingOut(
        papers=papers,
        facts=fact_sections(loaded, papers),
        score=newest_view(session, loaded),
        told=parties_told(loaded) if rules else told_decision(session, snapshot(loaded), actor, now),
    )


def shown_of_ruling(out: GoingOut, ahead: BeforeTelling) -> Shown:
    """The check page of a ruling in a case that is open; `ahead` as by whom the director has told."""
    return Shown(out.pieces | _times(ahead))


def ruling_now(
    session: Session, loaded: Loaded, director: Actor, told: Mapping[UUID, datetime], now: datetime
) -> Shown:
    """The same, gathered as the page gathers it."""
    ahead = before_telling(loaded, director.name, told, now)
    return shown_of_ruling(going_out(session, loaded, director, now), ahead)


def shown_at_the_table(
    session: Session,
    found: Contestants,
    director: Actor,
    told: Mapping[UUID, datetime],
    now: datetime,
) -> Shown:
    """The check page of a ruling that opens its case."""
    ahead = before_telling(found, director.name, told, now)
    return Shown({Piece.SIDES: found.sides, Piece.TOLD: players_told(session, found), **_times(ahead)})


def _times(ahead: BeforeTelling) -> dict[Piece, Any]:
    """Whose time would be over hangs on what is typed on the check page itself."""
    return {Piece.TIMES: ahead.words, Piece.OVER: ahead.over}


def shown_sides(found: Contestants) -> Shown:
    """The check page of a question at the table: who it is about."""
    return Shown({Piece.SIDES: found.sides})


def shown_of_decision(loaded: Loaded, out: GoingOut) -> Shown:
    """The check page of a body's decision; what is kept by its id has no order that a database could change."""
    facts = snapshot(loaded)
    ours = {panel.id for panel in loaded.panels if panel.proceeding_id == loaded.proceeding.id}
    return Shown(
        out.pieces
        | {
            Piece.APPEALS: {appeal.id: appeal for appeal in facts.tried_here},
            Piece.PAPERS: {row.id: [row.opened_at, row.left_out_because] for row in loaded.statements},
            Piece.VOTE: {vote.id: [vote.seat_id, vote.position, vote.dissent] for vote in loaded.votes},
            Piece.SIDES: {row.party_id: row.present for row in loaded.attendances if row.panel_id in ours},
            Piece.TIMES: [way_on(facts), facts.profile.span("jury_to_lk").words],
        }
    )


def decision_now(session: Session, loaded: Loaded, actor: Actor, now: datetime) -> Shown:
    """The same, gathered as the page gathers it."""
    return shown_of_decision(loaded, going_out(session, loaded, actor, now))
