"""The panel and its hearing in the browser: jurors by link, one person at one laptop (R17-R19, R25-R26)."""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import format_instant
from casework.app import create_app
from casework.clock import LOCAL, now
from casework.domain.models import AccessEntry, Grant, Notice, Panel, Person
from casework.domain.terms import HearingStep, NoticeKind, NoticeState, Role
from casework.services import hearings, tournaments
from casework.services.loading import load
from tests.factories import Federation, federation
from tests.juries import JURORS, JuryCase, answer, answered, appealed, called, composed, heard, present, vote
from tests.page import Page, PageClient
from tests.web.panels import AGO, at, browser, by_link, rows

pytestmark = pytest.mark.usefixtures("sqlite")


def state(case: JuryCase) -> str:
    """Where the appeal stands."""
    with uow() as session:
        return load(session, case.proceeding_id).proceeding.state.value


def compose(client: PageClient, case: JuryCase, *who: str, chair: str = "", status: int = 200) -> Page:
    """Choose the members on the page."""
    persons = case.there.persons
    page = client.get(at(case, "jury"))
    return client.submit(
        page,
        "Utse juryn",
        members=[str(persons[one]) for one in who],
        chair=str(persons[chair]) if chair else "",
        status=status,
    )


def grant(there: Federation, who: str) -> None:
    """Make somebody a possible jury member."""
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons[who], role=Role.JURY_MEMBER, tournament_id=there.tournament_id))


def same_club(there: Federation, who: str) -> None:
    """Let somebody belong to the parties' club."""
    with uow(write=True) as session:
        session.get_one(Person, there.persons[who]).club = "Lindvalla BK"


def test_the_organiser_appoints_the_jury_and_sees_who_cannot_sit() -> None:
    """R19: the barred are shown with the reason and cannot be chosen."""
    there = federation()
    grant(there, "north")
    same_club(there, "juror_2")
    case = appealed(there, at=now() - AGO)
    client = browser(there, "organiser")
    page = client.get(at(case, "jury"))
    assert "Birgit EkestamÄr part" in rows(page)
    assert str(there.persons["north"]) not in page.html
    assert "Kan ha jäv: hör till samma klubb som en part" in rows(page)
    assert "Vanligen är ledamöterna 3" in rows(page)
    done = compose(client, case, *JURORS, chair="juror_1")
    assert done.path == at(case, "sammantrade")
    assert "Ledamöterna är utsedda" in done.text(".banner")
    assert "Göran Wiklund Ordförande" in rows(done)


@pytest.mark.parametrize(
    ("who", "chair", "said"),
    [
        ((), "", "Välj ledamöter"),
        (JURORS, "", "Välj ordförande"),
        (JURORS[:2], "juror_3", "Ordföranden måste vara en av ledamöterna"),
    ],
)
def test_a_jury_that_is_not_whole_keeps_what_was_chosen(who: tuple[str, ...], chair: str, said: str) -> None:
    there = federation()
    case = appealed(there, at=now() - AGO)
    page = compose(browser(there, "director"), case, *who, chair=chair, status=422)
    assert said in page.text(".error-summary")
    assert page.values("Utse juryn").get("members", []) == sorted(
        (str(there.persons[one]) for one in who), key=page.html.index
    )


def test_too_few_members_are_refused_with_the_reason() -> None:
    there = federation()
    case = appealed(there, at=now() - AGO)
    page = compose(browser(there, "director"), case, "juror_1", "juror_2", chair="juror_1", status=403)
    assert "Det behövs minst 3 ledamöter" in page.text(".error-summary")
    assert "Det behövs minst 3 ledamöter" in page.text("#members-error")


@pytest.mark.parametrize("who", ["north", "west", "lk_1", "juror_1"])
@pytest.mark.parametrize("place", ["jury", "sammantrade", "sammantrade/kalla", "sammantrade/narvaro", "jav"])
def test_the_pages_do_not_exist_for_others(who: str, place: str) -> None:
    there = federation()
    case = appealed(there, at=now() - AGO)
    browser(there, who).get(at(case, place), status=404)


def test_parties_see_no_page_of_the_panel() -> None:
    there = federation()
    case = called(there, at=now() - AGO)
    for place in ("jury", "jav", "sammantrade", "sammantrade/kalla", "overlaggning", "beslut/skriv"):
        browser(there, "south").get(at(case, place), status=404)


def test_two_who_appoint_at_once() -> None:
    """A stale page is shown again with what was chosen, and says what has happened."""
    there = federation()
    case = appealed(there, at=now() - AGO)
    client = browser(there, "organiser")
    page = client.get(at(case, "jury"))
    compose(browser(there, "director"), case, *JURORS, chair="juror_1")
    persons = [str(there.persons[one]) for one in JURORS]
    late = client.submit(page, "Utse juryn", members=persons, chair=persons[1], status=409)
    assert "Någon annan har gjort något i ärendet" in late.text(".error-summary")
    assert late.values("Utse juryn")["chair"] == [persons[1]]
    assert client.submit(late, "Utse juryn").path == at(case, "sammantrade")


