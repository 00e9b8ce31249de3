"""The director's forms: the short ruling on a phone, the full one, and what is done about a ruling afterwards."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Seat
from casework.domain.models import BoardRecord, Case, Deadline, Decision, Grant, Notice, Proceeding
from casework.domain.terms import Channel, Form, NoticeKind, NoticeState, Role, State
from casework.services import rulings
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import ANSWERS, CHANGE, CHECK, LATER, PLACE, SHORT, TELL, check, errors, rows, url


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament of pairs; West has no mail."""
    return factories.federation(without_mail=frozenset({"west"}))


@pytest.fixture
def case(there: Federation, case: OpenCase) -> OpenCase:
    """A case with a ruling that nobody has been told at the table."""
    factories.give_ruling(there, case, at=clock.now())
    return case


# The short form


def test_a_ruling_is_filed_on_a_phone(phone: PageClient, there: Federation) -> None:
    page = check(phone)
    assert page.h1 == "Kontrollera och meddela domslutet"
    for words in ("Par 7: Birgit Ekestam", "Par 12: Olof Hägglund", "Öst är givare. Nord–Syd i zon.", "lag 16B1"):
        assert words in page.text("main")
    receipt = phone.submit(page, TELL, told=[str(there.persons["north"])])
    assert receipt.h1 == "Domslutet är meddelat"
    for words in ("SBF-2026-0001", "Arne Solvik", "Birgit Ekestam, lördag 28 november 2026 kl. 15.00", "Olof Hägglund"):
        assert words in receipt.text("main")
    assert len(rows(Deadline)) == 2
    told = rows(Notice, Notice.channel == Channel.SPOKEN)
    assert [(n.person_id, n.proven_at) for n in told] == [(there.persons["north"], LATER)]
    assert {n.person_id for n in rows(Notice, Notice.channel == Channel.LETTER)} == {there.persons["west"]}


def test_the_session_that_is_being_played_is_chosen(phone: PageClient, there: Federation) -> None:
    page = phone.get("/domslut/ny")
    assert page.values(CHECK)["session_id"] == [str(there.session_id)]


def test_an_empty_form_names_every_field(phone: PageClient) -> None:
    page = phone.submit(phone.get("/domslut/ny"), CHECK, status=422)
    for words in (
        "Nord–Syd",
        "Öst–Väst",
        "Skriv vad som hände",
        "vilka lagar",
        "resultatet",
        "beslutat",
        "ja eller nej",
    ):
        assert words in errors(page)
    assert page.title.startswith("Fel:")
    assert rows(Case) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"laws": "16B1, 16Z9"}, "Lag 16Z9 finns inte i 2017 års lagar"),
        ({"laws": "999"}, "Lag 999 finns inte"),
        ({"north_south": "99"}, "Det finns ingen tävlande med nummer 99"),
        ({"east_west": "7"}, "De båda sidorna måste vara olika"),
        ({"north_south": "sju"}, "Skriv ett heltal"),
        ({"board": "0"}, "Skriv brickans nummer"),
        ({"reasons": ""}, "Ett bedömningsdomslut"),
        ({"dealer": "N"}, "Skriv varför givare eller zon avviker"),
        ({"board": "", "dealer": "N"}, "Skriv brickans nummer, eller"),
        ({"given_at": "25.99"}, "Skriv klockslaget som 21.12"),
        ({"given_at": "02.30", "given_day": "2026-03-29"}, "Klockan var aldrig 02.30"),
        ({"given_at": "02.30", "given_day": "2026-10-25"}, "två gånger"),
        ({"happened": "Spelaren 811218-9876 passade."}, "personnumret"),
        ({"table": "b" * 21}, "20"),
    ],
)
def test_bad_input_is_named_and_everything_is_kept(phone: PageClient, changes: dict[str, Any], words: str) -> None:
    page = check(phone, status=422, **changes)
    assert words in errors(page)
    kept = page.values(CHECK)
    for name, value in (SHORT | changes).items():
        assert kept[name] == [value], name
    assert rows(Case) == []


@pytest.mark.parametrize(
    ("day", "time", "words"),
    [("2026-11-28", "15.30", "i framtiden"), ("2026-11-27", "15.00", "kan inte ha getts före")],
)
def test_a_ruling_was_given_neither_in_the_future_nor_before_the_session(
    phone: PageClient, day: str, time: str, words: str
) -> None:
    sent = check(phone).values(TELL) | {"given_day": [day], "given_at": [time], "go": ["file"]}
    assert words in errors(phone.post("/domslut/ny", sent, status=422))
    assert rows(Case) == []


