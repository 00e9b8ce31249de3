"""What its outbox rows cost a step: rulings told by mail beside the same rulings told by letters to be posted.

A notice that goes by post is written like one that goes by mail, with its link, but has no job: so the two differ in
the outbox rows only. Measured is the whole unit of work, which somebody waits for, and of it the commit: all rows of a
step are written there, and kept safe. Bells are rung after it, by a thread of their own, and nobody waits for them.
They go in rounds, by turns which is first; the median of the rounds' ratios is what counts.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import update
from sqlmodel import col, func, select

from casework import clock
from casework.adapters import database as db
from casework.adapters.database import uow
from casework.domain.models import Contact, OutboxJob
from casework.services import rulings
from tests import factories
from tests.factories import PLAYERS, Federation

ROUNDS, STEPS, WARM = 30, 5, 3
MAILS = len(PLAYERS)
"""A ruling's outbox rows: each player is told."""
MOST = 1.3
"""Times the same step without them. The commit alone is promised on PostgreSQL: on SQLite it is shown."""


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of some steps: from BEGIN to the end of COMMIT, and of its last part."""

    whole: float
    commit: float


def rule(there: Federation, steps: int) -> Took:
    """Give so many rulings; half of them took no longer than this. While a case is opened, the bells before it ring."""
    actor, given = there.actor("director"), factories.ruling()
    whole, commit = [], []
    for _ in range(steps):
        now = clock.now()
        case = factories.open_case(there, at=now)
        began = time.perf_counter()
        with uow(write=True) as session:
            rulings.give_ruling(session, case.proceeding_id, actor, given, now=now)
            decided = time.perf_counter()
        ended = time.perf_counter()
        whole.append(ended - began)
        commit.append(ended - decided)
    return Took(statistics.median(whole), statistics.median(commit))


def addresses(there: Federation) -> Mapping[UUID, str]:
    with uow() as session:
        players = {there.persons[key] for key in PLAYERS}
        return {c.person_id: c.email for c in session.exec(select(Contact)) if c.person_id in players}


def register(mails: Mapping[UUID, str]) -> None:
    with uow(write=True) as session:
        for person, mail in mails.items():
            session.execute(update(Contact).where(col(Contact.person_id) == person).values(email=mail))


def jobs() -> int:
    with uow() as session:
        return session.exec(select(func.count()).select_from(OutboxJob).where(OutboxJob.kind == "mail")).one()


def test_a_step_with_its_outbox_rows_beside_the_same_without(database: str) -> None:
    there = factories.federation()
    by_mail = addresses(there)
    by_post = dict.fromkeys(by_mail, "")
    rule(there, WARM)
    before = jobs()
    pairs: list[tuple[Took, Took]] = []
    for number in range(ROUNDS):
        took = {}
        for mails in (by_mail, by_post) if number % 2 else (by_post, by_mail):
            register(mails)
            took[mails is by_mail] = rule(there, STEPS)
        pairs.append((took[True], took[False]))
    assert jobs() - before == ROUNDS * STEPS * MAILS
    whole = statistics.median(with_rows.whole / without.whole for with_rows, without in pairs)
    commit = statistics.median(with_rows.commit / without.commit for with_rows, without in pairs)
    print(
        f"\n{db.engine().dialect.name}: a ruling with {MAILS} mails {median(pairs, 0)}, with {MAILS} letters "
        f"{median(pairs, 1)}; ratio {whole:.2f}, of the commit {commit:.2f} (at most {MOST})"
    )
    assert whole <= MOST
    if db.engine().dialect.name == "postgresql":
        assert commit <= MOST


def median(pairs: Sequence[tuple[Took, Took]], which: int) -> str:
    whole = statistics.median(pair[which].whole for pair in pairs)
    commit = statistics.median(pair[which].commit for pair in pairs)
    return f"{whole * 1000:.1f} ms (commit {commit * 1000:.1f} ms)"
