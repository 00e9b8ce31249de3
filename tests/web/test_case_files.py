"""The case file as PDF, decisions as letters, and letters that are posted and arrive (F35, R37)."""

from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import col, select
from werkzeug.test import TestResponse

from casework import clock
from casework.adapters.database import uow
from casework.adapters.i18n import format_instant, format_time
from casework.app import create_app
from casework.domain.models import CaseFile, Deadline, Notice
from casework.domain.terms import Channel, NoticeState
from casework.services import documents
from casework.text import t
from tests import factories
from tests.factories import Federation, OpenCase
from tests.narrator import hand_over
from tests.page import PageClient
from tests.web import signing

pytestmark = pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
    r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application on the evening of the ruling."""
    clock.advance(factories.START + timedelta(hours=2) - clock.now())
    return create_app()


@pytest.fixture
def there(app: Flask) -> Federation:
    """East gets letters."""
    return factories.federation(without_mail=frozenset({"east"}))


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A case with a ruling."""
    opened = factories.open_case(there)
    factories.give_ruling(there, opened)
    return opened


def url(case: OpenCase, rest: str) -> str:
    return f"/arenden/{case.case_id}/{rest}"


def files() -> list[CaseFile]:
    with uow() as session:
        return list(session.exec(select(CaseFile)))


def fetched(client: PageClient, path: str) -> TestResponse:
    """A download that is read to its end."""
    answer = client.raw(path)
    answer.get_data()
    answer.close()
    return answer


def make() -> UUID:
    """What the worker does with the only file that was asked for."""
    (asked,) = files()
    documents.make_case_file(asked.id)
    return asked.id


def letter() -> Notice:
    with uow() as session:
        return session.exec(select(Notice).where(Notice.channel == Channel.LETTER)).one()