def test_given_earlier_and_recorded_now_both_stand(phone: PageClient) -> None:
    receipt = phone.submit(check(phone, given_at="14.20"), TELL)
    assert "kl. 14.20" in receipt.text("main")
    (decision,) = rows(Decision)
    assert decision.recorded_at - decision.given_at >= timedelta(minutes=40)


@pytest.mark.parametrize(
    ("time", "words"), [("", "Skriv när du gav beskedet"), ("15.30", "i framtiden"), ("14.30", "innan beslutet gavs")]
)
def test_a_telling_needs_a_possible_time(phone: PageClient, there: Federation, time: str, words: str) -> None:
    page = phone.submit(check(phone), TELL, told=[str(there.persons["north"])], told_at=time, status=422)
    assert words in errors(page)
    assert page.values(TELL)["told"] == [str(there.persons["north"])]
    assert rows(Case) == []


def test_changing_brings_everything_back(phone: PageClient) -> None:
    back = phone.submit(check(phone), CHANGE)
    kept = back.values(CHECK)
    assert {name: kept[name] for name in SHORT} == {name: [value] for name, value in SHORT.items()}


def test_a_double_click_opens_one_case_and_gives_the_same_receipt(phone: PageClient) -> None:
    page = check(phone)
    first, second = phone.submit(page, TELL), phone.submit(page, TELL)
    assert first.path == second.path
    assert len(rows(Case)) == 1


def test_a_board_that_lay_wrong_is_recorded_with_its_reason(phone: PageClient) -> None:
    page = check(phone, dealer="N", board_because="Brickan låg på fel håll.")
    assert "Nord är givare" in page.text("main")
    phone.submit(page, TELL)
    (record,) = rows(BoardRecord)
    board = Board.from_json(record.board)
    assert (board.dealer, board.because) == (Seat.north, {"dealer": "Brickan låg på fel håll."})


def test_laws_can_be_read_without_a_script(phone: PageClient) -> None:
    page = phone.get("/domslut/ny")
    assert "lag 16B1" in page.text("main details ul")


def test_a_director_who_is_a_party_gets_the_reason(phone: PageClient, there: Federation, app: Flask) -> None:
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons["north"], role=Role.DIRECTOR, tournament_id=there.tournament_id))
    own = signing.official(app, there, "north")
    page = own.submit(check(own), TELL, status=403)
    assert "en annan tävlingsledare" in errors(page)
    assert page.values(TELL)["operative"] == [SHORT["operative"]]


def test_others_may_not_file_a_ruling(app: Flask, there: Federation) -> None:
    signing.official(app, there, "organiser").get("/domslut/ny", status=403)


def test_in_a_team_match_it_is_said_who_did_not_sit_at_the_table(app: Flask) -> None:
    there = factories.federation(form=Form.TEAMS)
    phone = signing.official(app, there, "director")
    phone.submit(check(phone), TELL, absent=[str(there.persons["east"])])
    with uow() as session:
        parts = session.exec(select(Case)).all()
    assert len(parts) == 1


HUGE = "1" + "0" * 20


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"north_south": HUGE}, "till exempel 7"),
        ({"east_west": HUGE}, "till exempel 12"),
        ({"board": HUGE}, "brickans nummer"),
        ({"given_day": "0001-01-01", "given_at": "12.00"}, "ett år mellan 2000 och 2100"),
        ({"given_day": "9999-12-31", "given_at": "12.00"}, "ett år mellan 2000 och 2100"),
        ({"given_day": "2026-11-29", "given_at": "12.00"}, "i framtiden"),
    ],
)
def test_impossible_answers_are_said_at_their_fields(phone: PageClient, changes: dict[str, str], words: str) -> None:
    sent = check(phone).values(TELL) | {name: [value] for name, value in changes.items()} | {"go": ["check"]}
    page = phone.post("/domslut/ny", sent, status=422)
    assert words in errors(page)


@pytest.mark.parametrize("answer", ["zzz", "6b1d0c4c-9d55-4bb8-9c0a-0b6f0d3c0a11"])
def test_who_was_not_offered_was_not_told(phone: PageClient, answer: str) -> None:
    page = phone.post("/domslut/ny", check(phone).values(TELL) | {"told": [answer], "go": ["file"]})
    assert page.h1 == "Domslutet är meddelat"
    assert rows(Notice, Notice.channel == Channel.SPOKEN) == []


