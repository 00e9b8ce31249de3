"""The complete papers: the gate, sending in, taking up, registering, contact data, downloads (R19, R29, R30)."""

import io
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import AccessEntry, Attachment, Contact, Grant, Proceeding, Seat
from casework.domain.terms import AppealRoute, Role, SeatRole, State
from tests.factories import Federation, OpenCase
from tests.story import Story
from tests.web import signing
from tests.web.at_table import rows, url
from tests.web.panels import browser
from tests.web.test_statements import PNG, app, appealed, asked, case, finish, state, there

__all__ = ["app", "asked", "case", "there"]


def lose_contact(there: Federation, *keys: str) -> None:
    """The register knows neither address nor telephone number of these people."""
    with uow(write=True) as session:
        for key in keys:
            row = session.exec(select(Contact).where(Contact.person_id == there.persons[key])).one()
            row.street = row.phone = ""


def test_the_gate_says_what_is_missing_and_who_must_act(app: Flask, there: Federation, case: OpenCase) -> None:
    """R30."""
    director = signing.official(app, there, "director")
    page = director.get(url(case, "handlingarna"))
    text = page.text("main")
    assert "Tävlingsledarens rapport Inte inlämnad. Ska agera: Karin Fjällbo." in text
    assert "Yttranden från alla parter Inte begärda än." in text
    assert not page.has("main form")


def test_the_director_sends_in_when_everything_is_there(app: Flask, there: Federation, asked: OpenCase) -> None:
    """R29, R30: contact data are asked for on the way."""
    lose_contact(there, "north", "south")
    finish(there, asked)
    director = signing.official(app, there, "director")
    page = director.get(url(asked, "handlingarna"))
    assert "Adress och telefon till Birgit Ekestam Saknas." in page.text("main")
    assert not page.has("main form")
    fill = director.get(url(asked, f"kontaktuppgifter/{there.persons['north']}"))
    fill = director.submit(fill, "Spara", status=422, phone="08-000 00 12")
    assert "Skriv gatuadressen" in fill.text(".error-summary")
    page = director.submit(fill, "Spara", street="Provgatan 1", postal_code="111 11", city="Lindvalla")
    assert "Adress och telefon till Birgit Ekestam är sparade." in page.text(".banner")
    assert director.submit(page, "Skicka in handlingarna").h1 == "Handlingarna är inskickade"
    assert state() is State.SENT_IN
    assert "contact data" in {entry.what for entry in rows(AccessEntry)}


def test_others_send_in_only_when_the_director_is_late(app: Flask, there: Federation, asked: OpenCase) -> None:
    finish(there, asked)
    office = signing.official(app, there, "office")
    page = office.get(url(asked, "handlingarna"))
    assert "Inte än: Tävlingsledaren har fortfarande tid att skicka in handlingarna." in page.text("main")
    assert not page.has("main form")
    clock.advance(timedelta(days=16))
    office = signing.official_again(app, "office")
    page = office.get(url(asked, "handlingarna"))
    page = office.submit(page, "Skicka in handlingarna", status=422)
    office.submit(page, "Skicka in handlingarna", because="Tävlingsledaren svarar inte.")
    assert state() is State.SENT_IN


def test_a_party_sees_no_list_of_addresses(app: Flask, there: Federation, asked: OpenCase) -> None:
    north = signing.party(app, there, asked, "north")
    north.get(url(asked, "handlingarna"), status=404)
    north.get(url(asked, f"kontaktuppgifter/{there.persons['east']}"), status=404)


def test_contact_data_are_those_of_the_case_only(app: Flask, there: Federation, asked: OpenCase) -> None:
    director = signing.official(app, there, "director")
    director.get(url(asked, f"kontaktuppgifter/{there.persons['juror_1']}"), status=404)


def test_the_law_commission_takes_a_case_up_in_spite_of_what_is_missing(
    app: Flask, there: Federation, case: OpenCase
) -> None:
    """Item 5: by its own decision with reasons; here its chair also organises the tournament."""
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons["lk_chair"], role=Role.ORGANISER, tournament_id=there.tournament_id))
    chair = signing.official(app, there, "lk_chair")
    page = chair.get(url(case, "ta-upp"))
    assert "Tävlingsledarens rapport" in page.text("main")
    page = chair.submit(page, "Ta upp ärendet", status=422)
    assert "Skriv varför ärendet tas upp" in page.text(".error-summary")
    assert chair.submit(page, "Ta upp ärendet", because="Rapporten kommer aldrig.").h1 == "Ärendet är upptaget"
    with uow() as session:
        assert session.get_one(Proceeding, appealed()).taken_up_because == "Rapporten kommer aldrig."


def test_the_office_takes_up_for_a_jury_that_nobody_sits_on_yet(sqlite: str) -> None:
    """R30: in its place, with reasons that both sides read."""
    story = Story.begun(route=AppealRoute.JURY_LATER)
    story.rule()
    story.appeal()
    story.forward()
    address = f"/arenden/{story.case.case_id}/ta-upp"
    for who in ("organiser", "director", "lk_chair"):
        browser(story.there, who).get(address, status=404 if who == "lk_chair" else 403)
    office = browser(story.there, "office")
    page = office.get(address)
    assert "Juryn kan pröva ärendet ändå." in page.text("main")
    assert office.submit(page, "Ta upp ärendet", because="Rapporten kommer aldrig.").h1 == "Ärendet är upptaget"
    with uow() as session:
        assert session.get_one(Proceeding, story.newest()).taken_up_because == "Rapporten kommer aldrig."


