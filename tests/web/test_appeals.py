"""The appeal's way through the director, as parties and officials walk it (R23-R24, R32-R35)."""

import io
from datetime import timedelta

import pytest
from flask import Flask

from casework import clock
from casework.app import create_app
from casework.domain.models import Appeal, Attachment, Concurrence, Event, Notice, Proceeding
from casework.domain.terms import ActionName, FilingChannel, NoticeKind, ProceedingKind, State
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import Page, PageClient
from tests.web import signing
from tests.web.at_table import rows, url

EVENING = factories.START + timedelta(hours=9)
"""22.00 in Sweden."""
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n"


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application, on the evening of the tournament."""
    clock.advance(EVENING - clock.now())
    return create_app()


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A ruling that everybody was told ten minutes ago, when the score was published too."""
    return ruled(there, minutes_ago=10)


def ruled(there: Federation, *, minutes_ago: int) -> OpenCase:
    """A case with a ruling whose windows began so many minutes ago."""
    case, at = factories.open_case(there), clock.now() - timedelta(minutes=minutes_ago)
    told = {there.persons[key]: at for key in ("north", "south", "east", "west")}
    factories.give_ruling(there, case, at=at, told=told)
    factories.publish_score(there, at=at, now=at)
    return case


OTHER_FORM = "6b1d0c4c-9d55-4bb8-9c0a-0b6f0d3c0a11"


def appeal(client: PageClient, case: OpenCase, **fields: object) -> Page:
    """Fill in the form, check, and appeal; gives the receipt."""
    form = client.get(url(case, "overklaga"))
    values: dict[str, object] = {"wants": "Vi vill ha tillbaka bordsresultatet.", "grounds": "Ingen paus."} | fields
    check = client.submit(form, "Fortsätt till kontrollen", **values)  # type: ignore[arg-type]  # what the form takes
    return client.submit(check, "Överklaga domslutet")


def appeal_state() -> State:
    """The state of the appeal's proceeding."""
    found: State = next(p.state for p in rows(Proceeding) if p.kind is ProceedingKind.APPEAL)
    return found


def test_a_party_appeals_from_its_link(app: Flask, there: Federation, case: OpenCase) -> None:
    """R23: form, check, receipt with number; partner, director and other side are told."""
    north = signing.party(app, there, case, "north")
    receipt = appeal(north, case)
    assert receipt.h1 == "Överklagandet är inlämnat"
    assert receipt.text(".number").startswith(case.number[-4:] + "-")
    text = receipt.text("main")
    assert "Arne Solvik måste instämma och har fått en egen länk." in text
    assert "Birgit Ekestam, med e-post till m···@lindvalla.example" in text
    assert "Karin Fjällbo, med e-post" in text
    assert "lindvalla.example" not in text.partition("Karin Fjällbo")[2]
    (row,) = rows(Appeal)
    assert (row.channel, row.in_time, row.received_by) == (FilingChannel.LINK, True, None)
    assert row.lodged_by == there.persons["north"]
    kinds = {notice.kind for notice in rows(Notice)}
    assert {NoticeKind.APPEAL_RECEIVED, NoticeKind.CONCURRENCE_ASKED, NoticeKind.APPEAL_TO_FORWARD} <= kinds


def test_nothing_is_filed_before_the_check(app: Flask, there: Federation, case: OpenCase) -> None:
    """U3: the check page shows what was typed, leads back with it kept, and files nothing."""
    north = signing.party(app, there, case, "north")
    check = north.submit(north.get(url(case, "overklaga")), "Fortsätt till kontrollen", wants="Två\nrader")
    assert check.h1 == "Kontrollera och överklaga"
    assert rows(Appeal) == []
    form = north.submit(check, "Ändra det du skrev")
    assert form.values("Fortsätt till kontrollen")["wants"] == ["Två\nrader"]
    north.submit(north.submit(form, "Fortsätt till kontrollen"), "Överklaga domslutet")
    assert rows(Appeal)[0].wants == "Två\nrader"


