"""What people are called and what they write in the golden mails: ordinary, long, and short or odd."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.factories import NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """`names` by the keys of `factories.NAMES`; `more` follows each text that a person writes."""

    name: str
    names: Mapping[str, str] = field(default_factory=dict)
    title: str = "Höstpokalen"
    session_name: str = "Lördag, omgång 1"
    team: str = "Lag {number}"
    more: str = ""
    sharing: tuple[str, ...] = ()
    """Who has one address: their mail names both."""

    def says(self, usual: str) -> str:
        """What somebody writes, instead of this."""
        return f"{usual}{self.more}"


def _cut(words: str, letters: int) -> str:
    return (words * letters)[:letters]


def _longest(key: str) -> str:
    """As long as the register takes a name: together the two of a pair have more than 300 letters."""
    given, _, family = NAMES[key].partition(" ")
    return f"{_cut(given + '-', 80)} {_cut(family + '-', 80)}"


ORDINARY = Data(name="ordinary data")
LONG = Data(
    name="long data",
    names={key: _longest(key) for key in NAMES},
    title=_cut("Svenska mästerskapet i bridge för blandade par och lag, höstens kvaltävling, ", 120),
    session_name=_cut("Lördagens första omgång i den stora salen en trappa upp, ", 80),
    team=_cut("Bridgeklubben Röda och Vita Stjärnans gemensamma veteranlag ", 77) + " {number}",
    more=(
        " Sedan blev det tyst. " + "Spelarna tittade på varandra och väntade på vad som skulle komma. " * 5
        + "https://exempel.se/" + "x" * 120 + "\n\nEtt nytt stycke:\n- en rad\n- en rad till"
    ),
    sharing=("east", "west"),
)  # fmt: skip
ODD = Data(
    name="short and odd data",
    names={
        "north": "Å Ö",
        "south": "ליאורה בן־דוד",
        "east": 'Zoë O’Brien-"Kid" 🃏',
        "west": "محمد القاسمي",
        "director": "Bo <b>Ek</b>",
        "organiser": "M & M",
        "juror_1": "{link:0} %(name)s",
        "lk_chair": "=?utf-8?q?Bcc=3A?= Ö",
    },
    title="X",
    session_name="<1> & ”2” 🏆",
    team="{number}",
    more=" %s {0} %(name)s {link:1} <script>alert(1)</script> & &amp; ♥10 ♠E −80 👍🏽 שלום\r\n\t”Nej!” sa 'han'.",
)
