"""A mail scanner follows the links of every mail before its reader does (S-LINK1, S-LINK2)."""

import re

import pytest
from sqlmodel import SQLModel, col, select

from casework.adapters.database import uow
from casework.domain.models import Link, Notice, SignIn, Tournament
from casework.domain.terms import AppealRoute, NoticeKind
from casework.services import links, notices
from tests import factories
from tests.browser.house import House
from tests.browser.scanner import Scanner
from tests.conftest import Set
from tests.factories import Federation
from tests.story import Story

pytestmark = pytest.mark.browser

READING = {"sign_ins", "calendar_feeds", "case_files"}
"""Tables in which a reading session leaves something: itself, its calendar's address, the file it asked for."""
PRINTS = "pdf"
READ = {"links": {"seen", "opened_at"}, "notices": {"opened_at"}}
"""Columns that say that somebody has looked."""


def test_a_scanner_opens_nothing(house: House) -> None:
    """B2.63: twenty visits by strangers sign nobody in and prove nothing; then the reader's button still does."""
    case = factories.open_case(house.there)
    factories.give_ruling(house.there, case)
    path = house.path_in(house.letter("north", "Domslut i bricka 18"))
    scanner = house.phone()
    for _ in range(20):
        scanner.context.clear_cookies()
        scanner.go(path).says("Öppna ditt ärende").says_not("Resultatet")
    with uow() as session:
        assert session.exec(select(SignIn)).all() == []
        assert all(notice.opened_at is None for notice in session.exec(select(Notice)))
    scanner.go(path).press("Fortsätt").says("Resultatet ändras till 4♠ av Syd, nio stick.")


def test_a_scanner_with_javascript_opens_nothing_by_looking(quiet_house: House) -> None:
    """S-LINK1: what a page does by itself has been done when nothing is fetched any more."""
    told = appealed(quiet_house.there)
    (address,) = {one for one in addresses(told, "south", NoticeKind.CONCURRENCE_ASKED) if "/l/" in one}
    phone = quiet_house.phone(javascript=True)
    phone.go(address.removeprefix(quiet_house.url)).page.wait_for_load_state("networkidle")
    with uow() as session:
        assert session.exec(select(SignIn)).all() == []
    phone.press("Fortsätt").says("Birgit Ekestam")


@pytest.mark.parametrize(
    ("who", "kind", "came_to"),
    [
        ("south", NoticeKind.CONCURRENCE_ASKED, {"instam", "dra-tillbaka", "akten"}),
        ("east", NoticeKind.APPEAL_RECEIVED, {"overklaga", "akten"}),
    ],
)
def test_a_scanner_that_presses_every_button_only_reads(
    quiet_house: House, who: str, kind: NoticeKind, came_to: set[str]
) -> None:
    """S-LINK2: it files nothing, concurs in nothing and withdraws nothing."""
    only_reads(quiet_house, appealed(quiet_house.there), who, kind, came_to)


def test_a_scanner_states_nothing_and_declines_nothing(quiet_house: House) -> None:
    """S-LINK2: where a side is asked what it says."""
    with uow(write=True) as session:
        tournament = session.get_one(Tournament, quiet_house.there.tournament_id)
        tournament.appeal_route = AppealRoute.LAW_COMMISSION
    story = begun(quiet_house.there)
    story.rule()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    only_reads(quiet_house, story, "east", NoticeKind.STATEMENT_DEMANDED, {"yttrande", "akten"})


@pytest.fixture
def coded(installed: int, settings: Set) -> None:
    """The installation asks for codes: `installed` stands before its programs start."""
    settings(link_codes=1)


@pytest.mark.usefixtures("coded")
def test_a_scanner_that_types_nothing_comes_nowhere_where_a_code_is_asked_for(quiet_house: House) -> None:
    """S-LINK2: although the code stands in the very mail; its reader pastes it, and is in."""
    story = appealed(quiet_house.there)
    before = content()
    scanned(quiet_house, story, "south", NoticeKind.CONCURRENCE_ASKED)
    assert content() == before
    with uow() as session:
        assert session.exec(select(SignIn)).all() == []
        mine = session.exec(select(Link).where(Link.person_id == story.there.persons["south"])).one()
    assert mine.wrong_codes == 0
    phone = quiet_house.phone().go(f"/l/{links.link_token(mine)}")
    phone.write("Kod i mejlet", f" {links.code_for(mine).lower()} ").press("Fortsätt").says("Birgit Ekestam")


def only_reads(house: House, story: Story, who: str, kind: NoticeKind, came_to: set[str]) -> None:
    """Scan a mail; then nothing but the reading itself has changed, and the pages with the deeds were read indeed."""
    before = content()
    scanner = scanned(house, story, who, kind)
    case = f"/arenden/{story.case.case_id}"
    assert {case, *(f"{case}/{page}" for page in came_to)} <= set(scanner.pages)
    assert content() == before
    with uow() as session:
        signed_in = session.exec(select(SignIn)).all()
    assert {one.person_id for one in signed_in} == {story.there.persons[who]}
    assert None not in {one.link_id for one in signed_in}


def scanned(house: House, story: Story, who: str, kind: NoticeKind) -> Scanner:
    """A scanner that has gone through a mail."""
    scanner = Scanner(house.browser, house.url)
    try:
        scanner.scan(addresses(story, who, kind))
    finally:
        scanner.close()
    return scanner


def begun(there: Federation) -> Story:
    return Story(there, factories.open_case(there))


def appealed(there: Federation) -> Story:
    """North has appealed; South is asked whether he concurs."""
    story = begun(there)
    story.rule()
    story.publish()
    story.appeal()
    return story


def addresses(story: Story, who: str, kind: NoticeKind) -> list[str]:
    """Where the links of somebody's mail lead."""
    with uow() as session:
        mine = select(Notice).where(Notice.person_id == story.there.persons[who], Notice.kind == kind)
        notice = session.exec(mine.order_by(col(Notice.due_at))).first()
        assert notice is not None
        html = notices.with_links(session, notice.id, notices.message_for(session, notice.id, story.at).html)
    return list(dict.fromkeys(re.findall(r'href="(http[^"]+)"', html)))


def content() -> dict[str, list[str]]:
    """All rows of all tables, without what reading leaves behind."""
    with uow() as session:
        rows = {table: session.execute(table.select()).mappings().all() for table in SQLModel.metadata.sorted_tables}
    return {
        table.name: sorted(
            repr({name: value for name, value in row.items() if name not in READ.get(table.name, ())})
            for row in found
            if row.get("kind") != PRINTS
        )
        for table, found in rows.items()
        if table.name not in READING
    }
