"""Working out a score in the browser: typed, counted, looked at, saved, and then told with the ruling (R69-R78)."""

from typing import Any

import pytest
from flask import Flask

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import AdjustmentRecord, Case, Decision
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Position, RulingOutcome
from casework.services import decisions
from tests import factories
from tests.factories import Federation, OpenCase
from tests.juries import JURORS, heard, vote
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import readers, signing
from tests.web.at_table import ANSWERS, CHECK, TELL, errors, main, rows, url
from tests.web.panels import AGO, at, browser, by_link

COUNT, SAVE, CHANGE = "Räkna", "Spara poängen", "Ändra det du skrev"
PAIRS = "-100\n-420 x 2\n-430\n-450 x 3\n-460"
TWO_RESULTS: dict[str, Any] = {
    "at_table": "-100",
    "north_south-shares-0-result": "4♠ Ö -2",
    "north_south-shares-0-percent": "33,3",
    "north_south-shares-1-result": "-430",
    "north_south-shares-1-percent": "66,7",
    "frequency": PAIRS,
}


def count(phone: PageClient, case: OpenCase, *, status: int = 200, **typed: Any) -> Page:
    """Open the editor, type and count."""
    return phone.submit(phone.get(url(case, "poang")), COUNT, status=status, **typed)


def earlier(case: OpenCase, edition: LawEdition) -> None:
    """Let the case be one of earlier laws."""
    with uow(write=True) as session:
        session.get_one(Case, case.case_id).law_edition = edition


def test_a_weighted_score_is_shown_before_it_is_saved(phone: PageClient, case: OpenCase) -> None:
    """R73, R81: 33.3 + 66.7 is 100, and "change" brings everything back."""
    shown = count(phone, case, **TWO_RESULTS)
    for words in (
        "Viktad poäng",
        "10,8",
        "3,2",
        "R73, 12C1c",
        "Sammanvägt: ≈ 10,81 poäng",
        "(8 + 1) × 8 / 7 − 1 ≈ 9,29",
    ):
        assert words in main(shown), words
    assert rows(AdjustmentRecord) == []
    again = phone.submit(shown, CHANGE)
    assert {name: again.values(COUNT)[name] for name in TWO_RESULTS} == {name: [v] for name, v in TWO_RESULTS.items()}
    listed = phone.submit(phone.submit(again, COUNT), SAVE)
    assert "Viktad poäng" in main(listed)
    (record,) = rows(AdjustmentRecord)
    assert record.score["north_south"]["points"] == "1351/125"
    assert phone.get(url(case, "poang")).values(COUNT)["north_south-shares-1-percent"] == ["66,7"]


