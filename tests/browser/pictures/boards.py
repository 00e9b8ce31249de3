"""Three real boards, in four colours, by day, by night and as printed, side by side in one picture."""

import io
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from PIL import Image
from playwright.sync_api import Page
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.models import BoardRecord
from tests.browser.phone import Phone

NUMBERS = (22, 3, 23)
GAP = 24
"""Between the pictures, and around a board, in pixels of the picture."""
BOARD = """() => { const boxes = [...document.querySelectorAll("main .hands, main .auction")]
  .map((part) => part.getBoundingClientRect()); const top = Math.min(...boxes.map((box) => box.top)) + scrollY;
  return [top, Math.max(...boxes.map((box) => box.bottom)) + scrollY - top]; }"""


def save(phone: Phone, path: Path) -> None:
    """A row for each look, a column for each board."""
    rows = [[_drawn(phone.page) for _ in _looking(phone, number)] for number in NUMBERS]
    columns = [_beside(row) for row in rows]
    whole = Image.new("RGB", (max(c.width for c in columns), sum(c.height + GAP for c in columns) - GAP), "white")
    top = 0
    for column in columns:
        whole.paste(column, (0, top))
        top += column.height + GAP
    whole.quantize(96).save(path, optimize=True)


def _looking(phone: Phone, number: int) -> Iterator[None]:
    papers = f"/arenden/{_case_with(number)}/domslut/underlag"
    phone.page.emulate_media(color_scheme="light", media="screen")
    _choose(phone, "four")
    phone.go(papers)
    yield
    _choose(phone, "two")
    phone.go(papers)
    yield
    phone.page.emulate_media(color_scheme="dark")
    yield
    phone.page.emulate_media(color_scheme="light", media="print")
    yield


def _choose(phone: Phone, colours: str) -> None:
    phone.go("/farger").page.check(f"[value={colours}]")
    phone.press("Spara")


def _drawn(page: Page) -> Image.Image:
    top, height = page.evaluate(BOARD)
    size = page.viewport_size
    clip = {"x": 0, "y": top - GAP / 2, "width": size["width"] if size else 0, "height": height + GAP}
    taken = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]  # a rectangle
    return Image.open(io.BytesIO(taken))


def _beside(pictures: list[Image.Image]) -> Image.Image:
    whole = Image.new("RGB", (sum(p.width + GAP for p in pictures) - GAP, max(p.height for p in pictures)), "white")
    left = 0
    for picture in pictures:
        whole.paste(picture, (left, 0))
        left += picture.width + GAP
    return whole


def _case_with(number: int) -> UUID:
    with uow() as session:
        filed = select(BoardRecord.case_id).where(BoardRecord.number == number).order_by(col(BoardRecord.filed_at))
        return session.exec(filed).first() or UUID(int=0)
