"""What the director types at the table, and helpers of the tests of his forms."""

from datetime import timedelta
from typing import Any

from sqlmodel import select

from casework.adapters.database import uow
from tests.factories import START, OpenCase
from tests.page import Page, PageClient

LATER = START + timedelta(hours=2)
"""15.00 in Sweden."""
CHECK, TELL, CHANGE = "Fortsätt till kontrollen", "Meddela domslutet", "Ändra det du skrev"
SHORT: dict[str, Any] = {
    "table": "5",
    "board": "18",
    "north_south": "7",
    "east_west": "12",
    "happened": "Nord tänkte länge och passade. Syd bjöd 4♠.",
    "laws": "16B1, 73C",
    "outcome": "assigned",
    "operative": "Resultatet ändras till 3♠ av Syd, nio stick.",
    "of_judgement": "yes",
    "reasons": "Pass var ett logiskt alternativ.",
}
PLACE: dict[str, Any] = {name: SHORT[name] for name in ("table", "board", "north_south", "east_west")}
ANSWERS: dict[str, Any] = {name: value for name, value in SHORT.items() if name not in PLACE}


def check(phone: PageClient, *, status: int = 200, **changes: Any) -> Page:
    """Fill in the short form and go on to the check."""
    return phone.submit(phone.get("/domslut/ny"), CHECK, status=status, **(SHORT | changes))


def rows(model: type, *where: Any) -> list[Any]:
    """Rows of a table."""
    with uow() as session:
        return list(session.exec(select(model).where(*where)))


def url(case: OpenCase, page: str) -> str:
    """An address in the case."""
    return f"/arenden/{case.case_id}/{page}"


def errors(page: Page) -> str:
    """What the error summary says."""
    return page.text(".error-summary")


def main(page: Page) -> str:
    """What the page says, a suit read as its glyph."""
    return page.text("main").replace("\N{VARIATION SELECTOR-15}", "")
