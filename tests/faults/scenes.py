"""A case at a moment when several people may act in it, and what each of them may do then."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.database import dispose, uow
from casework.domain.models import Deadline, Panel, Proceeding, Seat
from casework.domain.terms import AppealOutcome, AppealRoute, Position, SeatRole, Side
from casework.services import appeals, decisions, hearings, prolonging, rulings, statements
from casework.services.appeals import AppealInput
from casework.services.decisions import AppealDecision, DecisionInput
from casework.services.statements import StatementInput
from casework.services.step import FormInstance
from casework.settings import get_settings
from tests import factories, support
from tests.conftest import Set
from tests.juries import JURORS
from tests.story import Story

Do = Callable[[Session, FormInstance], object]


@dataclass(frozen=True)
class Deed:
    """What somebody does with a form that he has before him."""

    name: str
    do: Do
    moves: bool = True
    """Whether the form carries the version that its reader saw."""
    again: bool = False
    """Whether it may be done once more, by another form."""


@dataclass(frozen=True)
class Scene:
    """`proceeding_id` is where it happens."""

    proceeding_id: UUID
    deeds: Mapping[str, Deed]

    def version(self) -> int:
        """What a page opened now carries."""
        with uow() as session:
            return session.get_one(Proceeding, self.proceeding_id).version


def scene(story: Story, *deeds: Deed) -> Scene:
    """At the story's newest proceeding."""
    return Scene(story.newest(), {deed.name: deed for deed in deeds})


def ruled() -> Scene:
    """A ruling's time to appeal runs: both sides may appeal, and the director may give more time."""
    story = Story.begun()
    story.rule()
    story.publish()
    at, ours = story.later(), story.case.proceeding_id
    with uow() as session:
        window = session.exec(
            select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        ).first()
    assert window is not None

    def lodge(who: str, side: Side) -> Do:
        entered = AppealInput(party_id=story.case.party_ids[side], wants="Allt.")
        return lambda s, form: appeals.lodge_appeal(s, ours, story.actors[who], entered, now=at, form=form)

    def prolong(s: Session, form: FormInstance) -> object:
        return prolonging.prolong_window(
            s, ours, story.actors["director"], deadline_id=window.id, party_id=window.party_id or ours,
            until=at + timedelta(days=1), because="Sent.", now=at, form=form,
        )  # fmt: skip

    return scene(
        story,
        Deed("north", lodge("north", Side.NORTH_SOUTH), moves=False),
        Deed("south", lodge("south", Side.NORTH_SOUTH), moves=False),
        Deed("east", lodge("east", Side.EAST_WEST), moves=False),
        Deed("prolong", prolong),
    )


def open_question() -> Scene:
    """A question that waits for its director, who may rule, postpone, or hand it over."""
    story = Story.begun()
    at, ours, director = story.later(), story.case.proceeding_id, story.actors["director"]
    chief = story.there.persons["chief"]
    return scene(
        story,
        Deed("rule", lambda s, f: rulings.give_ruling(s, ours, director, factories.ruling(), now=at, form=f)),
        Deed("postpone", lambda s, f: rulings.postpone_ruling(s, ours, director, waits_for="Svar.", now=at, form=f)),
        Deed(
            "hand over",
            lambda s, f: rulings.hand_over_ruling(
                s, ours, story.actors["organiser"], director_id=chief, now=at, form=f
            ),
        ),
    )


def lodged() -> Scene:
    """An appeal is with the director: it may be concurred in, withdrawn, and passed on."""
    story = Story.begun()
    story.rule()
    story.publish()
    here, at = story.appeal(), story.later()
    (appeal,), director = story.appeals(), story.actors["director"]
    concur: Do = lambda s, f: appeals.concur(s, here, story.actors["south"], appeal_id=appeal, now=at, form=f)  # noqa: E731  # a deed, named
    warn: Do = lambda s, f: appeals.warn_appellant(  # noqa: E731  # a deed, named
        s, here, director, appeal_id=appeal, how="Vid bordet.", told_at=at, now=at, form=f
    )
    withdraw: Do = lambda s, f: appeals.withdraw_appeal(  # noqa: E731  # a deed, named
        s, here, story.actors["north"], appeal_id=appeal, now=at, form=f
    )
    return scene(
        story,
        Deed("concur", concur, moves=False),
        Deed("warn", warn, moves=False, again=True),
        Deed("withdraw", withdraw),
        Deed("forward", lambda s, f: appeals.forward_appeal(s, here, director, now=at, form=f)),
    )


