"""The written way: report, questions, statements, answers, what comes late (R27-R28)."""

import io
import zlib
from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import Session, select

from casework import clock
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Attachment, Demand, Notice, Proceeding, Statement
from casework.domain.terms import (
    AppealRoute,
    DemandEnd,
    FilingChannel,
    NoticeKind,
    ProceedingKind,
    Side,
    State,
    StatementKind,
)
from casework.services import appeals, deadlines, statements
from casework.services.appeals import AppealInput
from casework.services.statements import ReportInput, StatementInput
from tests import factories
from tests.factories import Federation, OpenCase
from tests.web import signing
from tests.web.at_table import rows, url

MONDAY = factories.START + timedelta(days=2)


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG picture."""
    return len(content).to_bytes(4) + name + content + zlib.crc32(name + content).to_bytes(4)


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", bytes([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]))
    + chunk(b"IDAT", zlib.compress(b"\0\0"))
    + chunk(b"IEND", b"")
)
"""A picture of one black point."""


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application, two days after the ruling."""
    clock.advance(MONDAY - clock.now())
    return create_app()


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament whose appeals go to the Law Commission in writing."""
    return factories.federation(route=AppealRoute.LAW_COMMISSION)


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """An appeal of North–South that the director has forwarded."""
    case, at = factories.open_case(there), factories.START
    factories.give_ruling(there, case, at=at, told={there.persons["north"]: at, there.persons["east"]: at})
    factories.publish_score(there, at=at, now=at)
    appeal = AppealInput(party_id=case.party_ids[Side.NORTH_SOUTH], wants="Bordsresultatet ska stå.")
    with uow(write=True) as session:
        appeals.lodge_appeal(session, case.proceeding_id, there.actor("north"), appeal, now=clock.now())
    with uow(write=True) as session:
        appeals.forward_appeal(session, appealed(), there.actor("director"), now=clock.now())
    return case


@pytest.fixture
def asked(there: Federation, case: OpenCase) -> OpenCase:
    """The same, reported, and both sides asked."""
    report = ReportInput(events="Nord tänkte länge.", ruling="4♠ en straff.", reasons="Pass var ett alternativ.")
    director = there.actor("director")
    with uow(write=True) as session:
        statements.file_report(session, appealed(), director, report, now=clock.now())
    with uow(write=True) as session:
        statements.demand_statements(session, appealed(), director, question="Hur lång var pausen?", now=clock.now())
    return case


def appealed() -> UUID:
    """The appeal's proceeding."""
    with uow() as session:
        return session.exec(select(Proceeding).where(Proceeding.kind == ProceedingKind.APPEAL)).one().id


def state() -> State:
    """The state of the appeal's proceeding."""
    with uow() as session:
        return session.get_one(Proceeding, appealed()).state


def advance(case: OpenCase) -> None:
    """What the system does by itself."""
    with uow(write=True) as session:
        deadlines.advance(session, case.case_id, clock.now())


def test_the_report_is_prefilled_from_the_ruling(app: Flask, there: Federation, case: OpenCase) -> None:
    """R27: four parts; nothing is asked for twice."""
    director = signing.official(app, there, "director")
    form = director.get(url(case, "rapport"))
    values = form.values("Fortsätt till kontrollen")
    assert values["events"] == ["Nord tänkte länge och passade. Syd bjöd 4♠."]
    assert values["ruling"] == ["Resultatet ändras till 4♠ av Syd, nio stick."]
    assert values["reasons"] == ["Pass var ett logiskt alternativ."]
    page = director.submit(form, "Fortsätt till kontrollen", reasons="", status=422)
    assert "Skriv skälen" in page.text(".error-summary")
    check = director.submit(page, "Fortsätt till kontrollen", reasons="Pass var möjligt.", other="Filmat.")
    receipt = director.submit(check, "Lämna in rapporten")
    assert receipt.h1 == "Rapporten är inlämnad"
    (report,) = rows(Statement)
    assert (report.kind, report.parts["other"]) == (StatementKind.REPORT, "Filmat.")
    assert report.opened_at is not None


def test_both_sides_are_asked_at_once(app: Flask, there: Federation, case: OpenCase) -> None:
    """R28, U10: the page names who is asked and how."""
    director = signing.official(app, there, "director")
    assert "Tävlingsledarens rapport är inte lämnad" in director.get(url(case, "begar-yttranden"), status=403).text(
        "main"
    )
    director.submit(
        director.submit(director.get(url(case, "rapport")), "Fortsätt till kontrollen"), "Lämna in rapporten"
    )
    page = director.get(url(case, "begar-yttranden"))
    assert all(name in page.text("main") for name in ("Birgit Ekestam", "Olof Hägglund", "med e-post"))
    assert director.submit(page, "Begär yttrandena", question="Hur lång?").h1 == "Parterna är tillfrågade"
    assert [demand.question for demand in rows(Demand)] == ["Hur lång?", "Hur lång?"]