def sent_in(app: Flask, there: Federation, asked: OpenCase) -> None:
    """The director has sent in the papers."""
    finish(there, asked)
    director = signing.official(app, there, "director")
    director.submit(director.get(url(asked, "handlingarna")), "Skicka in handlingarna")


def test_members_are_proposed_and_a_reserve_replaces_the_barred(app: Flask, there: Federation, asked: OpenCase) -> None:
    """R19: without anyone having to remember, with the reason shown."""
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons["north"], role=Role.LK_MEMBER))
        ulla = session.exec(select(Grant).where(Grant.person_id == there.persons["lk_1"])).one()
        session.delete(ulla)
    sent_in(app, there, asked)
    chair = signing.official(app, there, "lk_chair")
    page = chair.get(url(asked, "registrera"))
    assert "Birgit Ekestam är part" in page.text("main")
    chosen = page.values("Registrera ärendet")
    assert set(chosen["members"]) == {str(there.persons[key]) for key in ("lk_chair", "lk_2", "lk_reserve")}
    assert chosen["chair"] == [str(there.persons["lk_chair"])]
    page = chair.submit(page, "Registrera ärendet", status=422)
    assert "Skriv varför instansen får pröva ärendet" in page.text(".error-summary")
    receipt = chair.submit(page, "Registrera ärendet", jurisdiction="Överklagande enligt lag 93.")
    assert receipt.h1 == "Ärendet är registrerat"
    assert state() is State.REGISTERED
    seats = {seat.person_id: seat.role for seat in rows(Seat)}
    assert seats[there.persons["lk_reserve"]] is SeatRole.RESERVE
    assert seats[there.persons["lk_chair"]] is SeatRole.CHAIR


def test_a_stale_page_of_members_keeps_the_other_choices(app: Flask, there: Federation, asked: OpenCase) -> None:
    """Who has left the Law Commission meanwhile can no longer be chosen; the page says so."""
    sent_in(app, there, asked)
    chair = signing.official(app, there, "lk_chair")
    page = chair.get(url(asked, "registrera"))
    members = [str(there.persons[key]) for key in ("lk_chair", "lk_2", "lk_1")]
    with uow(write=True) as session:
        session.delete(session.exec(select(Grant).where(Grant.person_id == there.persons["lk_1"])).one())
    page = chair.submit(page, "Registrera ärendet", status=422, members=members, jurisdiction="Lag 93.")
    assert "Någon annan har gjort något" in page.text(".error-summary")
    assert set(page.values("Registrera ärendet")["members"]) == set(members[:2])


@pytest.mark.parametrize("members", [["lk_2", "lk_1"], ["lk_chair"]])
def test_a_panel_that_does_not_fit_is_refused(
    app: Flask, there: Federation, asked: OpenCase, members: list[str]
) -> None:
    sent_in(app, there, asked)
    chair = signing.official(app, there, "lk_chair")
    page = chair.get(url(asked, "registrera"))
    chosen = [str(there.persons[key]) for key in members]
    few = "lk_chair" in members
    page = chair.submit(page, "Registrera ärendet", status=403 if few else 422, members=chosen, jurisdiction="Lag 93.")
    assert ("minst 3" if few else "Ordföranden måste vara en av ledamöterna") in page.text(".error-summary")


def test_a_file_is_fetched_and_never_shown(app: Flask, there: Federation, asked: OpenCase) -> None:
    """S-UP7."""
    north = signing.party(app, there, asked, "north")
    form = north.get(url(asked, "yttrande"))
    check = north.submit(form, "Fortsätt till kontrollen", text="Se.", files=[(io.BytesIO(PNG), "åäö \u202e.png")])
    (draft,) = rows(Attachment)
    assert north.raw(url(asked, f"bilagor/{draft.id}"), buffered=True).status_code == 404
    north.submit(check, "Lämna in yttrandet")
    answer = north.raw(url(asked, f"bilagor/{draft.id}"), buffered=True)
    assert answer.data == PNG
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Accept-Ranges" not in answer.headers


def test_an_officials_reading_of_an_unopened_file_is_noted(app: Flask, there: Federation, asked: OpenCase) -> None:
    """S-AUD7; others than the director and the office do not read it at all."""
    north = signing.party(app, there, asked, "north")
    form = north.get(url(asked, "yttrande"))
    check = north.submit(form, "Fortsätt till kontrollen", text="Se.", files=[(io.BytesIO(PNG), "a.png")])
    north.submit(check, "Lämna in yttrandet")
    (file,) = rows(Attachment)
    assert (
        signing.official(app, there, "organiser").raw(url(asked, f"bilagor/{file.id}"), buffered=True).status_code
        == 404
    )
    assert (
        signing.official(app, there, "director").raw(url(asked, f"bilagor/{file.id}"), buffered=True).status_code == 200
    )
    assert [entry.person_id for entry in rows(AccessEntry)] == [there.persons["director"]]


def test_an_outsider_finds_no_page(app: Flask, there: Federation, asked: OpenCase) -> None:
    reserve = signing.official(app, there, "lk_reserve")
    for page in ("handlingarna", "ta-upp", "registrera", f"kontaktuppgifter/{there.persons['north']}"):
        reserve.get(url(asked, page), status=404)
