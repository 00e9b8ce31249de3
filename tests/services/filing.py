"""A ruling filed at the table the way the short form does it, for the tests of the services."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Entry, EntryMember
from casework.domain.terms import Side
from casework.services import at_the_table
from casework.services.opening import IncidentInput
from casework.services.rulings import RulingInput
from casework.services.step import FormInstance, Step
from tests import factories
from tests.factories import SATURDAY, START, Federation

FILED = START + timedelta(hours=1)
PLAYERS = ("north", "south", "east", "west")


def incident(there: Federation, **changes: object) -> IncidentInput:
    """Board 18 at table 5, pair 7 against pair 12."""
    made = IncidentInput(
        session_id=there.session_id,
        contestants={Side.NORTH_SOUTH: (7,), Side.EAST_WEST: (12,)},
        occurred_on=SATURDAY,
        table="5",
        board=18,
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # what the test says


def file_ruling(
    there: Federation, *, who: str = "director", form: FormInstance | None = None, **changes: object
) -> Step:
    """File the short form an hour into the session."""
    given: RulingInput = factories.ruling(**changes)
    with uow(write=True) as session:
        return at_the_table.file_ruling(session, incident(there), there.actor(who), given, now=FILED, form=form)


def ruled_in_three(there: Federation) -> None:
    """Three cases of one session, four players in each, who were told their ruling at the table."""
    for first in (21, 23, 25):
        told = {}
        with uow(write=True) as session:
            for number in (first, first + 1):
                entry = Entry(tournament_id=there.tournament_id, number=number, name="")
                session.add(entry)
                for seat in (0, 1):
                    player = factories.person(session, f"Spelare {number}{seat}", 10 * number + seat)
                    session.add(EntryMember(entry_id=entry.id, person_id=player.id, captain=False))
                    told[player.id] = FILED
        at_table = incident(there, contestants={Side.NORTH_SOUTH: (first,), Side.EAST_WEST: (first + 1,)})
        with uow(write=True) as session:
            given = factories.ruling(told=told)
            at_the_table.file_ruling(session, at_table, there.actor("director"), given, now=FILED)


def rows(model: type, *where: object) -> list:  # type: ignore[type-arg]  # rows of any table
    """Rows of a table."""
    with uow() as session:
        return list(session.exec(select(model).where(*where)))  # type: ignore[arg-type]  # conditions