def test_a_party_asks_for_the_case_file_and_fetches_it(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    page = north.get(url(case, "akten"))
    assert page.h1 == "Hela akten som PDF"
    assert "Kontaktuppgifter ingår inte." in page.text("main")
    page = north.submit(page, "Gör akten")
    assert "håller på att göras" in page.text("main")
    assert not page.has("main form button.button:not(.button-second)")
    file_id = make()
    page = north.get(url(case, "akten"))
    assert files()[0].sha256[:32] in page.text("main")
    answer = fetched(north, url(case, f"akten/{file_id}"))
    assert answer.data.startswith(b"%PDF")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{case.number} akt.pdf"'
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
    assert "Hela akten som PDF" in north.get(f"/arenden/{case.case_id}").text("main")


def test_a_button_pressed_twice_asks_once(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    page = north.get(url(case, "akten"))
    north.submit(page, "Gör akten")
    north.submit(page, "Gör akten")
    assert len(files()) == 1


def test_the_page_says_why_it_failed_and_takes_a_new_try(app: Flask, there: Federation, case: OpenCase) -> None:
    """F35."""
    north = signing.party(app, there, case, "north")
    north.submit(north.get(url(case, "akten")), "Gör akten")
    with uow(write=True) as session:
        documents.record_failure(session, files()[0].id, clock.now(), t("The PDF was not made: it took too long."))
    page = north.get(url(case, "akten"))
    assert "PDF:en blev inte gjord: det tog för lång tid. Ärendet är orört." in page.text("main")
    north.submit(page, "Gör akten igen")
    assert len(files()) == 2


def test_the_page_says_that_the_case_has_moved_on(app: Flask, there: Federation, case: OpenCase) -> None:
    director = signing.official(app, there, "director")
    director.submit(director.get(url(case, "akten")), "Gör akten")
    make()
    assert not director.get(url(case, "akten")).has("main form button.button-second")
    factories.publish_score(there, at=clock.now())
    page = director.get(url(case, "akten"))
    assert "Det har hänt något i ärendet sedan dess." in page.text("main")
    director.submit(page, "Gör akten igen")
    assert len(files()) == 2


def test_the_bodys_copy_is_not_for_the_parties(app: Flask, there: Federation, case: OpenCase) -> None:
    director = signing.official(app, there, "director")
    director.submit(director.get(url(case, "akten")), "Gör akten")
    file_id = make()
    assert signing.party(app, there, case, "north").raw(url(case, f"akten/{file_id}")).status_code == 404
    signing.official(app, there, "juror_1").get(url(case, "akten"), status=404)


def test_a_file_of_another_case_is_not_found(app: Flask, there: Federation, case: OpenCase) -> None:
    director = signing.official(app, there, "director")
    director.submit(director.get(url(case, "akten")), "Gör akten")
    other = factories.open_case(there)
    assert director.raw(url(other, f"akten/{make()}")).status_code == 404


def test_a_party_gets_its_decision_as_a_letter_of_its_own(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    page = north.submit(north.get(url(case, "akten")), "Gör brevet")
    assert "håller på att göras" in page.text("main")
    file_id = make()
    assert "Hämta brevet" in north.get(url(case, "akten")).text("main")
    assert fetched(north, url(case, f"akten/{file_id}")).data.startswith(b"%PDF")
    assert signing.party(app, there, case, "west").raw(url(case, f"akten/{file_id}")).status_code == 404


def test_a_letter_is_made_posted_and_arrives(app: Flask, there: Federation, case: OpenCase) -> None:
    """R37: the recipient's time runs from the arrival, never from the posting."""
    factories.publish_score(there, at=clock.now())
    office = signing.official(app, there, "office")
    page = office.get("/brev")
    assert "Lena Tvärås" in page.text("main")
    notice = letter_of_ruling()
    where = url(case, f"brev/{notice.id}")
    page = office.get(where)
    assert "Provgatan 14" in page.text("main")
    office.submit(page, "Gör brevet")
    file_id = make()
    printed = fetched(office, url(case, f"akten/{file_id}")).data
    assert printed.startswith(b"%PDF")
    check = office.get(f"{where}/postat")
    assert office.submit(check, "Jag har postat brevet").h1 == "Brevet till Lena Tvärås är postat"
    assert office.submit(check, "Jag har postat brevet").h1 == "Brevet till Lena Tvärås är postat"
    assert letter_of_ruling().state is NoticeState.POSTED
    kept = sha256(printed).hexdigest()
    assert f"SHA-256 {kept[:32]} {kept[32:]}" in office.get(url(case, "delgivning")).text("main")
    assert "Gör brevet" not in office.get(where).text("main")
    assert "Postade, men vi vet inte om de har kommit fram" in office.get("/brev").text("main")
    clock.advance(timedelta(days=3))
    office = signing.official_again(app, "office")
    page = office.get(f"{where}/framme")
    page = office.submit(page, "Fortsätt", status=422, day="2026-11-30")
    assert "Skriv klockslaget" in page.text(".error-summary")
    page = office.submit(page, "Fortsätt", arrived_at="12.00", note="Hon ringde.")
    assert "måndag 30 november 2026 kl. 12.00" in page.text("main")
    done = office.submit(page, "Anteckna att det har kommit fram")
    assert done.h1 == "Antecknat: brevet till Lena Tvärås har kommit fram"
    assert office.submit(page, "Anteckna att det har kommit fram").h1 == done.h1
    assert letter_of_ruling().proven_at is not None


def letter_of_ruling() -> Notice:
    with uow() as session:
        wanted = select(Notice).where(Notice.channel == Channel.LETTER).order_by(Notice.due_at)  # type: ignore[arg-type]
        found = session.exec(wanted).first()
        assert found is not None
        return found


@pytest.mark.parametrize(("day", "words"), [("2027-01-01", "i framtiden"), ("2026-11-01", "innan det skrevs")])
def test_a_letter_arrives_between_its_writing_and_now(
    app: Flask, there: Federation, case: OpenCase, day: str, words: str
) -> None:
    director = signing.official(app, there, "director")
    where = url(case, f"brev/{letter().id}")
    director.submit(director.get(f"{where}/postat"), "Jag har postat brevet")
    form = director.get(f"{where}/framme")
    page = director.submit(form, "Fortsätt", status=422, day=day, arrived_at="12.00", note="Hon ringde.")
    assert words in page.text(".error-summary")
    assert letter().proven_at is None


@pytest.mark.parametrize(("day", "words"), [("2027-01-01", "i framtiden"), ("2026-11-01", "låg klart att posta")])
def test_a_letter_is_posted_between_its_writing_and_now(
    app: Flask, there: Federation, case: OpenCase, day: str, words: str
) -> None:
    director = signing.official(app, there, "director")
    form = director.get(url(case, f"brev/{letter().id}/postat"))
    page = director.submit(form, "Jag har postat brevet", status=422, day=day, posted_at="12.00")
    assert words in page.text(".error-summary")
    assert letter().state is NoticeState.TO_BE_POSTED


def test_a_posting_noted_late_is_put_right_and_the_arrival_with_it(
    app: Flask, there: Federation, case: OpenCase
) -> None:
    """Who posts on Monday and says so on Thursday knows of an arrival on Wednesday (R37); what was noted is kept."""
    written = clock.now()
    clock.advance(timedelta(days=4))
    office = signing.official(app, there, "office")
    where = url(case, f"brev/{letter().id}")
    form = office.get(f"{where}/postat")
    assert form.one("[name=day]").attrib["value"] == clock.today().isoformat()
    office.submit(form, "Jag har postat brevet")
    arrived: dict[str, Any] = {
        "day": (written + timedelta(days=2)).date().isoformat(),
        "arrived_at": "12.00",
        "note": "Hon ringde.",
    }
    page = office.submit(office.get(f"{where}/framme"), "Fortsätt", status=422, **arrived)
    assert "kan inte ha kommit fram före det" in page.text(".error-summary")
    posted: dict[str, Any] = {"day": (written + timedelta(days=1)).date().isoformat(), "posted_at": "8.15"}
    wrong = office.get(f"{where}/postat/ratta")
    page = office.submit(wrong, "Rätta tiden", **posted, because="Glömde att säga till.")
    assert "kl. 08.15" in page.text("main")
    assert page.h1 == "Brevet till Lena Tvärås är postat"
    assert office.submit(wrong, "Rätta tiden", **posted, because="Glömde att säga till.").h1 == page.h1
    office.submit(
        office.submit(office.get(f"{where}/framme"), "Fortsätt", **arrived), "Anteckna att det har kommit fram"
    )
    assert letter().proven_at is not None
    proof = office.get(url(case, "delgivning")).text("main")
    assert "Först som" in proof
    assert proof.count("Varför: Glömde att säga till.") == 1
    assert "Ingen PDF av brevet gjordes här" in proof


@pytest.mark.parametrize("partner_told", [True, False])
def test_what_a_letter_does_to_the_sides_time_is_said_as_it_is(
    app: Flask,
    there: Federation,
    case: OpenCase,
    partner_told: bool,  # noqa: FBT001
) -> None:
    """R32: a side is told when one of its members is, so a letter to the other may start nothing."""
    with uow(write=True) as session:
        west = session.exec(select(Notice).where(Notice.person_id == there.persons["west"])).one()
        if partner_told:
            hand_over(session, west.id, factories.START + timedelta(minutes=5))
    factories.publish_score(there, at=clock.now())
    office, where = signing.official(app, there, "office"), url(case, f"brev/{letter_of_ruling().id}")
    page = office.submit(office.get(f"{where}/postat"), "Jag har postat brevet")
    assert ("Det här brevet ändrar den inte" in page.text("main")) is partner_told
    assert ("Tiden börjar när" in page.text("main")) is not partner_told
    clock.advance(timedelta(minutes=10))
    now: dict[str, Any] = {
        "day": clock.today().isoformat(),
        "arrived_at": format_time(clock.now(), "sv"),
        "note": "Hon ringde.",
    }
    check = office.submit(office.get(f"{where}/framme"), "Fortsätt", **now)
    receipt = office.submit(check, "Anteckna att det har kommit fram")
    for said in (check, receipt):
        assert ("Det här brevet ändrar den inte" in said.text("main")) is partner_told
        assert f"och går ut {ends(case)}" in said.text("main")


def ends(case: OpenCase) -> str:
    """When the time of East and West ends."""
    with uow() as session:
        windows = session.exec(
            select(Deadline).where(Deadline.case_id == case.case_id, col(Deadline.base).is_not(None))
        )
        return format_instant(max(one.instant for one in windows if one.instant), "sv")


def test_letters_are_the_offices_and_the_directors_own(app: Flask, there: Federation, case: OpenCase) -> None:
    where = url(case, f"brev/{letter().id}")
    assert "Lena Tvärås" in signing.official(app, there, "director").get("/brev").text("main")
    organiser = signing.official(app, there, "organiser")
    assert "Inget brev väntar på att postas." in organiser.get("/brev").text("main")
    organiser.get(where, status=404)
    signing.party(app, there, case, "north").get(where, status=404)
    signing.party(app, there, case, "north").get("/brev", status=403)


def test_the_list_is_empty_when_all_is_done(app: Flask, there: Federation, case: OpenCase) -> None:
    office = signing.official(app, there, "office")
    with uow(write=True) as session:
        notice = session.get_one(Notice, letter().id)
        notice.proven_at = clock.now()
        session.add(notice)
    assert "Inget brev väntar på att postas." in office.get("/brev").text("main")
