"""What somebody confirms is what he was shown: who changes it meanwhile is seen, and nothing typed is lost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Seat
from casework.domain.models import AdjustmentRecord, Contact, Decision
from casework.domain.shown import Piece, Shown
from casework.domain.terms import AppealRoute, Position, Side
from casework.services import boards, decisions, tournaments
from casework.services.boards import AGREED, REASONS
from tests import factories
from tests.factories import Federation, OpenCase
from tests.juries import JURORS, JuryCase, heard, vote
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import readers
from tests.web.at_table import ANSWERS, CHECK, LATER, TELL, errors, main, rows, url
from tests.web.panels import AGO, at, browser, by_link

pytestmark = pytest.mark.usefixtures("sqlite")

COUNT, SAVE, SIGN, TO_SIGN = "Räkna", "Spara poängen", "Skriv under beslutet", "Kontrollera och skriv under"
WEIGHTED: dict[str, Any] = {
    "at_table": "-100",
    "north_south-shares-0-result": "-100",
    "north_south-shares-1-result": "-630",
    "method": "percent",
}
WRITTEN: dict[str, Any] = {
    "operative": "Resultatet viktas.",
    "outcome_1": "granted",
    "reasons": "Flera resultat var möjliga.",
    "laws": "12C1",
}


def weigh(client: PageClient, where: str, one: str, other: str) -> Page:
    """Work out a score of two results with these shares, or of the first alone, and save it."""
    shares: dict[str, Any] = {"north_south-shares-0-percent": one, "north_south-shares-1-percent": other}
    shares |= {} if other else {"north_south-shares-1-result": ""}
    return client.submit(client.submit(client.get(where), COUNT, **(WEIGHTED | shares)), SAVE)


def seen(page: Page) -> str:
    """What the page says that was not as its reader saw it."""
    assert page.status == 409
    return errors(page)


def deliberating() -> JuryCase:
    """The jury has voted to change the ruling."""
    case = heard(factories.federation(), at=clock.now() - AGO)
    for who in JURORS:
        vote(case, who, Position.CHANGE)
    case.do(decisions.close_ballot, "juror_1", 22)
    return case


def signed_on_another_score(chair: PageClient, place: Callable[[str], str]) -> None:
    """In one tab the chair checks the decision, in another works out the score again; then signs in the first."""
    weigh(chair, place("poang"), "60", "40")
    check = chair.submit(chair.get(place("beslut/skriv")), TO_SIGN, **WRITTEN)
    assert "60 % av" in main(check)
    weigh(chair.signed_in_copy(), place("poang"), "30", "70")
    again = chair.submit(check, SIGN, status=409)
    assert "poängen" in seen(again)
    assert ("30 % av" in main(again), "60 % av" in main(again)) == (True, False)
    assert "Ändrat sedan du såg det" in main(again)
    assert again.values(SIGN)["reasons"] == [WRITTEN["reasons"]]
    assert chair.submit(again, SIGN).h1 == "Beslutet är undertecknat"
    newest = max(rows(AdjustmentRecord), key=lambda row: row.filed_at)
    assert [row.adjustment_id for row in rows(Decision) if row.adjustment_id] == [newest.id]


def test_a_jury_does_not_sign_on_another_score_than_the_chair_saw() -> None:
    case = deliberating()
    signed_on_another_score(by_link(case, "juror_1"), lambda page: at(case, page))


def test_the_law_commission_does_not_either() -> None:
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CHANGE)
    signed_on_another_score(readers.browser(story, "lk_chair"), lambda page: url(story.case, page))


def test_a_new_score_that_the_text_contradicts_is_said_beside_it() -> None:
    """The check page cannot be shown again: the text is, with both reasons."""
    case = deliberating()
    chair = by_link(case, "juror_1")
    weigh(chair, at(case, "poang"), "60", "40")
    check = chair.submit(chair.get(at(case, "beslut/skriv")), TO_SIGN, **WRITTEN)
    weigh(chair, at(case, "poang"), "100", "")
    again = chair.submit(check, SIGN, status=409)
    assert "poängen" in seen(again)
    assert "en annan: Tilldelad poäng" in seen(again)
    assert again.values(TO_SIGN)["operative"] == [WRITTEN["operative"]]


def test_a_decision_that_is_signed_twice_leads_to_its_receipt_whatever_has_changed() -> None:
    """R-DBL1: the repeat of a form is asked for before anything else."""
    case = deliberating()
    chair = by_link(case, "juror_1")
    weigh(chair, at(case, "poang"), "60", "40")
    check = chair.submit(chair.get(at(case, "beslut/skriv")), TO_SIGN, **WRITTEN)
    assert chair.submit(check, SIGN).path == chair.submit(check, SIGN).path


# The director's ruling


@pytest.fixture
def there() -> Federation:
    """A tournament of pairs, two hours into its session."""
    clock.advance(LATER - clock.now())
    return factories.federation()


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A case that waits for its ruling, about board 18."""
    return factories.open_case(there, at=clock.now())


@pytest.fixture
def phone(there: Federation) -> PageClient:
    """The director's phone."""
    return browser(there, "director")


def add(there: Federation, case: OpenCase, **what: Any) -> None:
    """A colleague adds something to the full form."""
    with uow(write=True) as session:
        boards.complete_ruling(session, case.proceeding_id, there.actor("chief"), now=clock.now(), **what)


def deal(there: Federation, case: OpenCase) -> None:
    """A colleague files the contract."""
    add(there, case, change=lambda board: replace(board, contract=Contract(2, Strain.no_trumps), declarer=Seat.north))


