"""What the score editor takes of a result list and of an event, and what it will not (R76, R77, R79, R85, R88)."""

from typing import Any

import pytest
from flask import Flask

from casework import clock
from casework.domain.models import AdjustmentRecord
from casework.domain.terms import Form
from tests import factories
from tests.factories import OpenCase
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import errors, main, rows, url
from tests.web.test_scores import COUNT, PAIRS, SAVE, TWO_RESULTS, count


def test_a_list_with_a_score_of_another_zone_is_counted_with_its_reason(phone: PageClient, case: OpenCase) -> None:
    """The classic slip, 420 or 620; what the organiser has entered is counted as it stands, but not unnoticed."""
    listed = TWO_RESULTS | {"frequency": PAIRS + "\n-620", "differs": "y", "differs_because": "Bord 3 skrev fel."}
    phone.submit(count(phone, case, **listed), SAVE)
    assert [row.differs_because for row in rows(AdjustmentRecord)] == ["Bord 3 skrev fel."]
    assert "Resultatlistan stämmer inte med brickan som den är antecknad: Bord 3 skrev fel." in main(
        count(phone, case, **listed)
    )


def test_a_percentage_of_its_own_is_refused_where_imps_are_counted(phone: PageClient, case: OpenCase) -> None:
    """R76: average plus is 3 IMPs, whatever the side has got on the other boards."""
    both = ("north_south", "east_west")
    fault: dict[str, Any] = {f"{side}-kind": "artificial" for side in both} | {f"{side}-fault": "none" for side in both}
    fault |= {"north_south-own_percent": "63,2", "method": "imps"}
    page = count(phone, case, status=422, **fault)
    assert "bara i partävlingar" in errors(page)


def test_cards_from_the_wrong_pocket_were_taken_by_somebody(phone: PageClient, case: OpenCase) -> None:
    """R88: 40 % to the pair that took them, 60 to the other."""
    both = ("north_south", "east_west")
    typed: dict[str, Any] = {f"{side}-kind": "artificial" for side in both} | {
        f"{side}-ground": "wrong_pocket" for side in both
    }
    typed |= {"north_south-fault": "none", "method": "percent"}
    page = count(phone, case, status=422, **(typed | {"east_west-fault": "none"}))
    assert "välj vilken sida som var direkt felande" in errors(page)
    assert "40" in main(count(phone, case, **(typed | {"east_west-fault": "directly"})))


def test_a_match_waits_for_its_other_table(app: Flask) -> None:
    """R76: average plus needs none, and is 3 IMPs to both; an assigned score is told in words meanwhile."""
    there = factories.federation(form=Form.TEAMS)
    phone, made = signing.official(app, there, "director"), factories.open_case(there, at=clock.now())
    editor = phone.get(url(made, "poang"))
    assert "De andra bordens resultat" not in main(editor)
    both = ("north_south", "east_west")
    plus: dict[str, Any] = {f"{side}-kind": "artificial" for side in both} | {f"{side}-fault": "none" for side in both}
    counted = phone.submit(editor, COUNT, **plus, method="imps_later")
    assert ("3 IMP" in main(counted), "60" in main(counted)) == (True, False)
    made_it: dict[str, Any] = {"north_south-shares-0-result": "4♠ S =", "method": "imps_later"}
    assigned = phone.submit(editor, COUNT, **made_it)
    assert "IMP räknas när det andra bordet har sitt resultat" in main(assigned)
    assert "frekvensen" not in main(assigned)
    phone.submit(assigned, SAVE)
    assert phone.get(url(made, "poang")).values(COUNT)["method"] == ["imps_later"]


def test_a_number_at_the_table_is_told_with_its_contract(phone: PageClient, case: OpenCase) -> None:
    """The board knows what the score came from, so nobody is told "the score" alone."""
    phone.submit(phone.get(url(case, "domslut/underlag/resultat")), "Spara", contract="4♠ N", tricks="-1")
    assert "Vid bordet4♠ spader av Nord −1" in main(count(phone, case, **TWO_RESULTS))


WITHDREW: dict[str, Any] = {
    "north_south-kind": "artificial",
    "north_south-ground": "withdrew",
    "north_south-played": "15",
    "north_south-boards": "26",
    "east_west-kind": "artificial",
    "east_west-ground": "bye_by_withdrawal",
    "east_west-own_percent": "55",
    "method": "percent",
}
OWN_METHOD: dict[str, Any] = {
    f"{side}-{name}": value
    for side, percent in (("north_south", "56,25"), ("east_west", "43,75"))
    for name, value in {
        "kind": "artificial",
        "ground": "own_method",
        "own_percent": percent,
        "own_method": "Snittet av parets övriga brickor.",
    }.items()
} | {"method": "percent"}


@pytest.mark.parametrize(
    ("typed", "working"),
    [
        (WITHDREW, ("57,69 %, alltså mindre än 60 %", "R79, 12C2d", "60 %, eller parets eget resultat")),
        (OWN_METHOD, ("Enligt tävlingens egen metod: Snittet av parets övriga brickor: 56,25 %", "R85")),
    ],
    ids=["R79", "R85"],
)
def test_what_has_rules_of_its_own_is_worked_out_and_begun_with_again(
    phone: PageClient, case: OpenCase, typed: dict[str, Any], working: tuple[str, ...]
) -> None:
    shown = count(phone, case, **typed)
    for words in working:
        assert words in main(shown)
    phone.submit(shown, SAVE)
    begun = phone.get(url(case, "poang")).values(COUNT)
    assert {name: begun[name] for name in typed} == {name: [value] for name, value in typed.items()}


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        (WITHDREW | {"north_south-played": "27"}, "north_south-played", "hur många brickor paret spelade"),
        (WITHDREW | {"north_south-played": "27"}, "north_south-played", "27 är fler än etappens 26 brickor"),
        (WITHDREW | {"north_south-played": "0", "at_table": "4♠ S -1"}, "north_south-played", "åtminstone den här"),
        (WITHDREW | {"north_south-played": "18", "at_table": "4♠ S -1"}, "north_south-played", "Brickan är spelad"),
        (WITHDREW | {"north_south-boards": ""}, "north_south-played", "hur många brickor paret spelade"),
        (OWN_METHOD | {"east_west-own_method": ""}, "east_west-own_method", "egen metod i ord"),
        (OWN_METHOD | {"east_west-own_percent": ""}, "east_west-own_percent", "vad metoden ger"),
    ],
)
def test_what_is_lacking_is_said_at_its_field(
    phone: PageClient, case: OpenCase, typed: dict[str, Any], field: str, words: str
) -> None:
    """R79, R85."""
    page = phone.submit(phone.get(url(case, "poang")), COUNT, status=422, **typed)
    assert words in page.text(f"#{field}-error")


def test_r79_a_struck_pair_has_no_percentage(phone: PageClient, case: OpenCase) -> None:
    shown = main(count(phone, case, **WITHDREW))
    assert "Procentstryks60" in shown
    assert "0 % av en topp" not in shown


def test_r85_what_the_method_gives_is_told_after_the_ruling(phone: PageClient, case: OpenCase) -> None:
    """And what the organiser enters: a ground alone is no result."""
    shown = main(count(phone, case, **OWN_METHOD))
    assert "egen metod: 56,25 %" in shown
    assert "egen metod: 43,75 %" in shown