def test_the_standard_and_who_may_weight_follow_the_laws_of_the_case(phone: PageClient, case: OpenCase) -> None:
    """R70, R73: nothing of one edition is proposed in another."""
    new = main(phone.get(url(case, "poang")))
    earlier(case, LawEdition.laws_2007)
    old = main(phone.get(url(case, "poang")))
    assert ("troligen hade hänt" in new, "bara en jury" in new) == (True, False)
    assert ("troligen hade hänt" in old, "bara en jury" in old) == (False, True)
    offered = phone.get(url(case, "poang"))
    assert {"north_south-shares-0-result", "north_south-shares-1-result"} & {*offered.values(COUNT)} == {
        "north_south-shares-0-result"
    }
    assert not [name for name in offered.values(COUNT) if name.endswith("percent") and "shares" in name]
    assert "flera viktade" not in old
    assert "Ett resultat till" not in offered.text("main")
    assert "Viktad poäng" in main(phone.get("/domslut/ny"))
    assert "Viktad poäng" not in main(phone.get(url(case, "domslut/ge")))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"north_south-shares-0-percent": "30"}, "Andelarna blir 96,7 %"),
        ({"north_south-shares-0-percent": "33,3x"}, "Skriv en procentsats"),
        ({"north_south-shares-0-percent": ""}, "Skriv resultatets andel"),
        ({"north_south-shares-0-result": ""}, "vilket resultat andelen gäller"),
        ({"north_south-shares-0-result": "9♠ Ö"}, "nivå"),
        ({"north_south-shares-0-result": "4♠ Ö"}, "kontrakt, spelförare och resultat"),
        ({"north_south-shares-1-result": "-625"}, "625"),
        ({"north_south-shares-1-result": "-620"}, "Inget kontrakt ger Nord–Syd −620 på en bricka med Nord–Syd i zon"),
        ({"north_south-shares-0-result": "+420"}, "Inget kontrakt ger Nord–Syd +420"),
        ({"frequency": PAIRS + "\n-620"}, "Inget kontrakt ger Nord–Syd −620"),
        ({"method": "imps", "other_table": "-620"}, "Inget kontrakt ger Nord–Syd −620"),
        ({"at_table": "-620", "frequency": PAIRS + "\n-620"}, "kryssa i det vid ”Resultatlistan stämmer inte"),
        ({"north_south-kind": "artificial"}, "hur mycket som var sidans fel"),
        ({"north_south-kind": "artificial", "north_south-fault": "none"}, "även för Öst–Väst"),
        (
            {"east_west-kind": "artificial", "east_west-fault": "none", "east_west-own_percent": "130"},
            "mellan 0 och 100",
        ),
        ({"east_west-kind": "assigned"}, "resultatet som sidan får"),
        ({"east_west-kind": "assigned", "east_west-shares-0-result": "-450"}, "bara av ett särskilt skäl"),
        ({"at_table": ""}, "det resultat som bordet har"),
        ({"at_table": "-140"}, "finns inte i frekvensen"),
        ({"frequency": ""}, "resultaten från alla bord"),
        ({"frequency": "-100\nhej"}, "Rad 2"),
        ({"frequency": "-100"}, "minst två bord"),
        ({"missing": "tre"}, "heltal från 0 till 999"),
        ({"common_top": "0"}, "Toppen"),
        ({"method": "imps"}, "matchens andra bord"),
        ({"method": "imps", "other_table": "-430", "other_boards": "7"}, "antalet brickor"),
        ({"method": "imps", "other_table": "-430", "average": "x"}, "heltal från 0 till 24"),
        ({"frequency": PAIRS + "\n-420 x 5000"}, "högst 999, till exempel −620 x 3"),
        ({"frequency": PAIRS + "\n3 -420"}, "Skriv poängen först"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_everything_typed_is_kept(
    phone: PageClient, case: OpenCase, changes: dict[str, Any], words: str
) -> None:
    typed = TWO_RESULTS | changes
    page = count(phone, case, status=422, **typed)
    assert words in errors(page)
    assert {name: page.values(COUNT)[name] for name in typed} == {name: [value] for name, value in typed.items()}
    assert rows(AdjustmentRecord) == []


def test_a_percentage_for_each_side(phone: PageClient, case: OpenCase) -> None:
    """R75, R77: 63.2 % of its own for the side that was not at fault, 40 for the other."""
    fault: dict[str, Any] = {
        "north_south-kind": "artificial",
        "north_south-fault": "none",
        "north_south-own_percent": "63,2",
        "east_west-kind": "artificial",
        "east_west-fault": "directly",
        "method": "percent",
    }
    page = count(phone, case, **fault)
    assert "Procentuell poäng" in main(page)
    assert "63,2" in main(page)
    assert "R77, 12C2c" in main(page)
    phone.submit(page, SAVE)
    begun = phone.get(url(case, "poang")).values(COUNT)
    assert {name: begun[name] for name in fault} == {name: [value] for name, value in fault.items()}


def test_a_penalty_beside_a_result_that_stands(phone: PageClient, case: OpenCase) -> None:
    """R65, R92: 10 % of a top of 14 from East–West; the ruling begins with it as a penalty."""
    typed: dict[str, Any] = {
        "at_table": "-100",
        "north_south-kind": "stands",
        "frequency": PAIRS,
        "east_west-penalty": "10",
    }
    assert "utan straff" in errors(count(phone, case, status=422, **(typed | {"east_west-penalty": ""})))
    shown = count(phone, case, **typed)
    for words in ("Straff, Öst–Väst", "10 % av toppen 14: −1,4 poäng", "R65, 90A"):
        assert words in main(shown), words
    assert "R69" not in main(shown)
    phone.submit(shown, SAVE)
    begun = phone.get(url(case, "poang")).values(COUNT)
    assert [begun[name] for name in ("north_south-kind", "east_west-penalty")] == [["stands"], ["10"]]
    assert phone.get(url(case, "domslut/ge")).values(CHECK)["outcome"] == ["penalty"]


def test_a_withdrawn_board_that_was_started(phone: PageClient, case: OpenCase) -> None:
    """R86: the worse of 40 % and what was likely for the side at fault, the better of 60 % for the other."""
    started: dict[str, Any] = {"method": "percent"}
    for side, fault, likely in (("north_south", "none", "55"), ("east_west", "directly", "45")):
        started |= {f"{side}-kind": "artificial", f"{side}-ground": "started", f"{side}-fault": fault}
        started[f"{side}-own_percent"] = likely
    page = count(phone, case, **started)
    assert [word for word in ("R86", "60 %", "40 %") if word not in main(page)] == []
    phone.submit(page, SAVE)
    begun = phone.get(url(case, "poang")).values(COUNT)
    assert {name: begun[name] for name in started} == {name: [value] for name, value in started.items()}


def test_a_match_gets_imps_and_victory_points(phone: PageClient, case: OpenCase) -> None:
    """Law 78B, R89."""
    match: dict[str, Any] = {
        "north_south-shares-0-result": "4♠ S =",
        "method": "imps",
        "at_table": "-100",
        "other_table": "170",
        "other_boards": "−4",
        "boards": "16",
    }
    page = count(phone, case, **match)
    cells = [["".join(cell.itertext()) for cell in row] for row in page.select(".scores tr")]
    assert cells == [
        ["", "Nord–Syd", "Öst–Väst"],
        ["Förut", "−7", "7"],
        ["Nu", "10", "−10"],
        ["VP", "11,76", "8,24"],
    ]


def test_a_side_can_be_weighted_of_many_results(phone: PageClient, case: OpenCase) -> None:
    """Another row comes without anything typed being lost, and without script."""
    page = phone.submit(phone.get(url(case, "poang")), "Ett resultat till", **TWO_RESULTS)
    assert page.values(COUNT)["frequency"] == [PAIRS]
    thirds: dict[str, Any] = {f"north_south-shares-{row}-percent": "33,3" for row in range(3)}
    counted = phone.submit(page, COUNT, **(thirds | {"north_south-shares-2-result": "-460"}))
    assert "99,9 % och räknas som 100" in main(counted)


def test_the_same_form_sent_twice_saves_once(phone: PageClient, case: OpenCase) -> None:
    """R-DBL1."""
    shown = count(phone, case, **TWO_RESULTS)
    phone.submit(shown, SAVE)
    phone.submit(shown, SAVE)
    assert len(rows(AdjustmentRecord)) == 1


def test_two_who_work_it_out_meet(phone: PageClient, there: Federation, app: Flask, case: OpenCase) -> None:
    mine = count(phone, case, **TWO_RESULTS)
    chief = signing.official(app, there, "chief")
    chief.submit(count(chief, case, **(TWO_RESULTS | {"method": "percent"})), SAVE)
    met = phone.submit(mine, SAVE, status=409)
    assert "Någon annan" in errors(met)
    phone.submit(met, SAVE)
    assert len(rows(AdjustmentRecord)) == 2


def test_the_ruling_begins_with_the_score_and_cannot_contradict_it(phone: PageClient, case: OpenCase) -> None:
    phone.submit(count(phone, case, **TWO_RESULTS), SAVE)
    form = phone.get(url(case, "domslut/ge"))
    assert form.values(CHECK)["outcome"] == ["weighted"]
    wrong = phone.submit(form, CHECK, status=422, **ANSWERS)
    assert "en annan: Viktad poäng" in errors(wrong)
    assert wrong.values(CHECK)["operative"] == [ANSWERS["operative"]]
    check = phone.submit(wrong, CHECK, outcome="weighted")
    assert "33,3 % av 4♠" in main(check)
    phone.submit(check, TELL)
    (decision,) = rows(Decision)
    assert decision.adjustment_id == rows(AdjustmentRecord)[0].id


def test_a_score_on_a_result_that_has_been_changed_is_stale_everywhere(phone: PageClient, case: OpenCase) -> None:
    """The list, the ruling and the editor say so; the editor begins with what is recorded now."""
    result, save = url(case, "domslut/underlag/resultat"), "Spara"
    phone.submit(phone.get(result), save, contract="2NT N", tricks="+1")
    assert "annat resultat" in errors(count(phone, case, status=422, **TWO_RESULTS))
    phone.submit(count(phone, case, **(TWO_RESULTS | {"at_table": "2NT N +1", "method": "percent"})), SAVE)
    phone.submit(phone.get(result), save, tricks="=")
    for path in ("domslut/underlag", "domslut/ge", "poang"):
        assert "har ändrats" in main(phone.get(url(case, path))), path
    check = phone.submit(phone.get(url(case, "domslut/ge")), CHECK, status=422, **(ANSWERS | {"outcome": "weighted"}))
    assert "har ändrats" in errors(check)
    again = phone.get(url(case, "poang"))
    assert again.values(COUNT)["at_table"] == ["2NT N ="]
    phone.submit(phone.submit(again, COUNT), SAVE)
    phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **(ANSWERS | {"outcome": "weighted"}))


