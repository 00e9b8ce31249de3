"""Two people act in a case at the same moment (F30, F31)."""

import threading
from collections.abc import Callable
from functools import partial
from itertools import product
from uuid import UUID, uuid4

import pytest
from sqlmodel import Session, col, select

from casework.adapters.database import retrying, uow
from casework.domain.errors import CaseworkError, Conflict, NotAllowed
from casework.domain.models import Appeal, FormReceipt, Proceeding
from casework.domain.terms import State
from casework.services.step import FormInstance
from tests.conftest import Set
from tests.faults.invariants import Receipt, kept_promises, lawful_states, whole_chains
from tests.faults.scenes import SCENES, Deed, Scene, copy_of
from tests.faults.table import Row, Table
from tests.faults.together import together

ONE_OF = {
    frozenset({"north", "south"}),
    frozenset({"deliberate", "withdraw"}),
    frozenset({"decide", "recuse"}),
    frozenset({"decide", "leave"}),
    frozenset({"recuse", "leave"}),
    frozenset({"rule", "postpone"}),
    frozenset({"withdraw", "forward"}),
}
"""Deeds of which only one can be: what the one does takes the ground from the other."""

Outcome = CaseworkError | None


def pairs_of(made: Scene, *, every: bool) -> list[tuple[Deed, Deed]]:
    """All ordered pairs, a deed with itself too; or those of which only one can be, and each deed with itself."""
    pairs = list(product(made.deeds.values(), made.deeds.values()))
    return [pair for pair in pairs if every or pair[0] is pair[1] or {pair[0].name, pair[1].name} in ONE_OF]


@pytest.mark.parametrize("name", SCENES)
def test_f30_of_two_deeds_at_once_the_second_is_judged_by_what_the_first_left(
    request: pytest.FixtureRequest, database: str, settings: Set, table: Table, name: str
) -> None:
    """F30, R-TWO1: the first holds the case while the second, whose page is from before, begins."""
    every = request.config.getoption("--matrix")
    made, wrong = SCENES[name](), []
    pairs = pairs_of(made, every=every)
    for first, second in pairs:
        with copy_of(database, settings):
            forms = [opened(made, deed) for deed in (first, second)]
            outcomes = one_then_other(sending(first, forms[0]), sending(second, forms[1]))
            assert outcomes[0] is None, f"{first.name}: {outcomes[0]}"
            wrong += [f"{first.name}, {second.name}: {found}" for found in judged(first, second, outcomes, forms)]
    table.add(Row(fault=f"F30 {name}", pair=kind(database), tries=len(pairs), lost=0, doubled=len(wrong), late=0))
    assert wrong == []


@pytest.mark.parametrize("name", ["voted", "lodged"])
def test_f30_a_race(request: pytest.FixtureRequest, database: str, settings: Set, table: Table, name: str) -> None:
    """F30: nobody knows who comes first; exactly one of those of which only one can be."""
    rounds = 10 if request.config.getoption("--matrix") else 1
    made, wrong = SCENES[name](), []
    pairs = [pair for pair in pairs_of(made, every=False) if pair[0].moves and pair[1].moves]
    for first, second in pairs * rounds:
        with copy_of(database, settings):
            forms = [opened(made, deed) for deed in (first, second)]
            outcomes = together(
                *(partial(tried, sending(d, form)) for d, form in zip((first, second), forms, strict=True))
            )
            assert outcomes.count(None) == 1, f"{first.name}, {second.name}: {outcomes}"
            wrong += [f"{first.name}, {second.name}: {found}" for found in judged(first, second, outcomes, forms)]
    tries = len(pairs) * rounds
    table.add(Row(fault=f"F30 race {name}", pair=kind(database), tries=tries, lost=0, doubled=len(wrong), late=0))
    assert wrong == []


def test_f31_a_withdrawal_and_a_deliberation(database: str, settings: Set, table: Table) -> None:
    """F31: the order of the lock decides; an appeal is withdrawn or about to be decided, and never both."""
    made = SCENES["heard"]()
    for first, second in (("deliberate", "withdraw"), ("withdraw", "deliberate")):
        with copy_of(database, settings):
            deeds = [made.deeds[name] for name in (first, second)]
            outcomes = one_then_other(*(sending(deed, opened(made, deed)) for deed in deeds))
            assert isinstance(outcomes[1], Conflict)
            with uow() as session:
                state = session.get_one(Proceeding, made.proceeding_id).state
                (appeal,) = session.exec(select(Appeal)).all()
            withdrawn = appeal.withdrawn_at is not None
            assert (state, withdrawn) == (
                (State.WRITTEN_OFF, True) if first == "withdraw" else (State.DELIBERATING, False)
            )
    table.add(Row(fault="F31", pair=kind(database), tries=2, lost=0, doubled=0, late=0))


def opened(made: Scene, deed: Deed) -> FormInstance:
    """The form as its page was opened now."""
    return FormInstance(form_id=uuid4(), version=made.version() if deed.moves else None)


def sending(deed: Deed, form: FormInstance) -> Callable[[Session], object]:
    """The deed with its form."""
    return lambda session: deed.do(session, form)


def one_then_other(first: Callable[[Session], object], second: Callable[[Session], object]) -> list[Outcome]:
    """The second begins when the first has the case and has not committed."""
    holds, begins = threading.Event(), threading.Event()

    def one() -> Outcome:
        try:
            with uow(write=True) as session:
                first(session)
                session.flush()
                holds.set()
                assert begins.wait(60)
        finally:
            holds.set()
        return None

    def other() -> Outcome:
        assert holds.wait(60)
        begins.set()
        return tried(second)

    return together(one, other)


def tried(deed: Callable[[Session], object]) -> Outcome:
    """None if it was done, else why it was not."""

    @retrying
    def attempt() -> None:
        with uow(write=True) as session:
            deed(session)

    try:
        attempt()
    except (Conflict, NotAllowed) as refusal:
        return refusal
    return None


def judged(first: Deed, second: Deed, outcomes: list[Outcome], forms: list[FormInstance]) -> list[str]:
    """What is wrong with how it ended."""
    done = [form.form_id for form, outcome in zip(forms, outcomes, strict=True) if outcome is None and form.form_id]
    found = []
    if len(done) == 2 and ({first.name, second.name} in ONE_OF or (first is second and not first.again)):
        found.append("both were done")
    if first.moves and second.moves and not any(isinstance(outcome, Conflict) for outcome in outcomes):
        found.append(f"no page was told that it is old: {outcomes}")
    with uow() as session:
        found += [*whole_chains(session), *lawful_states(session), *kept_promises(session, map_receipts(done))]
        kept = set(session.exec(select(col(FormReceipt.id)).where(col(FormReceipt.id).in_([f.form_id for f in forms]))))
    return [*found, *([] if kept == set(done) else [f"receipts of {kept}, done were {done}"])]


def map_receipts(done: list[UUID]) -> list[Receipt]:
    """The receipts that people were shown."""
    return [Receipt(form_id) for form_id in done]


def kind(database: str) -> str:
    """The kind of database."""
    return database.partition(":")[0].partition("+")[0]