def test_a_party_reads_the_question_and_the_report_and_answers(app: Flask, there: Federation, asked: OpenCase) -> None:
    north = signing.party(app, there, asked, "north")
    page = north.get(url(asked, "yttrande"))
    assert "Hur lång var pausen?" in page.text("main")
    assert "Pass var ett alternativ." in page.text("main")
    check = north.submit(
        page, "Fortsätt till kontrollen", text="Ingen paus alls.", files=[(io.BytesIO(PNG), "protokoll.png")]
    )
    receipt = north.submit(check, "Lämna in yttrandet")
    assert receipt.h1 == "Ditt yttrande är inlämnat"
    (file,) = rows(Attachment)
    assert file.sha256 in receipt.text("main")
    filed = next(row for row in rows(Statement) if row.kind is StatementKind.STATEMENT)
    assert (filed.text, filed.opened_at, file.statement_id) == ("Ingen paus alls.", None, filed.id)
    assert NoticeKind.STATEMENT_RECEIVED in {notice.kind for notice in rows(Notice)}


def test_what_the_other_side_wrote_is_not_shown_before_it_is_opened(
    app: Flask, there: Federation, asked: OpenCase
) -> None:
    """R28: neither on the page nor as a file nor by a guessed address; opened at one moment, then to all."""
    north, east = (signing.party(app, there, asked, key) for key in ("north", "east"))
    form = north.get(url(asked, "yttrande"))
    check = north.submit(form, "Fortsätt till kontrollen", text="Hemligt.", files=[(io.BytesIO(PNG), "hemlig.png")])
    north.submit(check, "Lämna in yttrandet")
    (file,) = rows(Attachment)
    page = east.get(url(asked, "yttrande"))
    assert "Hemligt" not in page.html
    assert "hemlig.png" not in page.html
    east.get(url(asked, f"bilagor/{file.id}"), status=404)
    assert "Hemligt" in signing.party(app, there, asked, "south").get(url(asked, "yttrande")).text("main")
    east.submit(east.submit(page, "Fortsätt till kontrollen", text="Lång paus."), "Lämna in yttrandet")
    advance(asked)
    assert state() is State.ANSWERING
    page = east.get(url(asked, "yttrande"))
    assert page.h1 == "Yttra dig om de andras yttranden"
    assert "Hemligt." in page.text("main")
    assert east.raw(url(asked, f"bilagor/{file.id}"), buffered=True).data == PNG


def test_a_party_has_nothing_to_add(app: Flask, there: Federation, asked: OpenCase) -> None:
    """S-LINK2: a ticked sentence on a page of its own."""
    north = signing.party(app, there, asked, "north")
    page = north.get(url(asked, "inget-att-tillagga"))
    page = north.submit(page, "Meddela att du inte har något att tillägga", status=422)
    assert all(demand.ended is None for demand in rows(Demand))
    receipt = north.submit(page, "Meddela att du inte har något att tillägga", nothing=True)
    assert receipt.h1 == "Du har sagt att du inte har något att tillägga"
    assert {demand.ended for demand in rows(Demand)} == {None, DemandEnd.DECLINED}
    assert not north.get(url(asked, "yttrande")).has("main form")


def test_an_empty_statement_is_not_filed(app: Flask, there: Federation, asked: OpenCase) -> None:
    north = signing.party(app, there, asked, "north")
    page = north.submit(north.get(url(asked, "yttrande")), "Fortsätt till kontrollen", status=422)
    assert "Skriv ert yttrande" in page.text(".error-summary")


def test_a_double_click_files_once(app: Flask, there: Federation, asked: OpenCase) -> None:
    """R-DBL1."""
    north = signing.party(app, there, asked, "north")
    check = north.submit(north.get(url(asked, "yttrande")), "Fortsätt till kontrollen", text="En gång.")
    first, again = (north.submit(check, "Lämna in yttrandet") for _ in range(2))
    assert first.path == again.path
    assert [row.text for row in rows(Statement) if row.kind is StatementKind.STATEMENT] == ["En gång."]


@pytest.mark.parametrize("button", ["Fortsätt till kontrollen", "Lämna in yttrandet"])
def test_what_was_changed_after_it_was_sent_is_said_to_be_unsent(
    app: Flask, there: Federation, asked: OpenCase, button: str
) -> None:
    """Back in the browser, other words, sent again: what counts and what does not, and where the words are."""
    north = signing.party(app, there, asked, "north")
    first = north.get(url(asked, "yttrande"))
    check = north.submit(first, "Fortsätt till kontrollen", text="En gång.")
    north.submit(check, "Lämna in yttrandet")
    again = north.submit(first if button in first.html else check, button, status=409, text="En gång till.")
    assert "det som stod då är det som gäller" in again.text("main")
    assert "En gång till." in again.text("main")
    assert "Ditt yttrande är inlämnat" in north.get(again.one('main a[href*="/kvitto/"]').attrib["href"]).text("main")
    assert [row.text for row in rows(Statement) if row.kind is StatementKind.STATEMENT] == ["En gång."]