def test_a_saved_score_can_be_taken_back(phone: PageClient, case: OpenCase) -> None:
    phone.submit(count(phone, case, **TWO_RESULTS), SAVE)
    phone.submit(phone.get(url(case, "poang")), "Ta tillbaka den sparade poängen")
    check = phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **(ANSWERS | {"outcome": "result_stands"}))
    phone.submit(check, TELL)
    assert [row.score is None for row in sorted(rows(AdjustmentRecord), key=lambda row: row.filed_at)] == [False, True]


def test_a_party_sees_what_was_and_what_is_with_the_working_on_the_ruling(
    phone: PageClient, app: Flask, there: Federation, case: OpenCase
) -> None:
    """Picture 4: at the table, after the ruling, from the reader's own side; a draft is nobody else's."""
    one = TWO_RESULTS | {"north_south-shares-0-percent": "", "north_south-shares-1-result": "",
                         "north_south-shares-1-percent": ""}  # fmt: skip
    phone.submit(count(phone, case, **one), SAVE)
    for key in ("office", "organiser"):
        official = signing.official(app, there, key)
        assert "Efter domslutet" not in main(official.get(f"/arenden/{case.case_id}"))
        official.get(url(case, "poang"), status=403)
    phone.submit(phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **ANSWERS), TELL)
    east = signing.party(app, there, case, "east")
    page = east.get(f"/arenden/{case.case_id}")
    outcome = [" ".join(row.itertext()).split() for row in page.select(".outcome .points dd")]
    assert outcome == [["+100"], ["−100"]]
    assert "Så är poängen uträknad" not in main(page)
    decision = rows(Decision)[0].id
    whole = east.get(url(case, f"handlingar/ruling/{decision}"))
    assert "R69, 12C1a" in main(whole)
    east.get(url(case, "poang"), status=403)


