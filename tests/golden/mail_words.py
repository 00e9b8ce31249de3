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
    """What is seen: each paragraph and point a line, a row of a table with the heads of its columns."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.hidden: list[str] = []
        self.columns: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"head", "style"} or ("class", "vh") in attrs:
            self.hidden.append(tag)
        elif tag in {"p", "h1", "h2", "h3", "div", "blockquote", "br", "li", "table"}:
            self.text += "\n"
        elif tag in {"th", "td"}:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()
        if tag == "tr":
            named = [f"{column} {cell}" for column, cell in zip(self.columns, self.cells, strict=False)]
            self.text += f"\n{named[0]}: {', '.join(named[1:])}\n" if named else ""
            self.columns = self.columns or self.cells
            self.cells = []

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if self.cells:
            self.cells[-1] += data.replace("\ufe0e", "")
        else:
            self.text += data.replace("\ufe0e", "")
