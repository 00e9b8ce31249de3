"""The tournament's pages: official scores and the times that run from them, LK members present, the procedure."""

from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Deadline, Grant, Notice, Presence, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import NoticeKind
from tests import factories
from tests.factories import START, Federation
from tests.page import Page, PageClient
from tests.services.filing import ruled_in_three
from tests.web import signing
from tests.web.at_table import rows

LATER = START + timedelta(hours=2)
"""15.00 in Sweden."""
CHECK, RECORD = "Fortsätt till kontrollen", "Skriv in när resultatet visades"


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament with a ruling that North–South were told at 14.00, and East–West not at all."""
    made = factories.federation()
    case, told = factories.open_case(made), START + timedelta(hours=1)
    factories.give_ruling(made, case, at=told, told={made.persons["north"]: told})
    return made


@pytest.fixture
def organiser(app: Flask, there: Federation) -> PageClient:
    """The organiser's computer."""
    return signing.official(app, there, "organiser")


def score_page(client: PageClient, there: Federation) -> Page:
    """The page that asks for the official score."""
    return client.get(f"/tavlingar/omgangar/{there.session_id}/resultat")


def test_the_organiser_sees_his_tournament(organiser: PageClient, there: Federation) -> None:
    assert "Höstpokalen" in organiser.get("/tavlingar").text("main")
    page = organiser.get(f"/tavlingar/{there.tournament_id}").text("main")
    for words in ("1 domslut.", "inte inskrivet", "Karin Fjällbo", "30 minuter", "Förbundets regel", "Öppen:"):
        assert words in page


def test_r38_a_closed_way_to_lk_is_said(app: Flask) -> None:
    there = factories.federation(lk_open=False)
    page = signing.official(app, there, "organiser").get(f"/tavlingar/{there.tournament_id}")
    assert "Stängd: juryns beslut är slutgiltigt" in page.text("main")


def test_whose_time_a_late_record_would_have_closed_is_said_before_it_is_recorded(
    organiser: PageClient, there: Federation
) -> None:
    page = organiser.submit(score_page(organiser, there), CHECK, published_at="14.10")
    assert "För några sidor skulle tiden redan ha gått ut" in page.text("main")
    assert "Tiden gick ut lördag 28 november 2026 kl. 14.40" in page.text("main")
    assert "Det är inte bevisat att sidan vet" in page.text("main")
    assert [row.published_at for row in rows(PlayingSession)] == [None]
    done = organiser.submit(page, RECORD)
    assert done.h1 == "Tider för överklagande"
    assert done.select('a[href*="/mer-tid/"]')
    assert {d.instant for d in rows(Deadline)} == {START + timedelta(minutes=100), None}


def test_a_score_published_now_starts_the_time_and_closes_nothing(organiser: PageClient, there: Federation) -> None:
    page = organiser.submit(score_page(organiser, there), CHECK)
    assert "redan ha gått ut" not in page.text("main")
    organiser.submit(page, RECORD)
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_OPEN)) == 2


@pytest.mark.parametrize(
    ("day", "time", "words"),
    [
        ("2026-11-28", "15.30", "i framtiden"),
        ("2026-11-28", "12.00", "innan omgången började"),
        ("2026-11-28", "snart", "Skriv klockslaget"),
        ("2026-11-28", "", "till exempel 21.12"),
        ("", "15.00", "Skriv dagen"),
        ("2026-10-25", "02.30", "två gånger"),
    ],
)
def test_impossible_times_are_refused_and_kept(
    organiser: PageClient, there: Federation, day: str, time: str, words: str
) -> None:
    page = organiser.submit(score_page(organiser, there), CHECK, day=day, published_at=time, status=422)
    assert words in page.text(".error-summary")
    assert page.values(CHECK)["published_at"] == [time]


def test_a_double_click_records_once(organiser: PageClient, there: Federation) -> None:
    page = organiser.submit(score_page(organiser, there), CHECK, published_at="14.30")
    first, second = organiser.submit(page, RECORD), organiser.submit(page, RECORD)
    assert first.path == second.path
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_OPEN)) == 2


def test_a_stale_tab_learns_that_another_time_is_recorded(organiser: PageClient, there: Federation) -> None:
    page = organiser.submit(score_page(organiser, there), CHECK, published_at="14.30")
    factories.publish_score(there, at=LATER - timedelta(minutes=15), now=clock.now())
    refused = organiser.submit(page, RECORD, status=409)
    assert "inte längre som du såg det: tiderna" in refused.text(".error-summary")
    assert refused.values(RECORD)["published_at"] == ["14.30"]


def test_a_score_recorded_afterwards_for_many_people_can_be_stopped_and_sent(app: Flask) -> None:
    """U10: the organiser sees before it whom it tells and that it waits, and after it where to send or stop it."""
    there = factories.federation()
    ruled_in_three(there)
    clock.advance(START + timedelta(days=2) - clock.now())
    organiser = signing.official(app, there, "organiser")
    page = organiser.submit(score_page(organiser, there), CHECK, day="2026-11-28", published_at="14.00")
    assert "lördag 28 november 2026 kl. 14.00" in page.text(".lead")
    assert "12 meddelanden till 12 personer i 3 ärenden. Beskeden väntar fem minuter" in page.text("main")
    windows = organiser.submit(page, RECORD, people="12")
    first, second, third = [link.get("href") or "" for link in windows.select('main a[href$="/utskick"]')]
    held = organiser.get(first)
    assert "Tiderna räknas från resultatet, inte från beskedet" in held.text("main")
    reason = organiser.get(held.one('a[href$="/stoppa"]').get("href") or "")
    assert "Stoppat" in organiser.submit(reason, "Stoppa utskicket", because="Fel klockslag.").text("main")
    organiser.submit(organiser.get(second), "Skicka nu")
    left = organiser.get(f"/tavlingar/omgangar/{there.session_id}/tider")
    assert [link.get("href") for link in left.select('main a[href$="/utskick"]')] == [first, third]


def test_r18_a_member_of_lk_is_registered_as_present(organiser: PageClient, there: Federation) -> None:
    page = organiser.get(f"/tavlingar/{there.tournament_id}/lagkommissionen")
    assert "Välj den ledamot" in organiser.submit(page, "Registrera som närvarande", status=422).text(".error-summary")
    shown = organiser.submit(page, "Registrera som närvarande", person_id=str(there.persons["lk_1"]))
    assert "Ulla Sandvik" in shown.text("main")
    assert [row.person_id for row in rows(Presence)] == [there.persons["lk_1"]]


def test_others_find_no_tournament_page(app: Flask, there: Federation) -> None:
    client = signing.official(app, there, "juror_1")
    client.get(f"/tavlingar/{there.tournament_id}", status=403)


def test_who_runs_another_tournament_finds_nothing_here(organiser: PageClient, there: Federation) -> None:
    with uow(write=True) as session:
        here = session.get_one(Tournament, there.tournament_id)
        elsewhere = here.model_copy(update={"id": uuid4(), "name": "Vårpokalen"})
        (grant,) = session.exec(select(Grant).where(Grant.person_id == there.persons["organiser"]))
        grant.tournament_id = elsewhere.id
        session.add(Tournament.model_validate(elsewhere.model_dump()))
    organiser.get(f"/tavlingar/{there.tournament_id}", status=404)
    organiser.get(f"/tavlingar/omgangar/{there.session_id}/resultat", status=404)


def test_the_office_sees_every_tournament(app: Flask, there: Federation) -> None:
    assert "Höstpokalen" in signing.official(app, there, "office").get("/tavlingar").text("main")