def test_nobody_has_read_aloud_to_a_stranger(phone: PageClient, there: Federation, case: OpenCase) -> None:
    page = phone.get(url(case, "besked/las-upp"))
    sent = page.values("Anteckna att de har fått beskedet") | {"persons": ["zzz"], "told_at": ["15.00"]}
    phone.post(url(case, "besked/las-upp"), sent, status=422)
    assert rows(Notice, Notice.channel == Channel.SPOKEN) == []


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_mistyped_year_of_a_telling_is_said(phone: PageClient, there: Federation, case: OpenCase, day: str) -> None:
    page = phone.get(url(case, "besked/las-upp"))
    who = [str(there.persons["north"])]
    again = phone.submit(page, "Anteckna att de har fått beskedet", persons=who, day=day, told_at="15.00", status=422)
    assert "ett år mellan 2000 och 2100" in errors(again)


# Postponed, asked for, handed over


def test_a_ruling_is_postponed_and_given_later(phone: PageClient, there: Federation) -> None:
    page = phone.submit(phone.get("/domslut/skjut-upp"), CHECK, **PLACE, waits_for="Systemkortet.")
    receipt = phone.submit(page, "Skjut upp domslutet")
    assert "Systemkortet." in receipt.text("main")
    (case,) = rows(Case)
    later = phone.get(f"/arenden/{case.id}/domslut/ge")
    done = phone.submit(phone.submit(later, CHECK, **ANSWERS), TELL)
    assert done.h1 == "Domslutet är meddelat"
    assert [p.state for p in rows(Proceeding)] == [State.GIVEN]


def test_what_is_waited_for_must_be_said(phone: PageClient, there: Federation) -> None:
    made = factories.open_case(there, at=clock.now())
    page = phone.submit(phone.get(url(made, "domslut/skjut-upp")), "Skjut upp domslutet", status=422)
    assert "Skriv vad" in errors(page)


def test_two_directors_at_once_give_one_ruling(phone: PageClient, there: Federation) -> None:
    made = factories.open_case(there, at=clock.now())
    stale = phone.submit(phone.get(url(made, "domslut/ge")), CHECK, **ANSWERS)
    with uow(write=True) as session:
        rulings.postpone_ruling(session, made.proceeding_id, there.actor("chief"), waits_for="Kortet.", now=clock.now())
    page = phone.submit(stale, TELL, status=409)
    assert "Någon annan" in errors(page)
    assert page.values(TELL)["operative"] == [SHORT["operative"]]
    assert phone.submit(page, TELL).h1 == "Domslutet är meddelat"
    assert len(rows(Decision)) == 1


def test_a_ruling_is_handed_over(phone: PageClient, there: Federation) -> None:
    made = factories.open_case(there, at=clock.now())
    page = phone.get(url(made, "domslut/ledare"))
    phone.submit(page, "Låt en annan tävlingsledare döma", director_id=str(there.persons["chief"]))
    assert [p.director_id for p in rows(Proceeding)] == [there.persons["chief"]]


@pytest.mark.parametrize("page", ["domslut/ge", "domslut/kvitto", "besked", "besked/las-upp", "domslut/underlag"])
def test_strangers_find_none_of_the_pages(app: Flask, there: Federation, case: OpenCase, page: str) -> None:
    signing.official(app, there, "juror_1").get(url(case, page), status=404)


@pytest.mark.parametrize(("page", "status"), [("domslut/kvitto", 404), ("besked", 404), ("domslut/underlag", 403)])
def test_a_party_finds_none_of_the_directors_pages(
    app: Flask, there: Federation, case: OpenCase, page: str, status: int
) -> None:
    signing.party(app, there, case, "north").get(url(case, page), status=status)


def test_r22_the_director_reads_why_the_jury_cannot_rule_for_him(phone: PageClient, there: Federation) -> None:
    made = factories.open_case(there, at=clock.now())
    assert "inte lämna det till juryn" in phone.get(url(made, "domslut/ge")).text("main")


def test_the_case_page_leads_to_the_directors_pages(phone: PageClient, there: Federation, case: OpenCase) -> None:
    page = phone.get(f"/arenden/{case.case_id}")
    addresses = {link.get("href") for link in page.select("main a")}
    assert {url(case, "besked"), url(case, "domslut/underlag"), url(case, "resultat")} <= addresses
    assert phone.get(url(case, "resultat")).path == f"/tavlingar/omgangar/{there.session_id}/resultat"
    assert phone.get(url(case, "mer-tid")).h1 == "Vilken sida ska få längre tid?"