def test_an_appeal_says_what_it_wants(app: Flask, there: Federation, case: OpenCase) -> None:
    """Tone table, row 5."""
    north = signing.party(app, there, case, "north")
    form = north.get(url(case, "overklaga"))
    page = north.submit(form, "Fortsätt till kontrollen", status=422, grounds="Det var ingen paus.")
    assert "Skriv vad i domslutet du vill ändra" in page.text(".error-summary")
    assert page.values("Fortsätt till kontrollen")["grounds"] == ["Det var ingen paus."]


def test_a_double_click_appeals_once(app: Flask, there: Federation, case: OpenCase) -> None:
    """R-DBL1: the same receipt."""
    north = signing.party(app, there, case, "north")
    check = north.submit(north.get(url(case, "overklaga")), "Fortsätt till kontrollen", wants="Allt")
    first, again = (north.submit(check, "Överklaga domslutet") for _ in range(2))
    assert (first.path, first.text(".number")) == (again.path, again.text(".number"))
    assert len(rows(Appeal)) == 1


def test_both_sides_may_appeal_and_are_tried_together(app: Flask, there: Federation, case: OpenCase) -> None:
    appeal(signing.party(app, there, case, "north"), case)
    appeal(signing.party(app, there, case, "east"), case)
    assert len({row.proceeding_id for row in rows(Appeal)}) == 1
    assert len(rows(Appeal)) == 2


def test_a_side_appeals_once(app: Flask, there: Federation, case: OpenCase) -> None:
    """Both partners write at once: what the second wrote is kept, and the page says what happened."""
    south = signing.party(app, there, case, "south")
    check = south.submit(south.get(url(case, "overklaga")), "Fortsätt till kontrollen", wants="Jag också")
    appeal(signing.party(app, there, case, "north"), case)
    page = south.submit(check, "Överklaga domslutet", status=409)
    assert "Din sida har redan överklagat." in page.text(".error-summary")
    assert page.values("Fortsätt till kontrollen")["wants"] == ["Jag också"]
    assert "Din sida har redan överklagat." in south.get(url(case, "overklaga"), status=403).text("main")


def test_a_late_appeal_is_taken_in(app: Flask, there: Federation) -> None:
    """B1.4, R34 and tone table, row 10: marked, and left to the body."""
    case = ruled(there, minutes_ago=45)
    north = signing.party(app, there, case, "north")
    page = north.get(url(case, "overklaga"))
    assert "Tiden gick ut kl. 21.45. Du kan ändå lämna in. Juryn avgör om överklagandet prövas." in page.text("main")
    receipt = appeal(north, case)
    assert (receipt.h1, "kom in efter att tiden" in receipt.text("main")) == ("Överklagandet är inlämnat", True)
    assert rows(Appeal)[0].in_time is False


def test_the_partner_concurs_from_his_own_link(app: Flask, there: Federation, case: OpenCase) -> None:
    """Law 92D; S-LINK2: a GET changes nothing, the sentence must be ticked."""
    appeal(signing.party(app, there, case, "north"), case)
    south = signing.party(app, there, case, "south")
    page = south.get(url(case, "instam"))
    assert "Vi vill ha tillbaka bordsresultatet." in page.text("main")
    assert len(rows(Concurrence)) == 1
    page = south.submit(page, "Instäm i överklagandet", status=422)
    assert "Kryssa för att du instämmer" in page.text(".error-summary")
    receipt = south.submit(page, "Instäm i överklagandet", agrees=True)
    assert receipt.h1 == "Du har instämt i överklagandet"
    assert {c.person_id for c in rows(Concurrence)} == {there.persons["north"], there.persons["south"]}
    assert "Du har redan instämt." in south.get(url(case, "instam")).text("main")


def test_the_other_side_has_nothing_to_concur_in(app: Flask, there: Federation, case: OpenCase) -> None:
    appeal(signing.party(app, there, case, "north"), case)
    signing.party(app, there, case, "east").get(url(case, "instam"), status=404)


def test_an_outsider_finds_no_page(app: Flask, there: Federation, case: OpenCase) -> None:
    """Objects that a person may not know of give 404."""
    appeal(signing.party(app, there, case, "north"), case)
    reserve = signing.official(app, there, "lk_reserve")
    for page in ("overklaga", "instam", "rakna-som-instamd", "underratta-klaganden", "dra-tillbaka", "lamna-vidare"):
        reserve.get(url(case, page), status=404)


