"""The office's page of all that goes out, the proof of notice, and what a person does about what did not arrive."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.smtp import Trouble
from casework.app import create_app
from casework.domain.delivery import SmtpPhase
from casework.domain.models import Contact, Notice, OutboxJob
from casework.domain.terms import AppealRoute, Channel, NoticeKind, NoticeState
from casework.services import notices, posting, reaching
from casework.web.statements.forms import DemandForm
from casework.web.telling import counting
from tests import factories
from tests.factories import NAMES, START, Federation, OpenCase
from tests.narrator import hand_over
from tests.page import PageClient, words
from tests.story import Story
from tests.web import signing

SOON = START + timedelta(minutes=5)
UNKNOWN = "550 5.1.1 <medlem12@lindvalla.example> User unknown"


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application on the evening of the ruling."""
    clock.advance(START + timedelta(hours=2) - clock.now())
    return create_app()


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A ruling: North's mail is delivered, South's refused, East's in doubt, West's on its way."""
    opened = factories.open_case(there)
    factories.give_ruling(there, opened)
    with uow(write=True) as session:
        hand_over(session, to(session, there, "north").id, SOON)
        refused = Trouble(SOON, SmtpPhase.RECIPIENT, UNKNOWN, "mx.example:25")
        notices.record_bounce(session, to(session, there, "south").id, refused)
        doubt = Trouble(SOON, SmtpPhase.FINAL_DOT, "TimeoutError: no answer from the mail server", "mx.example:25")
        notices.record_unsure(session, to(session, there, "east").id, doubt)
    return opened


def to(session: Session, there: Federation, key: str, channel: Channel = Channel.MAIL) -> Notice:
    found = select(Notice).where(Notice.person_id == there.persons[key], Notice.channel == channel)
    return session.exec(found.order_by(col(Notice.due_at).desc())).one()


def kept(there: Federation, key: str, channel: Channel = Channel.MAIL) -> Notice:
    with uow() as session:
        return to(session, there, key, channel)


def office(app: Flask, there: Federation) -> PageClient:
    return signing.official(app, there, "office")


def url(case: OpenCase, notice_id: UUID, rest: str = "") -> str:
    return f"/arenden/{case.case_id}/utskick/{notice_id}{rest}"


def test_what_needs_somebody_stands_first(app: Flask, there: Federation, case: OpenCase) -> None:
    """B2.50."""
    page = office(app, there).get("/utskick")
    assert page.h1 == "Utskick"
    first, everything = page.select("main section")
    assert "Kan ha kommit" in words(first)
    assert "Ska postas" in words(first)
    assert "Birgit Ekestam" not in words(first)
    assert "Birgit Ekestam" in words(everything)


def test_what_is_in_doubt_stands_before_what_is_unopened(app: Flask, there: Federation, case: OpenCase) -> None:
    """However much older the unopened one is."""
    with uow(write=True) as session:
        notice = to(session, there, "north")
        notice.unopened_at = notice.due_at = START - timedelta(days=30)
    first = words(office(app, there).get("/utskick").select("main section")[0])
    assert first.index("Kan ha kommit") < first.index("Ska postas") < first.index("inte öppnad")


def test_the_list_of_what_needs_somebody_is_opened_whole(app: Flask, there: Federation) -> None:
    with uow(write=True) as session:
        for _ in range(7):
            factories.give_ruling(there, factories.open_case(there))
        for notice in session.exec(select(Notice)):
            notice.unopened_at = SOON
    reader = office(app, there)
    page, whole = reader.get("/utskick"), reader.get("/utskick?alla=1")
    listed, all_of_it = (len(one.select("main section")[0].findall(".//li")) for one in (page, whole))
    assert (listed, all_of_it > listed) == (25, True)
    assert f"Visa alla {all_of_it} " in page.text("main")


@pytest.mark.parametrize(
    ("search", "found"), [("birgit", 1), ("SBF-2026-0001", 5), ("ingen", 0), ("_%", 0), ("TVÄRÅS", 1), ("tvärås", 1)]
)
def test_a_notice_is_searched_for(app: Flask, there: Federation, case: OpenCase, search: str, found: int) -> None:
    page = office(app, there).get(f"/utskick?q={search.replace('%', '%25')}")
    assert f"{found} underrättelse" in page.text("main")


def test_the_list_is_the_offices(app: Flask, there: Federation, case: OpenCase) -> None:
    signing.official(app, there, "director").get("/utskick", status=403)


def test_the_proof_of_notice_says_what_is_known(app: Flask, there: Federation, case: OpenCase) -> None:
    """R-PROOF1: who, what, when, where, how, opened or not."""
    with uow(write=True) as session:
        letter = to(session, there, "south", Channel.LETTER).id
        posting.record_posted(session, letter, there.actor("office"), at=SOON, now=SOON)
    text = office(app, there).get(f"/arenden/{case.case_id}/delgivning").text("main")
    for said in (
        "Framme", "Med e-post till medlem1", "när e-postservern tog emot den", "250 ok", "Inte öppnad", "SHA-256",
        "Kom inte fram", UNKNOWN, "Med brev till", "Kan ha kommit", "sedan hela brevet skickats",
        "Ännu bevisar inget att detta har nått personen.",
    ):  # fmt: skip
        assert said in text


def test_what_no_server_said_is_in_plain_words(app: Flask, there: Federation, case: OpenCase) -> None:
    """A server's line is evidence and stays as it was; the rest is ours, and nobody reads a program's words."""
    reader = office(app, there)
    text = reader.get(f"/arenden/{case.case_id}/delgivning").text("main")
    assert "inget svar sedan hela brevet skickats." in text
    assert "TimeoutError" not in text
    assert f"Servern svarade: ”{UNKNOWN}”" in text
    with uow(write=True) as session:
        unsafe = Trouble(SOON, SmtpPhase.TLS, "SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "mx.example:25")
        notices.record_later(session, to(session, there, "west").id, unsafe)
    page = reader.get(url(case, kept(there, "west").id)).text("main")
    assert "Förbindelsen med e-postservern var inte säker." in page
    assert "CERTIFICATE" not in page


def test_what_is_not_sent_yet_is_called_by_what_it_is_about(app: Flask, there: Federation, case: OpenCase) -> None:
    with uow() as session:
        west = to(session, there, "west")
    page = office(app, there).get(url(case, west.id))
    assert page.text(".lead").startswith("Domslutet")
    assert "Inte skickad än" not in page.text("main")


def test_a_letter_and_a_call_say_where_to(app: Flask, there: Federation, case: OpenCase) -> None:
    """R37: the address and the number that were used, masked for who may not read contact data."""
    with uow(write=True) as session:
        contact = session.exec(select(Contact).where(Contact.person_id == there.persons["south"])).one()
        contact.street, contact.postal_code, contact.city = "Norra vägen 3", "123 45", "Lindvalla"
        session.exec(select(Contact).where(Contact.person_id == there.persons["east"])).one().phone = "070-000 00 42"
        actor = there.actor("office")
        posting.record_posted(session, to(session, there, "south", Channel.LETTER).id, actor, at=SOON, now=SOON)
        reaching.record_call(session, to(session, there, "east").id, actor, at=SOON, note="Talade med Ivan.", now=SOON)
    with uow(write=True) as session:
        session.exec(select(Contact).where(Contact.person_id == there.persons["south"])).one().street = "Ny väg 1"
    proof = f"/arenden/{case.case_id}/delgivning"
    whole = office(app, there).get(proof).text("main")
    assert "Med brev till Norra vägen 3, 123 45 Lindvalla, postat" in whole
    assert "På telefon, 070-000 00 42" in whole
    masked = signing.official(app, there, "organiser").get(proof).text("main")
    assert "Med brev till ···, 123 45 Lindvalla" in masked
    assert "På telefon, ···42" in masked


def test_the_proof_of_notice_names_what_each_person_read(app: Flask) -> None:
    """R37: an appeal is told to both sides in words of their own."""
    story = Story.begun()
    story.rule()
    story.appeal()
    office, base = signing.official(app, story.there, "office"), f"/arenden/{story.case.case_id}"
    page = office.get(f"{base}/delgivning")
    under = {words(head): words(part) for part in page.select("main section") for head in part.iter("h2")}
    mine, theirs = under["Överklagandet har kommit in"], under["Motparten har överklagat"]
    assert ("Birgit Ekestam" in mine, "Birgit Ekestam" in theirs) == (True, False)
    with uow() as session:
        told = select(Notice).where(Notice.kind == NoticeKind.APPEAL_RECEIVED)
        east = session.exec(told.where(Notice.person_id == story.there.persons["east"])).one()
    assert "Motparten har överklagat" in office.get(f"{base}/utskick/{east.id}").text("main")


def test_who_may_not_read_contact_data_sees_no_address(app: Flask, there: Federation, case: OpenCase) -> None:
    """Neither in its own place nor in what a server answered."""
    text = signing.official(app, there, "organiser").get(f"/arenden/{case.case_id}/delgivning").text("main")
    assert "m···@lindvalla.example" in text
    assert "medlem1" not in text


def test_a_party_does_not_read_the_proof(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    north.get(f"/arenden/{case.case_id}/delgivning", status=404)
    north.get(url(case, kept(there, "north").id), status=404)


def test_a_refused_mail_runs_again_at_a_press(app: Flask, there: Federation, case: OpenCase) -> None:
    with uow(write=True) as session:
        failed = Trouble(SOON, SmtpPhase.SENDER, "530 5.7.0 Sign in first", "mx.example:25")
        notices.record_failure(session, to(session, there, "west").id, failed)
    client = office(app, there)
    form = client.get(url(case, kept(there, "west").id, "/igen"))
    for _ in range(2):  # R-DBL1: sent twice it leads to the same place
        page = client.submit(form, "Skicka e-posten igen")
        assert kept(there, "west").state is NoticeState.DUE
        assert "är på väg igen" in page.text("body")
    with uow() as session:
        assert len(session.exec(select(OutboxJob).where(OutboxJob.subject_id == kept(there, "west").id)).all()) == 2


def test_a_doubtful_mail_runs_again_by_a_persons_word_only(app: Flask, there: Federation, case: OpenCase) -> None:
    """R-ONCE2."""
    client, east = office(app, there), kept(there, "east").id
    page = client.submit(client.get(url(case, east, "/igen")), "Skicka e-posten igen", status=422)
    assert "Kryssa i" in page.text(".error-summary")
    assert kept(there, "east").state is NoticeState.UNSURE
    client.submit(page, "Skicka e-posten igen", anyway="y")
    assert kept(there, "east").state is NoticeState.DUE
    with uow() as session:
        assert len(session.exec(select(OutboxJob).where(OutboxJob.subject_id == east)).all()) == 2


def test_a_call_is_recorded(app: Flask, there: Federation, case: OpenCase) -> None:
    client = office(app, there)
    page = client.get(url(case, kept(there, "east").id, "/samtal"))
    for _ in range(2):  # a double click records it once
        said = client.submit(page, "Anteckna samtalet", note="Talade med henne om hur man överklagar.")
        assert said.h1 == "Bevis om delgivning"
        assert "Underrättad på telefon" in said.text("main")
        assert kept(there, "east", Channel.PHONE).state is NoticeState.TOLD
    changed = client.submit(page, "Anteckna samtalet", note="Talade med henne.", at="12.00", status=409)
    assert "det som stod då är det som gäller" in changed.text("main")


def test_a_call_just_after_midnight_was_today(app: Flask, there: Federation, case: OpenCase) -> None:
    """The form begins with the day and the clock in Sweden, where it is tomorrow an hour before it is so in UTC."""
    clock.advance(datetime(2026, 11, 28, 23, 30, tzinfo=UTC) - clock.now())
    page = office(app, there).get(url(case, kept(there, "east").id, "/samtal"))
    begun = page.values("Anteckna samtalet")
    assert (begun["day"], begun["at"]) == (["2026-11-29"], ["00.30"])


def test_a_letter_says_that_its_reader_was_told_by_phone(app: Flask, there: Federation, case: OpenCase) -> None:
    client, letter = office(app, there), kept(there, "south", Channel.LETTER).id
    page = client.get(url(case, letter, "/samtal"))
    client.submit(page, "Anteckna samtalet", note="Talade med henne om hur man överklagar.")
    said = client.get(f"/arenden/{case.case_id}/brev/{letter}").text("main")
    assert "fick besked på telefon" in said
    assert f"Antecknat av {NAMES['office']}" in said
    assert "Fick besked på telefon i stället" in client.get(url(case, letter)).text("main")


def test_a_letter_is_made_in_an_unopened_mails_place(app: Flask, there: Federation, case: OpenCase) -> None:
    later = SOON + timedelta(days=4)
    with uow(write=True) as session:
        reaching.find_unopened(session, later)
    client = office(app, there)
    assert "Levererad, inte öppnad" in client.get("/").text("main")
    form = client.get(url(case, kept(there, "north").id))
    for _ in range(2):  # R-DBL1: sent twice it makes one letter, and leads to it
        page = client.submit(form, "Gör ett brev att posta")
        assert "Brev till Birgit Ekestam" in page.h1
    assert "Levererad, inte öppnad" not in client.get("/").text("main")


def held(at: datetime) -> tuple[Story, UUID]:
    """What the Law Commission has just decided."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    story.decide("lk_chair", "lk_1", "lk_2", delivered=False)
    with uow() as session:
        return story, session.exec(select(Notice).where(Notice.kind == NoticeKind.DECISION)).all()[0].id


