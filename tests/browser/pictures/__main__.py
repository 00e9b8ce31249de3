"""`make pictures`: the README's pictures, taken of the demo federation on a fixed evening."""

import os
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from playwright.sync_api import Browser
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.cli.running import migrate
from casework.domain.models import Case, Incident, Link, Party
from casework.domain.terms import LinkPurpose, Side
from casework.services import links
from casework.services.demo_story import tales
from casework.settings import get_settings
from tests.browser import at_table, chromium, programs
from tests.browser.phone import DESKTOP, PHONE, Phone
from tests.browser.pictures import boards

HERE = Path(__file__).parent
EVENING = datetime(2026, 11, 28, 19, 40, tzinfo=UTC)
TALL = 1180
"""Height of the window in which a case's page shows what is going on."""
DPI = 80


def main() -> None:
    """Start the demo in a folder of its own and take all pictures."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="casework-pictures-")))
        port = programs.free_port()
        os.environ |= {
            "CASEWORK_DATA": str(data),
            "CASEWORK_DEMO": "1",
            "CASEWORK_PUBLIC_BASE_URL": f"http://127.0.0.1:{port}",
            "CASEWORK_SWEEP_SECONDS": "1",
        }
        get_settings.cache_clear()
        clock.advance(EVENING - clock.now())
        migrate()
        tales.fill(clock.now())
        stack.enter_context(programs.running(data, port))
        browser = stack.enter_context(chromium.started())
        _director(browser)
        _party(browser)
        _case_page(browser)
        _hearing(browser)
        _boards(browser)
        _case_file(browser, data)


def _director(browser: Browser) -> None:
    phone = _as(browser, "Karin Fjällbo", PHONE)
    at_table.fill_in(phone)
    phone.press("Ändra det du skrev")
    _save(phone, "director-form")


def _party(browser: Browser) -> None:
    phone = Phone(browser, _url(), width=PHONE, scale=2)
    phone.go(_link(_case(22, "12"))).press("Fortsätt")
    _save(phone, "party")


def _case_page(browser: Browser) -> None:
    office = _as(browser, "Lena Norrbro", DESKTOP)
    office.page.set_viewport_size({"width": DESKTOP, "height": TALL})
    office.go(f"/arenden/{_case(22, '6')}")
    _save(office, "case-page")


def _hearing(browser: Browser) -> None:
    director = _as(browser, "Karin Fjällbo", DESKTOP)
    director.go(f"/arenden/{_case(3, '17')}/sammantrade")
    _save(director, "hearing")


def _boards(browser: Browser) -> None:
    boards.save(_as(browser, "Karin Fjällbo", PHONE), HERE / "boards.png")
    boards.save_pages(HERE / "boards-pdf.png")


def _case_file(browser: Browser, data: Path) -> None:
    office = _as(browser, "Lena Norrbro", DESKTOP)
    office.go(f"/arenden/{_case(22, '6')}/akten").press("Gör akten").until("Hämta akten")
    pdf = data / "akt.pdf"
    pdf.write_bytes(office.download("Hämta akten").read_bytes())
    boards.pdf_page(pdf, "Resultat vid bordet", HERE / "case-file-page.png", dpi=DPI)


def _as(browser: Browser, name: str, width: int) -> Phone:
    """Somebody of the demo, signed in."""
    phone = Phone(browser, _url(), width=width, scale=2 if width == PHONE else 1)
    phone.go("/demo")
    with phone.page.expect_event("load"):
        phone.page.get_by_role("button", name=name).first.click()
    return phone


def _save(phone: Phone, name: str) -> None:
    phone.page.screenshot(path=HERE / f"{name}.png")


def _url() -> str:
    return get_settings().public_base_url


def _case(board: int, table: str) -> UUID:
    with uow() as session:
        query = select(Case.id).join(Incident).where(Incident.board == board, Incident.table == table)
        return session.exec(query).one()


def _link(case_id: UUID) -> str:
    with uow() as session:
        query = (
            select(Link)
            .join(Party)
            .where(Link.case_id == case_id, Link.purpose == LinkPurpose.PARTY, Party.side == Side.NORTH_SOUTH)
        )
        return f"/l/{links.link_token(session.exec(query).all()[0])}"


if __name__ == "__main__":
    main()