def facts(there: Federation, case: OpenCase) -> None:
    """A colleague writes what the sides agree on."""
    add(there, case, texts={AGREED: "Pausen var tio sekunder.", Side.EAST_WEST.value: "Den var längre."})


def drafted(there: Federation, case: OpenCase) -> None:
    """A colleague drafts reasons."""
    add(there, case, texts={REASONS: "Ett utkast."})


def score(there: Federation, case: OpenCase) -> None:
    """A colleague works out a score."""
    weigh(browser(there, "chief"), url(case, "poang"), "60", "40")


def published(there: Federation, _case: OpenCase) -> None:
    """The organiser makes the official score available: from now the time to appeal can run."""
    with uow(write=True) as session:
        tournaments.record_publication(
            session, there.session_id, there.actor("organiser"), published_at=clock.now(), now=clock.now()
        )


def moved_mail(there: Federation, _case: OpenCase) -> None:
    """A player gets another address."""
    with uow(write=True) as session:
        row = session.exec(select(Contact).where(Contact.person_id == there.persons["north"])).one()
        row.email = ""
        session.add(row)


MEANWHILE: dict[Callable[[Federation, OpenCase], None], tuple[str, str]] = {
    score: ("poängen", "60 % av"),
    deal: ("brickan", "2NT av Nord"),
    facts: ("omständigheterna", "Pausen var tio sekunder."),
    drafted: ("de förberedda skälen", "Ett utkast."),
    published: ("tiderna", "från nu."),
    moved_mail: ("vilka som får besked", "med brev"),
}
"""What others do → what is named as new, and how it reads."""


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_ruling_is_not_told_on_what_its_director_has_not_seen(
    there: Federation, case: OpenCase, phone: PageClient, meanwhile: Callable[[Federation, OpenCase], None]
) -> None:
    named, shown = MEANWHILE[meanwhile]
    answers = ANSWERS | {"outcome": "weighted"}
    check = phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **answers)
    assert shown not in main(check)
    meanwhile(there, case)
    again = phone.submit(check, TELL, status=409)
    assert named in seen(again)
    assert shown in main(again)
    assert again.values(TELL)["operative"] == [ANSWERS["operative"]]
    assert rows(Decision) == []
    assert phone.submit(again, TELL).h1 == "Domslutet är meddelat"


def test_words_made_of_the_score_follow_it_until_somebody_writes_his_own(
    there: Federation, case: OpenCase, phone: PageClient
) -> None:
    score(there, case)
    answers = {name: value for name, value in ANSWERS.items() if name not in ("operative", "outcome")}
    for own in ({}, {"operative": "Viktas 60 till 40."}):
        check = phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **(answers | own))
        weigh(browser(there, "chief"), url(case, "poang"), "30" if own else "20", "70" if own else "80")
        again = phone.submit(check, TELL, status=409)
        said = again.values(TELL)["operative"][0]
        assert said == "Viktas 60 till 40." if own else said.startswith("Resultatet ändras till 20 %")


def test_the_check_shows_all_that_the_mail_sends_out(there: Federation, case: OpenCase, phone: PageClient) -> None:
    """Hands and facts are seen before they go."""
    hands = phone.get(url(case, "domslut/underlag/hander"))
    phone.submit(hands, "Spara", north="E K D / Kn 10 9 / 8 7 6 / 5 4 3 2", partial=True)
    facts(there, case)
    score(there, case)
    check = phone.submit(phone.get(url(case, "domslut/ge")), CHECK, **(ANSWERS | {"outcome": "weighted"}))
    for words in ("Pausen var tio sekunder.", "Den var längre.", "Så är poängen uträknad"):
        assert words in main(check), words
    assert check.has(".hand-n")


def test_a_ruling_at_the_table_is_not_told_to_others_than_were_shown(there: Federation, phone: PageClient) -> None:
    check = phone.submit(phone.get("/domslut/ny"), CHECK, **(ANSWERS | {"table": "5", "board": "18"} | SIDES))
    moved_mail(there, OpenCase(there.session_id, "", there.session_id))
    again = phone.submit(check, TELL, status=409)
    assert "sidorna och vilka som får besked" in seen(again)
    assert rows(Decision) == []
    assert phone.submit(again, TELL).h1 == "Domslutet är meddelat"


SIDES = {"north_south": "7", "east_west": "12"}


def test_no_page_can_be_confirmed_that_was_never_shown(case: OpenCase, phone: PageClient) -> None:
    page = phone.get(url(case, "domslut/ge"))
    sent: dict[str, Any] = page.values(CHECK) | {name: [value] for name, value in ANSWERS.items()} | {"go": ["file"]}
    assert "poängen" in seen(phone.post(url(case, "domslut/ge"), sent, status=409))
    assert rows(Decision) == []


def test_the_mark_tells_pieces_apart_and_knows_nothing_of_their_order() -> None:
    one = Shown({Piece.SCORE: {"a": 1, "b": [timedelta(1).days]}, Piece.TOLD: frozenset({"x", "y"})})
    same = Shown({Piece.TOLD: frozenset({"y", "x"}), Piece.SCORE: {"b": [1], "a": 1}})
    assert one.mark == same.mark
    assert Shown({Piece.SCORE: None, Piece.TOLD: frozenset({"x", "y"})}).changed_since(one.mark) == (Piece.SCORE,)
    assert one.changed_since("") == (Piece.SCORE, Piece.TOLD)