@pytest.mark.usefixtures("app")
def test_the_panel_begins_with_the_boards_results_and_no_decision() -> None:
    """The frequency table of the ruling is the panel's too; what each side gets is its own to find."""
    story = Story.begun()
    director = readers.browser(story, "director")
    director.submit(count(director, story.case, **TWO_RESULTS), SAVE)
    story.rule(outcome=RulingOutcome.WEIGHTED)
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    begun = readers.browser(story, "juror_1").get(url(story.case, "poang")).values(COUNT)
    assert begun["frequency"] == ["−100\n−420 x 2\n−430\n−450 x 3\n−460"]
    assert begun["at_table"] == ["−100"]
    assert begun["north_south-shares-0-result"] == [""]


@pytest.mark.usefixtures("app")
def test_the_panel_works_out_its_own_score() -> None:
    """R73: the chair, while the panel deliberates; only the panel sees it, and the decision begins with it."""
    jury = heard(factories.federation(), at=clock.now() - AGO)
    for who in JURORS:
        vote(jury, who, Position.CHANGE)
    jury.do(decisions.close_ballot, "juror_1", 22)
    chair, member = by_link(jury, "juror_1"), by_link(jury, "juror_2")
    room = chair.get(at(jury, "overlaggning"))
    assert room.has(f'a[href="{at(jury, "poang")}"]')
    room = chair.submit(count(chair, jury.opened, **TWO_RESULTS), SAVE)
    assert room.h1 == "Överläggning om bricka 18"
    seen = member.get(at(jury, "overlaggning"))
    assert "33,3 % av 4♠" in main(seen)
    member.get(at(jury, "poang"), status=403)
    for key in ("director", "office", "north"):
        assert "33,3 %" not in browser(jury.there, key).get(f"/arenden/{jury.case_id}").html
    begun = chair.get(at(jury, "beslut/skriv")).values("Kontrollera och skriv under")
    assert begun["score"] == ["weighted"]
    assert begun["score_detail"] == [""]
    written: dict[str, Any] = {
        "operative": "Resultatet viktas.",
        "outcome_1": "granted",
        "reasons": "Flera resultat var möjliga.",
        "laws": "12C1",
    }
    form = chair.get(at(jury, "beslut/skriv"))
    wrong = chair.submit(form, "Kontrollera och skriv under", status=422, score="assigned", **written)
    assert "en annan: Viktad poäng" in errors(wrong)
    check = chair.submit(wrong, "Kontrollera och skriv under", score="weighted")
    assert "10,8" in main(check)
    chair.submit(check, "Skriv under beslutet")
    party = browser(jury.there, "north").get(f"/arenden/{jury.case_id}")
    assert "Efter beslutet" in main(party)
