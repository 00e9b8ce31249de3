"""Everybody can use the pages: read by machines, in small windows, in the dark, with the keyboard alone."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Link
from casework.domain.terms import LinkPurpose
from casework.services import decisions, links
from tests import board_files, factories, juries
from tests.browser import at_table
from tests.browser.house import PASSWORD, House
from tests.browser.phone import DESKTOP, HEIGHT, SMALLEST, Phone
from tests.juries import JURORS, JuryCase
from tests.story import Story
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.browser

Page = tuple[str, Phone, Callable[[Phone], object]]
RULES = {"light": {"resultTypes": ["violations"]}, "dark": {"runOnly": ["color-contrast"]}}
"""The dark differs in its colours only."""
HOUR = timedelta(hours=1)
TABS = 60
"""More than any form has fields."""


def test_the_pages_are_accessible(quiet_house: House) -> None:
    """A-AA1, A5: no violation that axe finds, small or wide, light or dark, and nothing scrolls sideways."""
    quiet_house.later(hours=8)
    axe, found = Axe(), {}
    for name, phone, opened in _pages(quiet_house):
        opened(phone)
        for width in (SMALLEST, DESKTOP):
            phone.page.set_viewport_size({"width": width, "height": HEIGHT})
            if wide := phone.overflow():
                found[f"{name}, {width}"] = f"{wide} px too wide"
            for scheme in ("light", "dark"):
                phone.page.emulate_media(color_scheme=scheme)
                results = axe.run(phone.page, options=RULES[scheme])
                if results.violations_count:
                    found[f"{name}, {width}, {scheme}"] = results.generate_report()
        assert not phone.wrong, f"{name}: {phone.wrong}"
    assert found == {}, "\n".join(f"{where}\n{what}" for where, what in found.items())


def _pages(house: House) -> Iterator[Page]:
    """Name, browser, and how the page is opened; what each reader has in front of him most."""
    asked, given = _asked(house), _given(house)
    called, heard = (stage(house.there, at=clock.now() - HOUR) for stage in (juries.called, juries.heard))
    nobody, director, office, organiser, chair, party = (house.phone(javascript=True) for _ in range(6))
    yield "start", nobody, lambda p: p.go("/")
    yield "sign in", nobody, lambda p: p.go("/logga-in")
    yield "help", nobody, lambda p: p.go("/hjalp")
    yield "sign in refused", nobody, lambda p: p.go("/logga-in").press("Logga in", status=422)
    yield "lost link refused", nobody, lambda p: p.go("/min-lank").press("Skicka min länk", status=422)
    yield "no such page", nobody, lambda p: p.go("/finns-inte", status=404)

    yield "link", nobody, lambda p: p.go(_link(given, "north"))
    yield "case, party", nobody, lambda p: p.press("Fortsätt")
    yield "appeal", nobody, lambda p: p.press("Överklaga domslutet")
    yield "appeal, check", nobody, lambda p: p.write("Vad vill du ändra?", "Ge oss 4♥.").press(at_table.TO_CHECK)
    party.go(_link(asked, "east")).press("Fortsätt")
    yield "statement", party, lambda p: p.press("Yttra dig")
    yield "nothing to add", party, lambda p: p.press("Jag har inget att tillägga")

    yield "to do", director, lambda p: house.official("director", p)
    yield "case, director", director, lambda p: p.go(f"/arenden/{given.case.case_id}")
    yield "pads", director, lambda p: p.go(f"/arenden/{given.case.case_id}/domslut/underlag/hander")
    taking = "Hämta den ur en fil eller en inklistrad text"
    yield "board file", director, lambda p: p.press(taking)
    text = board_files.RUTER
    yield "board of a file", director, lambda p: p.write("Eller klistra in texten", text).press("Läs in")
    papers = f"/arenden/{given.case.case_id}/domslut/underlag"
    yield "play", director, lambda p: p.go(f"{papers}/resultat").unfold("Spelet eller ett anspråk har betydelse")
    score = f"/arenden/{given.case.case_id}/poang"
    yield "score", director, lambda p: p.go(score).unfold("Resultat 1: välj med knappar")
    yield "suits", director, lambda p: p.go("/farger")
    yield "ruling", director, lambda p: p.go("/domslut/ny")
    yield "ruling, check", director, at_table.fill_in
    yield "receipt", director, lambda p: p.press("Meddela domslutet")
    house.official("office", office)
    yield "case, office", office, lambda p: p.go(f"/arenden/{asked.case.case_id}")
    yield "cases", office, lambda p: p.go("/arenden")
    yield "calendar", office, lambda p: p.go("/jag").press("Skapa en kalenderadress")

    house.official("organiser", organiser)
    yield "tournament", organiser, lambda p: p.go("/tavlingar").press("Höstpokalen")
    yield "hearing", organiser, lambda p: p.go(f"/arenden/{called.case_id}/sammantrade")
    yield "attendance", organiser, lambda p: p.press("Notera vilka som är på plats")
    chair.go(f"/l/{heard.token(JURORS[0])}").press("Fortsätt")
    yield "room", chair, lambda p: p.press("Rösta")
    _vote(heard)
    yield "decision", chair, lambda p: p.go(p.path).press("Skriv beslutet")


def test_a_ruling_form_needs_only_the_keyboard(quiet_house: House) -> None:
    """A3, 2.4.11: skip link first, Tab reaches each field and the button, and nothing covers what has the focus."""
    phone = quiet_house.phone()
    phone.go("/logga-in").page.keyboard.press("Tab")
    assert _focused(phone, "e.innerText") == "Till innehållet"
    phone.page.keyboard.press("Enter")
    assert _focused(phone, "e.id") == "main"
    for typed in ("director", PASSWORD):
        phone.page.keyboard.press("Tab")
        phone.page.keyboard.type(typed)
    phone.page.keyboard.press("Tab")
    with phone.page.expect_event("load"):
        phone.page.keyboard.press("Enter")
    phone.says("Att göra").go("/domslut/ny")
    reached = set()
    for _ in range(TABS):
        phone.page.keyboard.press("Tab")
        seen = f"what has the focus is seen: {_focused(phone, 'e.outerHTML')}"
        wait_until(lambda: _focused(phone, SEEN), seen, seconds=5)
        reached.add(_focused(phone, "e.name"))
        if _focused(phone, "e.innerText") == at_table.TO_CHECK:
            break
    assert {"session_id", "table", "board", "north_south", "happened", "laws", "outcome", "operative", "go"} <= reached
    with phone.page.expect_event("load"):
        phone.page.keyboard.press("Enter")
    assert phone.page.title().startswith("Fel:")


SEEN = """(() => { const box = e.getBoundingClientRect(); const x = box.left + box.width / 2;
  const y = box.top + box.height / 2; const top = document.elementFromPoint(x, y);
  return top !== null && (top === e || e.contains(top) || top.contains(e)); })()"""


def _focused(phone: Phone, what: str) -> object:
    return phone.page.evaluate(f"(() => {{ const e = document.activeElement; return {what}; }})()")


def _given(house: House) -> Story:
    """A ruling that can be appealed now: the session's score is known since the other case."""
    story = _begun(house, minutes=10)
    story.rule()
    return story


def _asked(house: House) -> Story:
    """Both sides are asked for statements to the Law Commission."""
    story = _begun(house, hours=3)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.hear()
    story.decide(*JURORS)
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    return story


def _begun(house: House, **ago: float) -> Story:
    at = clock.now() - timedelta(**ago)
    return Story(house.there, factories.open_case(house.there, at=at), at)


def _vote(case: JuryCase) -> None:
    for juror in JURORS:
        juries.vote(case, juror)
    case.do(decisions.close_ballot, JURORS[0], 22)


def _link(story: Story, key: str) -> str:
    """A player's link to the case."""
    with uow() as session:
        mine = select(Link).where(
            Link.case_id == story.case.case_id,
            Link.person_id == story.there.persons[key],
            Link.purpose == LinkPurpose.PARTY,
        )
        return f"/l/{links.link_token(session.exec(mine).one())}"