def test_what_is_held_is_stopped_and_sent(app: Flask) -> None:
    story, _ = held(START)
    clock.advance(story.at - clock.now())
    client = signing.official(app, story.there, "office")
    base = f"/arenden/{story.case.case_id}"
    assert "Se dem, skicka dem eller stoppa dem" in client.get(base).text("main")
    page = client.get(f"{base}/utskick")
    assert "m···@lindvalla.example" in page.text("main")
    page = client.get(page.one("main a.button-second").attrib["href"])
    page = client.submit(page, "Stoppa utskicket", because="Fel bricka i texten.")
    assert "Stoppat. Ingen har underrättats." in page.text("main")
    assert client.submit(page, "Skicka nu").h1 == "Bevis om delgivning"
    assert f"{NAMES['north']}, med e-post" in client.submit(page, "Skicka nu").text("main")
    assert "Inget väntar på att skickas." in client.get(f"{base}/utskick").text("main")


def decided() -> set[NoticeState]:
    """Where the notices of the decision stand."""
    with uow() as session:
        return {notice.state for notice in session.exec(select(Notice).where(Notice.kind == NoticeKind.DECISION))}


def test_a_stop_is_not_overridden_from_an_old_tab(app: Flask) -> None:
    """R-TWO1: who has not seen the stop sends nothing, and is told who stopped it, when and why; and the other way."""
    story, notice_id = held(START)
    clock.advance(story.at - clock.now())
    client = signing.official(app, story.there, "office")
    base = f"/arenden/{story.case.case_id}"
    old = client.get(f"{base}/utskick")
    asked, other = (client.get(f"{base}/utskick/{notice_id}/stoppa") for _ in range(2))
    client.submit(asked, "Stoppa utskicket", because="Fel bricka i texten.")
    refused = client.submit(old, "Skicka nu", status=409)
    said = refused.text("main")
    assert f"{NAMES['office']} stoppade utskicket" in said
    assert "Fel bricka i texten." in said
    assert "Stoppat. Ingen har underrättats." in said
    assert decided() == {NoticeState.CALLED_BACK}
    twice = client.submit(client.get(asked.path), "Stoppa utskicket", because="Igen.", status=409)
    assert "Fel bricka i texten." in twice.text("main")
    again = client.submit(refused, "Skicka nu")
    assert again.h1 == "Bevis om delgivning"
    late = client.submit(other, "Stoppa utskicket", because="Vänta.", status=409)
    assert f"{NAMES['office']} skickade det" in late.text("main")


@pytest.mark.parametrize(("written", "confirmed"), [("12", True), ("11", False), ("", False), ("många", False)])
def test_the_number_of_many_is_confirmed(app: Flask, written: str, confirmed: bool) -> None:  # noqa: FBT001
    """U10: more than ten people, and their number written."""
    with app.test_request_context(method="POST", data={"people": written, "question": "Hur lång var pausen?"}):
        form = counting(DemandForm, 12)()
        form.validate()
        assert ("people" not in form.errors) is confirmed
    assert counting(DemandForm, 10) is DemandForm