def heard() -> Scene:
    """Both sides are heard: the jury may begin to deliberate, and until then the appeal may be withdrawn."""
    story = Story.begun()
    story.rule()
    story.publish()
    here = story.appeal()
    story.forward()
    story.compose(*JURORS)
    story.declare()
    story.call()
    story.attend(closed=False)
    at, (appeal,) = story.later(), story.appeals()
    withdraw: Do = lambda s, f: appeals.withdraw_appeal(  # noqa: E731  # a deed, named
        s, here, story.actors["north"], appeal_id=appeal, now=at, form=f
    )
    deliberate: Do = lambda s, f: hearings.close_hearing(s, here, story.actors["organiser"], now=at, form=f)  # noqa: E731  # a deed, named
    return scene(story, Deed("deliberate", deliberate), Deed("withdraw", withdraw))


def voted() -> Scene:
    """The jury has voted: the chair may sign, a member may be recused or leave."""
    story = Story.begun()
    story.rule()
    story.publish()
    here = story.appeal()
    story.forward()
    story.hear(*JURORS)
    story.vote(*JURORS, position=Position.CONFIRM)
    at, (appeal,) = story.later(), story.appeals()
    organiser, given = story.actors["organiser"], factories.ruling()
    with uow() as session:
        seats = dict(session.exec(
            select(col(Seat.person_id), col(Seat.id)).join(Panel, col(Panel.id) == col(Seat.panel_id))
        ).all())  # fmt: skip
    third = seats[story.there.persons["juror_3"]]
    decision = DecisionInput(
        operative="Överklagandet avslås. Domslutet står fast.", facts=given.facts, reasons=given.reasons,
        laws=given.laws, appeals={appeal: AppealDecision(outcome=AppealOutcome.REJECTED)},
    )  # fmt: skip
    jury = {story.there.persons[who]: SeatRole.MEMBER for who in ("juror_2", "juror_3")}
    jury |= {story.there.persons["juror_1"]: SeatRole.CHAIR}
    recuse: Do = lambda s, f: hearings.decide_conflict(  # noqa: E731  # a deed, named
        s, here, organiser, seat_id=third, recused=True, because="Släkt.", now=at, form=f
    )
    leave: Do = lambda s, f: hearings.declare_conflict(  # noqa: E731  # a deed, named
        s, here, story.actors["juror_3"], seat_id=third, has_conflict=True, reason="Släkt.", now=at, form=f
    )
    sign: Do = lambda s, f: decisions.decide_appeal(s, here, story.actors["juror_1"], decision, now=at, form=f)  # noqa: E731  # a deed, named
    return scene(
        story,
        Deed("decide", sign),
        Deed("recuse", recuse, moves=False),
        Deed("leave", leave, moves=False),
    )


def collecting() -> Scene:
    """Both sides are asked for statements; one may withdraw, the other adds its views."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    here = story.appeal()
    story.forward()
    story.report()
    story.demand()
    at, (appeal,) = story.later(), story.appeals()

    def state(who: str, side: Side) -> Do:
        said = StatementInput(party_id=story.case.party_ids[side], text="Pausen var kort.")
        return lambda s, form: statements.file_statement(s, here, story.actors[who], said, now=at, form=form)

    withdraw: Do = lambda s, f: appeals.withdraw_appeal(  # noqa: E731  # a deed, named
        s, here, story.actors["north"], appeal_id=appeal, now=at, form=f
    )
    return scene(
        story,
        Deed("north", state("north", Side.NORTH_SOUTH), moves=False, again=True),
        Deed("east", state("east", Side.EAST_WEST), moves=False, again=True),
        Deed("withdraw", withdraw),
    )


SCENES: Mapping[str, Callable[[], Scene]] = {
    "ruled": ruled,
    "open question": open_question,
    "lodged": lodged,
    "heard": heard,
    "voted": voted,
    "collecting": collecting,
}


@contextmanager
def copy_of(database: str, settings: Set) -> Iterator[None]:
    """A database of its own that begins as this one is."""
    dispose()
    if database.startswith("sqlite"):
        file, copy = Path(database.removeprefix("sqlite:///")), get_settings().data / "copy.sqlite3"
        shutil.copyfile(file, copy)
        settings(database_url=f"sqlite:///{copy}")
        yield
        dispose()
        for part in copy.parent.glob("copy.sqlite3*"):
            part.unlink()
        return
    name = database.rpartition("/")[2]
    with support.postgres_database(f"{name}_copy", template=name) as copied:
        settings(database_url=support.postgres_url(copied))
        yield
        dispose()
