"""Words as data: a sentence is a msgid with parameters until somebody reads it.

Below the web nobody writes a sentence. `t("…", name=value)` makes a `Text`, `adapters.i18n.render` turns it
into the reader's language. `t` is an extraction keyword of pybabel, so its msgid must be a literal.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Self, Union

UNSEEN = (0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that nobody sees, and that can make a text read otherwise than it is: dropped from what is sent."""

_UNKEEPABLE = {"Cc", "Cs", "Cn"}
"""Classes of characters that a database or a PDF cannot hold: control, surrogate, unassigned."""
_BREAKS = re.compile("[\r\n\t\v\f\x85\u2028\u2029]+")
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")

# A list holds values; a recursive alias stops pydantic.
Value = Union[str, int, Decimal, date, datetime, "Text", list[Any]]


@dataclass(frozen=True, slots=True)
class Text:
    """An English msgid with named parameters; `{name}` in the msgid is where a parameter goes.

    A `datetime` parameter is an aware instant and is shown as weekday, date and time in the event's zone;
    a `date` as weekday and date; a `Decimal` with the language's decimal sign; a `Text` is rendered in the same
    language; a list is joined with "and".
    """

    msgid: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The form that is stored: plain JSON types only."""
        return {"msgid": self.msgid, "params": {key: _pack(value) for key, value in self.params.items()}}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(stored["msgid"], {key: _unpack(value) for key, value in stored.get("params", {}).items()})


def t(msgid: str, /, **params: Value) -> Text:
    """Make a `Text`. The only way to write words below the web."""
    return Text(msgid, params)


def says_something(typed: str) -> bool:
    """Whether a text that is asked for holds a letter or digit: a full stop alone is no reason."""
    return any(map(str.isalnum, typed))


def sentences(texts: Sequence[Text]) -> Text:
    """Whole sentences one after another: a list as a parameter would put "and" between them."""
    first, *more = texts
    return t("{sentence} {more}", sentence=first, more=sentences(more)) if more else first


def _pack(value: Value) -> Any:
    match value:
        case Text():
            return {"text": value.to_json()}
        case datetime():
            return {"instant": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case Decimal():
            return {"number": str(value)}
        case list():
            return [_pack(item) for item in value]
        case _:
            return value


def _unpack(value: Any) -> Value:
    match value:
        case {"text": stored}:
            return Text.from_json(stored)
        case {"instant": stored}:
            return datetime.fromisoformat(stored)
        case {"date": stored}:
            return date.fromisoformat(stored)
        case {"number": stored}:
            return Decimal(stored)
        case list():
            return [_unpack(item) for item in value]
        case _:
            return value  # type: ignore[no-any-return]  # str and int are stored as they are


def one_line(text: str) -> str:
    """A name, a place, a table: what breaks its line is a space, or it could end a heading and begin another."""
    return _BREAKS.sub(" ", text)


def plain_line_ends(text: str) -> str:
    """What a word processor puts in for a new line or a new page is a new line."""
    return _LINE_ENDS.sub("\n", text)


def kept(char: str) -> bool:
    """Whether a character can be kept in a line."""
    return unicodedata.category(char) not in _UNKEEPABLE


class Quoted(str):
    """What somebody has typed, in his language.

    `apart`: set apart in a mail, so that nobody can write what looks like the federation's own words.
    """

    __slots__ = ("apart", "language")
    language: str
    apart: bool

    def __new__(cls, text: str, language: str = "sv", *, apart: bool = True) -> Self:
        """With the language it is written in."""
        made = super().__new__(cls, text)
        made.language, made.apart = language, apart
        return made