def test_a_member_who_has_not_answered_sees_when_the_hearing_is() -> None:
    case = composed(federation(), at=now() - AGO)
    starts = now() + timedelta(hours=1)
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=starts)
    shown = by_link(case, "juror_2").get(at(case, "jav")).text("main")
    assert all(words in shown for words in ("Sammanträdet", "Rum 2", format_instant(starts, "sv")))


def test_a_change_after_the_call_says_that_the_hearing_stands() -> None:
    case = answered(federation(), at=now() - AGO)
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=now() + timedelta(hours=1))
    page = compose(browser(case.there, "organiser"), case, "juror_1", "juror_2", "lk_2", chair="juror_1")
    assert "sammanträdet gäller" in page.text("main")
    assert "Ersatta av andra: Sten Oskarsson." in page.text("main")


def test_who_is_recused_meanwhile_is_no_choice_of_a_stale_page() -> None:
    """The page says that something has happened, and keeps the other choices."""
    there = federation()
    case = composed(there, at=now() - AGO)
    client = browser(there, "organiser")
    page = client.get(at(case, "jury"))
    answer(case, "juror_3", conflict=True)
    stale = client.submit(page, "Utse juryn", status=422)
    assert "Någon annan har gjort något" in stale.text(".error-summary")
    chosen = stale.values("Utse juryn")
    assert set(chosen["members"]) == {str(there.persons[one]) for one in ("juror_1", "juror_2")}
    assert chosen["chair"] == [str(there.persons["juror_1"])]


@pytest.mark.parametrize(("who", "shown"), [("organiser", True), ("office", True), ("director", False)])
def test_the_hearings_page_shows_the_codes_or_says_who_does(who: str, *, shown: bool) -> None:
    case = composed(federation(), at=now() - AGO)
    page = browser(case.there, who).get(at(case, "sammantrade"))
    codes = [at(case, f"jury/kod/{case.seat(juror)}") for juror in JURORS]
    assert [page.has(f'a[href="{code}"]') for code in codes] == [shown] * 3
    assert ("Arrangören eller kansliet visar den" in page.text("main")) is not shown


def test_a_code_opens_the_case_for_the_member_and_only_organiser_and_office_see_it() -> None:
    there = federation()
    case = composed(there, at=now() - AGO)
    place = at(case, f"jury/kod/{case.seat('juror_2')}")
    client = browser(there, "organiser")
    assert client.get(place).h1 == "Kod för Inga Bergdal"
    image = client.raw(place + ".svg")
    assert (image.status_code, image.mimetype) == (200, "image/svg+xml")
    assert image.headers["Cache-Control"] == "no-store"
    for other in ("south", "lk_chair", "juror_1", "director"):
        browser(there, other).get(place, status=404)
        assert browser(there, other).raw(place + ".svg").status_code == 404
    assert by_link(case, "juror_1").raw(place + ".svg").status_code == 404


def test_a_code_is_gone_when_its_member_has_come_in_and_the_member_is_told_of_each_showing() -> None:
    there = federation()
    case = composed(there, at=now() - AGO)
    place = at(case, f"jury/kod/{case.seat('juror_2')}")
    client = browser(there, "organiser")
    client.raw(place + ".svg")
    with uow() as session:
        entry = session.exec(select(AccessEntry)).one()
    assert (entry.person_id, entry.what) == (there.persons["organiser"], f"seat code:{case.seat('juror_2')}")
    assert "Koden visades av" in by_link(case, "juror_2").get(at(case, "jav")).text("main")
    assert "Koden visades av" not in by_link(case, "juror_3").get(at(case, "jav")).text("main")
    assert "har redan öppnat sin länk" in client.get(place, status=403).text("main")
    assert client.raw(place + ".svg").status_code == 403
    page = client.get(at(case, "sammantrade"))
    assert "Har redan öppnat sin länk" in rows(page)
    assert not page.has(f'a[href="{place}"]')


def test_no_code_is_shown_once_the_jury_deliberates() -> None:
    there = federation()
    case = heard(there, at=now() - AGO)
    place = at(case, f"jury/kod/{case.seat('juror_2')}")
    client = browser(there, "organiser")
    assert "bara före överläggningen" in client.get(place, status=403).text("main")
    assert client.raw(place + ".svg").status_code == 403
    assert "Visa koden" not in rows(client.get(at(case, "sammantrade")))


