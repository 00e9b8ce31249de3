"""The lines that a reader sees of a mail, in its text half and in its HTML half: they must be the same (E10)."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from casework.adapters.mail import Letter

FALLBACK = {
    "sv": "Om knappen inte fungerar, öppna den här adressen",
    "en": "If the button does not work, open this address",
}
"""The only line that is no fact: a text half has no button."""


def differences(letter: Letter, language: str) -> set[str]:
    """The lines that only one of a mail's halves has."""
    return (lines_of_html(letter.html) - {FALLBACK[language]}) ^ lines_of_text(letter.text)


def lines_of_html(html: str) -> set[str]:
    """The lines of an HTML half, without spaces and colons at their ends."""
    page = _Visible()
    page.feed(html)
    return set(_lines(page.text))


def lines_of_text(text: str) -> set[str]:
    """The same of a text half."""
    plain = re.sub(r"^> ?", "", text, flags=re.MULTILINE)  # what somebody has typed is set apart
    return set(_lines(re.sub(r" \((svensk tid|Swedish time)\)", r"\n\1", plain))) - {"--"}


def _lines(text: str) -> Iterator[str]:
    lines = (" ".join(raw.split()).removeprefix("- ").strip(":") for raw in text.splitlines())
    return filter(None, lines)


class _Visible(HTMLParser):
    """What is seen: each paragraph and point a line; a table as the text half writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.hidden: list[str] = []
        self.columns: list[str] = []
        self.cells: list[str] = []
        self.zones: list[str] = []
        self.of = ""
        self.note = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("class") or ""
        if tag in {"head", "style"} or kind == "vh":
            self.hidden.append(tag)
        elif tag in {"p", "h1", "h2", "h3", "div", "blockquote", "br", "li", "table"}:
            self.text += "\n"
        if tag in {"div", "ol", "ul"}:
            self.of, self.columns = kind.split(" ")[0], []
        if self.of == "footnotes" and tag == "li":
            self.note += 1
            self.text += f"({self.note}) "
        elif tag in {"th", "td"}:
            self.cells.append("")
        elif kind == "zone":
            self.zones.append("")
        elif tag == "sup" and self.cells:
            self.cells[-1] += " ("

    def handle_endtag(self, tag: str) -> None:
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()
        elif tag == "sup" and self.cells:
            self.cells[-1] += ")"
        if tag == "tr":
            self.text += f"\n{self._row()}\n"
            self.cells, self.zones = [], []

    def _row(self) -> str:
        """A hand has a line for each suit; an auction its calls; points stand with the heads of their columns."""
        if self.of == "deal-grid":
            return "\n".join([self.cells[0], *(f"{cell[0]} {cell[1:]}" for cell in self.cells[1:])])
        if self.of == "auction":
            return "\n".join(" ".join(line) for line in (self.cells, self.zones))
        if not self.columns:
            self.columns = self.cells
            return ""
        named = [f"{column} {cell}" for column, cell in zip(self.columns, self.cells, strict=False)]
        return f"{named[0]}: {', '.join(named[1:])}"

    def handle_data(self, data: str) -> None:
        said = data.replace("\ufe0e", "") if data.strip() or not self.cells else ""
        if self.hidden:
            return
        if self.zones and len(self.zones) == len(self.cells) and not self.zones[-1]:
            self.zones[-1] = said.strip()
        elif self.cells:
            self.cells[-1] += said
        else:
            self.text += said
