"""Citing a law: what a person types becomes a checked code with a heading.

A code is law, section, paragraph and point: "16", "16B1", "12C1b", "12C1e(ii)". The number must be one of the
edition, and the section one that the law has; further down every paragraph is taken, with the heading of the
nearest part that has one. Of earlier editions nothing is checked (R43).
"""

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Self

from casework.domain.rules.editions import LawEdition
from casework.domain.rules.laws import LAST_SECTION, headings
from casework.text import Text, t

_LONGEST_UNCHECKED = 20
_PREFIX = re.compile(r"^(lagarna|lagen|lag|laws?|l|§+)\.?(?=[\s\d])", re.IGNORECASE)
_CODE = re.compile(
    r"(?P<law>[1-9]\d{0,2})(?:(?P<section>[A-Z])(?:(?P<paragraph>[1-9]\d?)"
    r"(?:\(?(?P<point>[A-Z])\)?(?:\((?P<roman>[IVX]{1,4})\))?)?)?)?"
)
_SEPARATORS = re.compile(r"[,;\n]+|\s+(?:och|and)\s+|\s+&\s+")


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited law: edition, code in the one way we write it, and our heading (None if nothing was checked)."""

    edition: LawEdition
    code: str
    heading: Text | None

    @property
    def words(self) -> Text:
        """For example "Law 16B1 (choosing among logical alternatives)"."""
        if self.heading is None:
            return t("Law {code}", code=self.code)
        return t("Law {code} ({heading})", code=self.code, heading=self.heading)

    def to_json(self) -> dict[str, str]:
        """Edition and code; the heading is looked up again."""
        return {"edition": self.edition.value, "code": self.code}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        edition = LawEdition(stored["edition"])
        return cls(edition, stored["code"], _heading(edition, stored["code"]))


def find_law(edition: LawEdition, typed: str) -> Citation | None:
    """The law a person means by "lag 16 b1", "L16" or "12C1(b)"; None if the edition has no such law."""
    plain = " ".join(typed.split())
    bare = _PREFIX.sub("", plain).strip()
    match = _read(bare)
    if edition is LawEdition.earlier:
        unchecked = _code(match) if match else bare
        return Citation(edition, unchecked, None) if 0 < len(unchecked) <= _LONGEST_UNCHECKED else None
    if match is None or not _exists(edition, match):
        return None
    return Citation(edition, _code(match), _heading(edition, _code(match)))


def parse_citations(edition: LawEdition, typed: str) -> tuple[list[Citation], list[str]]:
    """Split "16B1, 12C1b och 73" into citations, each once, and what no law answers to, as typed."""
    found: dict[str, Citation] = {}
    unknown: list[str] = []
    for part in filter(None, (piece.strip() for piece in _SEPARATORS.split(typed))):
        if citation := find_law(edition, part):
            found.setdefault(citation.code, citation)
        else:
            unknown.append(part)
    return list(found.values()), unknown


def law_choices(edition: LawEdition) -> list[Citation]:
    """The catalogue in reading order, for a picker."""
    return [Citation(edition, code, heading) for code, heading in sorted(headings(edition).items(), key=_reading_order)]


def _read(typed: str) -> re.Match[str] | None:
    apart = re.sub(r"(?<=\d)[\s.]+(?=\d)", "?", typed)  # "7.1" is not law 71
    return _CODE.fullmatch(re.sub(r"[\s.]", "", apart).upper())


def _code(match: re.Match[str]) -> str:
    point, roman = (match["point"] or "").lower(), (match["roman"] or "").lower()
    return f"{match['law']}{match['section'] or ''}{match['paragraph'] or ''}{point}{roman and f'({roman})'}"


def _exists(edition: LawEdition, match: re.Match[str]) -> bool:
    section = match["section"] or ""
    return match["law"] in headings(edition) and section <= LAST_SECTION.get(int(match["law"]), "")


def _heading(edition: LawEdition, code: str) -> Text | None:
    """The heading of `code`, or of the nearest part above it that has one."""
    known = headings(edition)
    return next((known[code[:end]] for end in range(len(code), 0, -1) if code[:end] in known), None)


def _reading_order(item: tuple[str, Text]) -> tuple[int, str]:
    code = item[0]
    return int("".join(takewhile(str.isdigit, code))), code