def test_the_director_registers_what_was_said_at_the_table(app: Flask, there: Federation, case: OpenCase) -> None:
    """R23: said in time, recorded later."""
    director = signing.official(app, there, "director")
    form = director.get(url(case, "overklaga"))
    check = director.submit(
        form,
        "Fortsätt till kontrollen",
        person=str(there.persons["east"]),
        channel="table",
        clock="21.52",
        wants="Bordsresultatet ska stå.",
    )
    assert "vid bordet" in check.text("main")
    receipt = director.submit(check, "Registrera överklagandet")
    assert receipt.h1 == "Överklagandet är inlämnat"
    (row,) = rows(Appeal)
    assert (row.channel, row.lodged_by) == (FilingChannel.TABLE, there.persons["east"])
    assert row.received_by == there.persons["director"]
    assert row.lodged_at == EVENING - timedelta(minutes=8)


def fill_in(director: PageClient, page: Page, fields: dict[str, str]) -> Page:
    """Fill in the form and file it at once; gives the page that refuses it."""
    sent = {name: values[0] for name, values in page.values("Fortsätt till kontrollen").items()}
    return director.post(page.path, sent | fields | {"go": "file"}, status=422)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("clock", "23.30"), "framtiden"),
        (("clock", "kvart i"), "21.12"),
        (("clock", ""), "Skriv klockslaget"),
        (("day", "i lördags"), "Skriv dagen"),
        (("wants", ""), "Skriv vad i domslutet du vill ändra"),
    ],
)
def test_bad_input_of_an_official_is_kept(
    app: Flask, there: Federation, case: OpenCase, wrong: tuple[str, str], words: str
) -> None:
    director = signing.official(app, there, "director")
    right = {"person": str(there.persons["east"]), "channel": "phone", "clock": "21.52", "wants": "Mycket"}
    page = fill_in(director, director.get(url(case, "overklaga")), right | dict([wrong]))
    assert words in page.text(".error-summary")
    assert page.values("Fortsätt till kontrollen")["channel"] == ["phone"]
    assert rows(Appeal) == []


def test_an_absent_partner_counts_as_concurring(app: Flask, there: Federation, case: OpenCase) -> None:
    appeal(signing.party(app, there, case, "north"), case)
    director = signing.official(app, there, "director")
    page = director.submit(director.get(url(case, "rakna-som-instamd")), "Anteckna instämmandet", status=422)
    assert "Skriv varför det inte går att fråga spelaren" in page.text(".error-summary")
    receipt = director.submit(
        page, "Anteckna instämmandet", person=str(there.persons["south"]), because="Har rest hem."
    )
    assert receipt.h1 == "Instämmandet är antecknat"
    assert [c.deemed_because for c in rows(Concurrence)] == ["", "Har rest hem."]


def test_a_partner_without_a_link_concurs_by_phone(app: Flask, there: Federation, case: OpenCase) -> None:
    """Who said it, when and how is kept, and the partner is told of it."""
    appeal(signing.party(app, there, case, "north"), case)
    office = signing.official(app, there, "office")
    page = office.submit(office.get(url(case, "anteckna-instammande")), "Anteckna instämmandet", status=422)
    assert "Skriv när och hur spelaren sa det" in page.text(".error-summary")
    receipt = office.submit(page, "Anteckna instämmandet", person=str(there.persons["south"]), told_how="Ringde 21.40.")
    assert receipt.h1 == "Instämmandet är antecknat"
    (_, south) = rows(Concurrence)
    assert (south.told_how, south.deemed_because) == ("Ringde 21.40.", "")
    assert south.recorded_by == there.persons["office"]


def test_the_director_says_that_the_grounds_look_insufficient(app: Flask, there: Federation, case: OpenCase) -> None:
    """R33, R34: how and when; the appeal goes on."""
    appeal(signing.party(app, there, case, "north"), case)
    director, (row,) = signing.official(app, there, "director"), rows(Appeal)
    page = director.get(url(case, "underratta-klaganden"))
    receipt = director.submit(page, "Anteckna det", appeal=str(row.id), how="Muntligt vid bordet.", clock="21.58")
    assert receipt.h1 == "Det du sa till den som överklagar är antecknat"
    (row,) = rows(Appeal)
    assert (row.warned_how, row.warned_by) == ("Muntligt vid bordet.", there.persons["director"])
    assert row.warned_at == EVENING - timedelta(minutes=2)
    assert appeal_state() is State.LODGED