def test_the_page_of_a_members_link_says_that_it_is_no_players() -> None:
    """S-LINK1 lets it name nobody; but a party who opens it is warned before it signs anybody in."""
    case = composed(federation(), at=now() - AGO)
    page = PageClient(create_app()).get(f"/l/{case.token('juror_2')}")
    assert "någon som ska pröva ärendet" in page.text(".lead")
    assert "Bergdal" not in page.html


def test_a_juror_is_asked_before_anything_is_opened() -> None:
    """Heading, parties, tournament, panel and the question: nothing else."""
    there = federation()
    case = composed(there, at=now() - AGO)
    client = by_link(case, "juror_2")
    page = client.get(at(case, "sammantrade"))
    assert page.path == at(case, "jav")
    assert "Arne Solvik" in rows(page)
    assert "Göran Wiklund, ordförande" in rows(page)
    assert "nio stick" not in page.html
    assert "Ingen paus" not in page.html
    client.get(at(case, "overlaggning"), status=404)
    after = client.submit(page, "Skicka svaret", answer="no")
    assert after.path == at(case, "sammantrade")


def test_an_answer_without_reason_is_asked_for_it() -> None:
    case = composed(federation(), at=now() - AGO)
    client = by_link(case, "juror_2")
    page = client.get(at(case, "jav"))
    assert "Svara på frågan om jäv" in client.submit(page, "Skicka svaret", status=422).text(".error-summary")
    again = client.submit(page, "Skicka svaret", answer="yes", status=422)
    assert "Skriv vad det är för jäv" in again.text(".error-summary")


def test_who_has_a_conflict_is_out_at_once_in_every_tab() -> None:
    """S-AC5: the receipt is all that is left; a form that is open already does nothing."""
    case = composed(federation(), at=now() - AGO)
    client = by_link(case, "juror_2")
    page = client.get(at(case, "jav"))
    tab = client.signed_in_copy()
    open_tab = tab.get(at(case, "jav"))
    receipt = client.submit(page, "Skicka svaret", answer="yes", reason="Syd är min bror.")
    assert receipt.h1 == "Du deltar inte i ärendet"
    assert tab.get(receipt.path).h1 == receipt.h1
    assert tab.submit(page, "Skicka svaret", answer="yes", reason="Syd är min bror.").h1 == receipt.h1
    for place in ("jav", "sammantrade", "overlaggning"):
        tab.get(at(case, place), status=404)
    tab.submit(open_tab, "Skicka svaret", answer="no", status=404)


def test_a_conflict_that_is_discovered_later_is_reported_until_the_decision() -> None:
    """R17: who has answered no is out at once, as a first answer would do, even with the vote cast."""
    case = heard(federation(), at=now() - AGO)
    for who in JURORS:
        vote(case, who)
    client = by_link(case, "juror_2")
    assert client.get(at(case, "overlaggning")).has(f'a[href="{at(case, "jav")}"]')
    page = client.get(at(case, "jav"))
    page = client.submit(page, "Anmäl jävet och lämna ärendet", status=422)
    assert "Skriv vad det är för jäv" in page.text(".error-summary")
    receipt = client.submit(page, "Anmäl jävet och lämna ärendet", reason="Nord är min svåger.")
    assert client.submit(page, "Anmäl jävet och lämna ärendet", reason="Nord är min svåger.").path == receipt.path
    client.get(at(case, "overlaggning"), status=404)


def test_a_receipt_is_its_authors_alone() -> None:
    there = federation()
    case = composed(there, at=now() - AGO)
    client = by_link(case, "juror_2")
    receipt = client.submit(client.get(at(case, "jav")), "Skicka svaret", answer="yes", reason="Syd är min bror.")
    browser(there, "organiser").get(receipt.path, status=404)


def test_a_suggestion_that_is_denied_waits_for_another() -> None:
    there = federation()
    same_club(there, "juror_2")
    case = composed(there, at=now() - AGO)
    client = by_link(case, "juror_2")
    page = client.get(at(case, "jav"))
    assert "du hör till samma klubb som en part" in rows(page)
    waiting = client.submit(page, "Skicka svaret", answer="no")
    assert "Någon annan avgör" in rows(waiting)
    client.get(at(case, "overlaggning"), status=404)
    organiser = browser(there, "organiser")
    page = organiser.get(at(case, f"jav/{case.seat('juror_2')}/avgor"))
    assert "Skriv skälen" in organiser.submit(page, "Avgör frågan", answer="no", status=422).text(".error-summary")
    organiser.submit(page, "Avgör frågan", answer="no", because="Klubben har 300 medlemmar.")
    assert client.get(at(case, "sammantrade")).status == 200


def test_a_member_does_not_decide_about_himself() -> None:
    there = federation()
    same_club(there, "juror_2")
    case = composed(there, at=now() - AGO)
    answer(case, "juror_2")
    by_link(case, "juror_2").get(at(case, f"jav/{case.seat('juror_2')}/avgor"), status=404)


