"""The hash chain's building blocks (S-AUD1, S-AUD6): every field counts, and what is equal hashes equally."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from unicodedata import normalize
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.chain import canonical, commitment, event_hash
from casework.domain.terms import State

FIELDS: dict[str, Any] = {
    "case": UUID(int=1),
    "seq": 7,
    "at": datetime(2026, 6, 1, 18, 0, 0, 1, tzinfo=UTC),
    "action": "give_ruling",
    "proceeding": None,
    "part": State.GIVEN,
    "data": {"told": [UUID(int=2)], "day": date(2026, 6, 1)},
}
OTHERS: dict[str, Any] = {
    "case": UUID(int=2),
    "seq": 8,
    "at": datetime(2026, 6, 1, 18, 0, 0, 2, tzinfo=UTC),
    "action": "give_rulinG",
    "proceeding": UUID(int=1),
    "part": State.OPEN,
    "data": {"told": [UUID(int=3)], "day": date(2026, 6, 1)},
}
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abå", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", FIELDS)
def test_changing_a_field_changes_the_hash(name: str) -> None:
    assert event_hash("", {**FIELDS, name: OTHERS[name]}) != event_hash("", FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_leaving_a_field_out_changes_the_hash(name: str) -> None:
    assert event_hash("", {key: value for key, value in FIELDS.items() if key != name}) != event_hash("", FIELDS)


def test_the_event_before_counts() -> None:
    assert event_hash("a", FIELDS) != event_hash("b", FIELDS)


def test_the_order_of_fields_does_not_count() -> None:
    assert event_hash("", dict(reversed(FIELDS.items()))) == event_hash("", FIELDS)


def test_the_same_instant_in_another_zone_hashes_equally() -> None:
    moved = FIELDS["at"].astimezone(timezone(timedelta(hours=2)))
    assert event_hash("", {**FIELDS, "at": moved}) == event_hash("", FIELDS)


def test_an_instant_keeps_its_microseconds() -> None:
    assert canonical(datetime(2026, 6, 1, 18, 0, tzinfo=UTC)) == "2026-06-01T18:00:00.000000Z"
    assert canonical(FIELDS["at"]) == "2026-06-01T18:00:00.000001Z"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_composed_in_another_way_hashes_equally(text: str) -> None:
    assert event_hash("", {"text": normalize("NFD", text)}) == event_hash("", {"text": normalize("NFC", text)})


@given(plain)
def test_what_is_canonical_stays_as_it_is(value: Any) -> None:
    """A row read back from JSON hashes as the row that was written."""
    assert canonical(canonical(value)) == canonical(value)


@given(st.lists(st.text('ab:,"[]', max_size=4), min_size=2, max_size=2), st.integers(0, 4))
def test_a_border_between_fields_cannot_be_moved(texts: list[str], cut: int) -> None:
    first, second = texts
    whole = first + second
    other = (whole[:cut], whole[cut:])
    if other != (first, second):
        assert event_hash("", {"a": other[0], "b": other[1]}) != event_hash("", {"a": first, "b": second})


def test_a_commitment_hangs_on_salt_and_content() -> None:
    told = commitment("salt", {"text": "East alerted late."})
    assert told == commitment("salt", {"text": "East alerted late."})
    assert told != commitment("other", {"text": "East alerted late."})
    assert told != commitment("salt", {"text": "East alerted in time."})


@pytest.mark.parametrize(
    ("one", "other"), [("1", 1), (None, ""), (None, "null"), (False, 0), ([], ""), ({}, [])], ids=repr
)
def test_values_of_different_kinds_hash_differently(one: Any, other: Any) -> None:
    assert event_hash("", {"value": one}) != event_hash("", {"value": other})