def test_the_director_forwards_and_cannot_refuse(app: Flask, there: Federation, case: OpenCase) -> None:
    """R24; passing the director is his duty and never his veto."""
    appeal(signing.party(app, there, case, "north"), case)
    director = signing.official(app, there, "director")
    page = director.get(url(case, "lamna-vidare"))
    assert [button.text for button in page.select("main button")] == ["Skicka överklagandet vidare"]
    assert director.submit(page, "Skicka överklagandet vidare").h1 == "Överklagandet är skickat vidare"
    assert appeal_state() is State.COMPOSING
    again = director.submit(page, "Skicka överklagandet vidare")
    assert again.h1 == "Överklagandet är skickat vidare"


def test_others_forward_only_when_the_director_is_late(app: Flask, there: Federation, case: OpenCase) -> None:
    """Item 5: with a reason, and told to the director."""
    appeal(signing.party(app, there, case, "north"), case)
    office = signing.official(app, there, "office")
    assert "har fortfarande tid" in office.get(url(case, "lamna-vidare"), status=403).text("main")
    clock.advance(timedelta(hours=25))
    office = signing.official_again(app, "office")
    page = office.submit(office.get(url(case, "lamna-vidare")), "Skicka överklagandet vidare", status=422)
    assert "Skriv varför du gör detta i tävlingsledarens ställe" in page.text(".error-summary")
    office.submit(page, "Skicka överklagandet vidare", because="Tävlingsledaren är sjuk.")
    assert appeal_state() is State.COMPOSING
    assert rows(Event)[-1].action == ActionName.FORWARD_IN_PLACE


def test_a_stale_page_forwards_nothing(app: Flask, there: Federation, case: OpenCase) -> None:
    """A withdrawal lands first: what is seen is said anew."""
    north = signing.party(app, there, case, "north")
    appeal(north, case)
    appeal(signing.party(app, there, case, "east"), case)
    director = signing.official(app, there, "director")
    page = director.get(url(case, "lamna-vidare"))
    north.submit(north.get(url(case, "dra-tillbaka")), "Återkalla överklagandet", sure=True)
    stale = director.submit(page, "Skicka överklagandet vidare", status=409)
    assert "inte längre som du såg det: överklagandena" in stale.text(".error-summary")
    assert director.submit(stale, "Skicka överklagandet vidare").status == 200
    assert appeal_state() is State.COMPOSING


def test_who_forwards_in_a_second_tab_reads_when_it_was_done(app: Flask, there: Federation, case: OpenCase) -> None:
    """M9."""
    appeal(signing.party(app, there, case, "north"), case)
    director = signing.official(app, there, "director")
    page = director.get(url(case, "lamna-vidare"))
    director.submit(page, "Skicka överklagandet vidare")
    again = director.submit(page, "Skicka överklagandet vidare", form_id=OTHER_FORM, status=409)
    assert "Det här är redan gjort: Överklagandet är skickat vidare" in again.text("main")


def test_an_appeal_was_not_made_before_the_ruling(app: Flask, there: Federation, case: OpenCase) -> None:
    director = signing.official(app, there, "director")
    fields = {"person": str(there.persons["north"]), "channel": "table", "wants": "Mer", "day": "2026-11-27"}
    page = director.submit(
        director.get(url(case, "overklaga")), "Fortsätt till kontrollen", status=422, clock="12.00", **fields
    )
    assert "innan beslutet gavs" in page.text(".error-summary")
    assert rows(Appeal) == []


def test_who_withdraws_reads_for_whom_it_ends(app: Flask, there: Federation, case: OpenCase) -> None:
    """M8."""
    north = signing.party(app, there, case, "north")
    appeal(north, case)
    assert "det tar slut även för " in north.get(url(case, "dra-tillbaka")).text("main")


