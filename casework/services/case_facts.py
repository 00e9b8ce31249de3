"""The board and the facts of a case as they now stand: what a party is asked to answer (R27, R28)."""

from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session

from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.bridge.board_parts import Change
from casework.domain.bridge.files.writer import write_pbn
from casework.domain.errors import Missing
from casework.services.board_changes import Filing, filings
from casework.services.board_view import BoardView
from casework.services.boards import RulingPapers, ruling_papers
from casework.services.loading import Loaded
from casework.services.queries import load_visible
from casework.services.readings import side_labels
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """One filing of the board, to read on the page of all."""

    id: UUID
    words: Text
    changes: tuple[Change, ...]
    board: BoardView


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFacts:
    """`sections`: heading and text, those that hold something; `board` while none is filed: None.

    `filings`: when and by whom it was filed, the newest first, each with what it changed and the board as it was.
    """

    number: str
    place: tuple[str, ...]
    board: BoardView | None
    sections: tuple[tuple[Text, str], ...]
    filings: tuple[Filed, ...] = ()


def case_facts(session: Session, case_id: UUID, actor: Actor, language: str) -> CaseFacts:
    """The newest of everything that the director has filed. Raises Missing where the actor may not know of it."""
    loaded = load_visible(session, case_id, actor)
    known, filed = ruling_papers(session, loaded), filings(session, loaded)
    decision = loaded.decision(loaded.root.id)
    sections = [
        (t("What happened"), decision.facts if decision else ""),
        *fact_sections(loaded, known),
        (t("Reasons"), known.reasons),
    ]
    return CaseFacts(
        number=loaded.case.number,
        place=(loaded.tournament.name, loaded.playing_session.name),
        board=filed[-1].view(language) if filed else None,
        sections=tuple((title, text) for title, text in sections if text),
        filings=tuple(_filed(each, language) for each in reversed(filed)),
    )


def _filed(filing: Filing, language: str) -> Filed:
    words = t("{at}, {who}", at=filing.at, who=filing.by)
    return Filed(id=filing.id, words=words, changes=filing.changes(language), board=filing.view(language))


def fact_sections(loaded: Loaded, known: RulingPapers) -> tuple[tuple[Text, str], ...]:
    """Heading and text of what the sides agree on and what each says alone; what is not written is left out."""
    said = {side.value: text for side, text in known.disputed.items()}
    sections = [
        (t("What both sides agree on"), known.agreed),
        *((t("What {party} says", party=who), said.get(side, "")) for side, who in side_labels(loaded).items()),
    ]
    return tuple((title, text) for title, text in sections if text)


def board_pbn(session: Session, case_id: UUID, actor: Actor) -> tuple[str, str]:
    """The case's number and its board as PBN, for programs outside. Raises Missing where there is none to see."""
    loaded = load_visible(session, case_id, actor)
    known = ruling_papers(session, loaded)
    if not known.board_filed:
        raise Missing
    day = loaded.playing_session.starts_at.astimezone(LOCAL)
    return loaded.case.number, write_pbn(known.board, event=loaded.tournament.name, date=f"{day:%Y.%m.%d}")
