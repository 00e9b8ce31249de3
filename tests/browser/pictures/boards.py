"""Three real boards, in four colours, by day, by night and as printed side by side, and the same in the case file."""

import io
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from PIL import Image
from playwright.sync_api import Page
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import BoardRecord, CaseFile
from casework.services import documents
from tests.browser.phone import Phone

NUMBERS = (22, 3, 23)
PAGE_DPI = 72
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


def save_pages(path: Path) -> None:
    """The page of each board's case file, as PDF, side by side."""
    pages = [_page(number) for number in NUMBERS]
    _beside(pages).quantize(64).save(path, optimize=True)


def _page(number: int) -> Image.Image:
    with uow() as session:
        asked = CaseFile(case_id=_case_with(number), for_parties=True, language="sv", asked_at=clock.now())
        pdf = documents.papers_of(session, asked).pdf()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "akt.pdf"
        file.write_bytes(pdf)
        return pdf_page(file, "Resultat vid bordet", file.with_suffix(".png"), dpi=PAGE_DPI)


def pdf_page(pdf: Path, words: str, picture: Path, *, dpi: int) -> Image.Image:
    """The first page with these words, cover and contents left out, as a picture that is also kept."""
    text = subprocess.run(["pdftotext", str(pdf), "-"], check=True, capture_output=True, text=True).stdout
    page = str(next(number for number, page in enumerate(text.split("\f"), start=1) if words in page and number > 1))
    drawn = ["-png", "-singlefile", "-r", str(dpi), "-f", page, "-l", page, str(pdf), str(picture.with_suffix(""))]
    subprocess.run(["pdftoppm", *drawn], check=True)
    return Image.open(picture).convert("RGB")


def _looking(phone: Phone, number: int) -> Iterator[None]:
    page = f"/arenden/{_case_with(number)}/bricka"
    phone.page.emulate_media(color_scheme="light", media="screen")
    _choose(phone, "four")
    phone.go(page)
    yield
    _choose(phone, "two")
    phone.go(page)
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