def test_a_ruling_is_not_given_twice(phone: PageClient, case: OpenCase) -> None:
    phone.get(url(case, "domslut/ge"), status=403)


# Afterwards


def test_the_block_is_read_aloud_and_recorded_for_each(phone: PageClient, there: Federation, case: OpenCase) -> None:
    page = phone.get(url(case, "besked/las-upp"))
    assert "Du har rätt att överklaga" in page.text("main")
    both = [str(there.persons["north"]), str(there.persons["south"])]
    phone.submit(page, "Anteckna att de har fått beskedet", persons=both, told_at="15.00")
    told = rows(Notice, Notice.channel == Channel.SPOKEN)
    assert {(n.person_id, n.proven_at) for n in told} == {(there.persons[key], LATER) for key in ("north", "south")}


def test_reading_aloud_twice_with_one_form_is_recorded_once(
    phone: PageClient, there: Federation, case: OpenCase
) -> None:
    page = phone.get(url(case, "besked/las-upp"))
    for _ in range(2):
        phone.submit(page, "Anteckna att de har fått beskedet", persons=[str(there.persons["north"])])
    assert len(rows(Notice, Notice.channel == Channel.SPOKEN)) == 1


@pytest.mark.parametrize("time", ["15.40", "13.20", ""])
def test_reading_aloud_has_a_possible_time(phone: PageClient, there: Federation, case: OpenCase, time: str) -> None:
    page = phone.get(url(case, "besked/las-upp"))
    who = [str(there.persons["north"])]
    answer = phone.submit(page, "Anteckna att de har fått beskedet", persons=who, told_at=time, status=422)
    assert answer.has(".error-summary")
    assert rows(Notice, Notice.channel == Channel.SPOKEN) == []


def test_a_letter_is_posted_and_arrives(phone: PageClient, there: Federation, case: OpenCase) -> None:
    (letter,) = rows(Notice, Notice.channel == Channel.LETTER)
    address = url(case, f"besked/{letter.id}/brev")
    form = phone.get(address)
    told = phone.submit(form, "Anteckna att brevet är postat", posted_at="15.00")
    assert "Brevet till Olof Hägglund är antecknat som postat" in told.text(".banner")
    assert phone.submit(form, "Anteckna att brevet är postat", posted_at="15.00").h1 == told.h1
    assert "Rätta när brevet postades" in told.text("main")
    clock.advance(timedelta(days=1))
    phone = signing.official_again(phone.app, "director")
    page = phone.get(address)
    refused = phone.submit(
        page, "Anteckna att brevet har kommit fram", day="2026-11-29", arrived_at="12.00", status=422
    )
    assert "hur du vet" in errors(refused)
    phone.submit(refused, "Anteckna att brevet har kommit fram", note="Han ringde.")
    (letter,) = rows(Notice, Notice.channel == Channel.LETTER)
    assert (letter.state, letter.proven_at) == (NoticeState.POSTED, datetime(2026, 11, 29, 11, 0, tzinfo=UTC))


def test_one_side_gets_more_time_with_a_reason(phone: PageClient, there: Federation, case: OpenCase) -> None:
    phone.submit(
        phone.get(url(case, "besked/las-upp")),
        "Anteckna att de har fått beskedet",
        persons=[str(there.persons["north"])],
        told_at="15.00",
    )
    factories.publish_score(there, at=LATER, now=clock.now())
    party = next(deadline.party_id for deadline in rows(Deadline) if deadline.instant)
    page = phone.get(url(case, f"mer-tid/{party}"))
    early = phone.submit(page, CHECK, until="15.10", because="Kö.", status=422)
    assert "efter den gamla" in errors(early)
    far = phone.submit(early, CHECK, until="15.10", day="2099-11-28", status=422)
    assert "Högst 60 dagar" in errors(far)
    checked = phone.submit(early, CHECK, until="16.30", because="Resultatet visades sent.")
    assert rows(Notice, Notice.kind == NoticeKind.WINDOW_PROLONGED) == []
    phone.submit(checked, "Ge längre tid att överklaga")
    assert LATER + timedelta(minutes=90) in {deadline.instant for deadline in rows(Deadline)}
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_PROLONGED)) == 2