def test_an_official_enters_what_came_on_paper(app: Flask, there: Federation, asked: OpenCase) -> None:
    """Item 7: marked, the original attached, a copy to the party."""
    office = signing.official(app, there, "office")
    check = office.submit(
        office.get(url(asked, "yttrande-at-part")),
        "Fortsätt till kontrollen",
        person=str(there.persons["west"]),
        channel="paper",
        day="2026-11-29",
        clock="12.00",
        text="Pausen var lång.",
        files=[(io.BytesIO(PNG), "brev.png")],
    )
    assert office.submit(check, "Registrera yttrandet").h1 == "Yttrandet är registrerat"
    filed = next(row for row in rows(Statement) if row.kind is StatementKind.STATEMENT)
    assert (filed.channel, filed.author_id) == (FilingChannel.PAPER, there.persons["west"])
    assert filed.entered_by == there.persons["office"]
    assert [file.statement_id for file in rows(Attachment)] == [filed.id]
    west = signing.party(app, there, asked, "west")
    assert "Kom på papper och registrerades av Siv Hallberg." in west.get(url(asked, "yttrande")).text("main")


@pytest.mark.parametrize(
    ("day", "said"),
    [("2026-11-29", "Bifoga originalet"), ("2025-12-24", "Yttrandet kan inte ha kommit före domslutet.")],
)
def test_a_paper_has_its_original_and_a_possible_time(
    app: Flask, there: Federation, asked: OpenCase, day: str, said: str
) -> None:
    """R28: said before the check page, and nothing typed is lost."""
    office = signing.official(app, there, "office")
    page = office.submit(
        office.get(url(asked, "yttrande-at-part")),
        "Fortsätt till kontrollen",
        person=str(there.persons["west"]),
        channel="paper",
        day=day,
        clock="12.00",
        text="Pausen var lång.",
        status=422,
    )
    assert said in page.text("main")
    assert "Pausen var lång." in page.text("main")
    assert not [row for row in rows(Statement) if row.kind is StatementKind.STATEMENT]


def test_what_comes_late_is_shown_and_may_be_answered(app: Flask, there: Federation, asked: OpenCase) -> None:
    """Item 7: shown to the others before it may ground a decision."""
    finish(there, asked)
    north, east = (signing.party(app, there, asked, key) for key in ("north", "east"))
    page = north.get(url(asked, "yttrande"))
    assert page.h1 == "Lämna in något mer"
    receipt = north.submit(
        north.submit(page, "Fortsätt till kontrollen", text="Ett vittne till."), "Lämna in yttrandet"
    )
    assert "Det kom in efter att tiden hade gått ut." in receipt.text("main")
    page = east.get(url(asked, "yttrande"))
    assert "Ett vittne till." in page.text("main")
    assert page.h1 == "Yttra dig om de andras yttranden"
    east.submit(east.submit(page, "Fortsätt till kontrollen", text="Vittnet var inte där."), "Lämna in yttrandet")
    assert "Vittnet var inte där." in [row.text for row in rows(Statement)]


def test_the_partner_reads_that_the_side_has_answered(app: Flask, there: Federation, asked: OpenCase) -> None:
    """M8: one answers for the side; the page says so first, and the other reads who did and when."""
    north = signing.party(app, there, asked, "north")
    page = north.get(url(asked, "inget-att-tillagga"))
    assert "Du svarar för hela din sida" in page.text("main")
    north.submit(page, "Meddela att du inte har något att tillägga", nothing=True)
    south = signing.party(app, there, asked, "south")
    assert "Er sida har sagt att den inte har något att tillägga: " in south.get(url(asked, "yttrande")).text("main")


def finish(there: Federation, case: OpenCase) -> None:
    """Both sides state their views and have nothing to answer."""
    for key, side in (("north", Side.NORTH_SOUTH), ("east", Side.EAST_WEST)):
        with uow(write=True) as session:
            said = StatementInput(party_id=case.party_ids[side], text="Så var det.")
            statements.file_statement(session, appealed(), there.actor(key), said, now=clock.now())
    advance(case)
    for key, side in (("north", Side.NORTH_SOUTH), ("east", Side.EAST_WEST)):
        with uow(write=True) as session:
            decline(session, there, key, case.party_ids[side])
    advance(case)
    assert state() is State.COMPLETE


def decline(session: Session, there: Federation, key: str, party_id: UUID) -> None:
    """Nothing to add."""
    statements.decline_statement(session, appealed(), there.actor(key), party_id=party_id, now=clock.now())


def test_an_outsider_finds_no_page(app: Flask, there: Federation, asked: OpenCase) -> None:
    reserve = signing.official(app, there, "lk_reserve")
    for page in ("rapport", "begar-yttranden", "yttrande", "inget-att-tillagga", "yttrande-at-part"):
        reserve.get(url(asked, page), status=404)


def test_a_party_files_no_report(app: Flask, there: Federation, case: OpenCase) -> None:
    """Tone table, row 11: who may know of the case is told why not."""
    north = signing.party(app, there, case, "north")
    for page in ("rapport", "begar-yttranden", "yttrande-at-part"):
        north.get(url(case, page), status=403)