def test_the_laptop_enters_what_a_member_answers() -> None:
    case = composed(federation(), at=now() - AGO)
    client = browser(case.there, "director")
    for who in JURORS:
        page = client.get(at(case, f"jav/{case.seat(who)}"))
        client.submit(page, "Spara svaret", answer="no")
    assert "Ej besvarat" not in rows(client.get(at(case, "sammantrade")))


def test_everybody_who_is_called_is_named_first() -> None:
    """R18: the LK members who are present too."""
    there = federation()
    case = answered(there, at=now() - AGO)
    with uow(write=True) as session:
        tournaments.register_presence(
            session, there.tournament_id, there.persons["lk_1"], there.actor("organiser"), now=now()
        )
    client = browser(there, "director")
    page = client.get(at(case, "sammantrade/kalla"))
    for name in ("Arne Solvik", "Lena Tvärås", "Göran Wiklund", "Ulla Sandvik"):
        assert name in rows(page)
    wrong = client.submit(page, "Kalla till sammanträdet", place="", clock="25.00", status=422)
    assert "Skriv var sammanträdet är" in wrong.text(".error-summary")
    assert wrong.values("Kalla till sammanträdet")["clock"] == ["25.00"]
    tomorrow = f"{now().astimezone(LOCAL) + timedelta(days=1):%Y-%m-%d}"
    done = client.submit(wrong, "Kalla till sammanträdet", place="Rum 2", day=tomorrow, clock="22.30")
    assert "kl. 22.30" in rows(done)
    assert "Ulla Sandvik" in rows(done)
    with uow() as session:
        summoned = {n.person_id for n in session.exec(select(Notice).where(Notice.kind == NoticeKind.SUMMONS))}
    assert there.persons["lk_1"] in summoned


def test_the_hearing_opens_when_nothing_is_missing() -> None:
    """R18, R26: all that is missing is said."""
    there = federation()
    case = called(there, at=now() - AGO)
    client = browser(there, "director")
    page = client.get(at(case, "sammantrade"))
    assert "Inte än: Öppna sammanträdet. Notera om par 7 är på plats." in rows(page)
    assert not page.has("form")
    note = client.get(at(case, "sammantrade/narvaro"))
    parties = [f"party_{party.hex}" for party in case.opened.party_ids.values()]
    one: dict[str, Any] = {parties[0]: "present"}
    both: dict[str, Any] = one | {parties[1]: "absent"}
    wrong = client.submit(note, "Notera närvaron", status=422, **one)
    assert "på plats" in wrong.text(".error-summary")
    absent = client.submit(note, "Notera närvaron", status=422, **both)
    assert "Skriv vad som har gjorts" in absent.text(".error-summary")
    page = client.submit(note, "Notera närvaron", note="Ringt kl. 21.40, inget svar.", **both)
    assert "Inget visar att kallelsen har nått" in rows(page)
    with uow(write=True) as session:
        for notice in session.exec(select(Notice).where(Notice.kind == NoticeKind.SUMMONS)):
            notice.state, notice.proven_at = NoticeState.TOLD, now()
            session.add(notice)
    page = client.submit(client.get(at(case, "sammantrade")), "Öppna sammanträdet")
    assert state(case) == "hearing"
    assert "Ordföranden presenterar juryn" in rows(page)


def test_the_chair_takes_the_steps_at_one_laptop_until_the_panel_is_alone() -> None:
    """R25: in the federation's order, each with its time."""
    there = federation()
    case = called(there, at=now() - AGO)
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    client = by_link(case, "juror_1")
    page = client.submit(client.get(at(case, "sammantrade")), "Öppna sammanträdet")
    first = page
    for _ in HearingStep:
        page = client.submit(page, "Klart, gå vidare")
    again = client.submit(first, "Klart, gå vidare", status=200)
    assert "Klart kl." in again.text(".steps")
    done = client.submit(page, "Avsluta sammanträdet och överlägg")
    assert state(case) == "deliberating"
    assert done.has(f'a[href="{at(case, "overlaggning")}"]')
    assert "Ledamöterna överlägger ensamma" in rows(browser(there, "director").get(at(case, "sammantrade")))
    with uow() as session:
        assert len(session.exec(select(Panel)).one().steps) == len(HearingStep)


def test_a_step_that_does_not_exist_is_no_page() -> None:
    case = called(federation(), at=now() - AGO)
    client = browser(case.there, "director")
    page = client.get(at(case, "sammantrade/narvaro"))
    token = page.values("Notera närvaron")["csrf_token"][0]
    client.post(at(case, "sammantrade/moment"), {"csrf_token": token, "step": "dance"}, status=404)