def test_a_side_withdraws_with_a_ticked_sentence(app: Flask, there: Federation, case: OpenCase) -> None:
    """S-LINK2."""
    north = signing.party(app, there, case, "north")
    appeal(north, case)
    page = north.submit(north.get(url(case, "dra-tillbaka")), "Återkalla överklagandet", status=422)
    assert rows(Appeal)[0].withdrawn_at is None
    assert north.submit(page, "Återkalla överklagandet", sure=True).h1 == "Överklagandet är återkallat"
    assert appeal_state() is State.WRITTEN_OFF


def test_an_official_withdraws_for_a_party_with_when_and_how(app: Flask, there: Federation, case: OpenCase) -> None:
    appeal(signing.party(app, there, case, "north"), case)
    office, (row,) = signing.official(app, there, "office"), rows(Appeal)
    page = office.get(url(case, "dra-tillbaka"))
    page = office.submit(page, "Återkalla överklagandet", appeal=str(row.id), status=422)
    assert "Skriv när och hur parten återkallade" in page.text(".error-summary")
    office.submit(page, "Återkalla överklagandet", because="Ringde kl. 21.50.")
    assert rows(Appeal)[0].withdrawn_at is not None


def test_a_file_comes_along_and_is_named_on_the_receipt(app: Flask, there: Federation, case: OpenCase) -> None:
    """S-UP8: the check sum stands on the receipt; a file chosen before an error is kept."""
    north = signing.party(app, there, case, "north")
    form = north.get(url(case, "overklaga"))
    page = north.submit(form, "Fortsätt till kontrollen", status=422, files=[(io.BytesIO(PDF), "systemkort.pdf")])
    assert "systemkort.pdf" in page.text("main")
    check = north.submit(page, "Fortsätt till kontrollen", wants="Se kortet.")
    assert "systemkort.pdf" in check.text("main")
    receipt = north.submit(check, "Överklaga domslutet")
    (file,) = rows(Attachment)
    assert file.sha256 in receipt.text("main")
    assert file.appeal_id == rows(Appeal)[0].id


def test_a_refused_file_says_why_and_keeps_the_text(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    page = north.submit(
        north.get(url(case, "overklaga")),
        "Fortsätt till kontrollen",
        status=422,
        wants="Se bilden.",
        files=[(io.BytesIO(PDF), "bra.pdf"), (io.BytesIO(b"PK\x03\x04zip"), "brev.docx")],
    )
    assert "brev.docx: " in page.text(".field-wrong")
    assert page.values("Fortsätt till kontrollen")["wants"] == ["Se bilden."]
    assert "bra.pdf" in page.text("main")


def test_an_unticked_file_stays_behind(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    form = north.get(url(case, "overklaga"))
    page = north.submit(form, "Fortsätt till kontrollen", status=422, files=[(io.BytesIO(PDF), "fel.pdf")])
    check = north.submit(page, "Fortsätt till kontrollen", wants="Ingen bild.", kept=False)
    north.submit(check, "Överklaga domslutet")
    assert rows(Attachment) == []


def test_somebody_elses_draft_is_not_filed(app: Flask, there: Federation, case: OpenCase) -> None:
    """A draft belongs to who sent it."""
    north = signing.party(app, there, case, "north")
    north.submit(
        north.get(url(case, "overklaga")), "Fortsätt till kontrollen", status=422, files=[(io.BytesIO(PDF), "a.pdf")]
    )
    (draft,) = rows(Attachment)
    east = signing.party(app, there, case, "east")
    form = east.get(url(case, "overklaga"))
    sent = {name: values[0] for name, values in form.values("Fortsätt till kontrollen").items()}
    page = east.post(url(case, "overklaga"), sent | {"wants": "Allt", "kept": str(draft.id), "go": "file"}, status=422)
    assert "finns inte kvar" in page.text(".error-summary")
    assert rows(Appeal) == []


def test_a_receipt_is_its_senders_own(app: Flask, there: Federation, case: OpenCase) -> None:
    receipt = appeal(signing.party(app, there, case, "north"), case)
    signing.party(app, there, case, "east").get(receipt.path, status=404)
