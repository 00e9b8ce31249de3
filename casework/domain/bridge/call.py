"""One call with all that a ruling may turn on: alert, who explained what to whom, the pause before it.

As players write it: `[30 s] 2♣! N>Ö: "krav"`. A call out of turn says whose it was (`V: 1♥`), one that was taken
back says so (`1♥ [återtaget]`).
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from casework.domain.bridge.contract import STRAIN_PATTERN, Strain, read_strain
from casework.domain.bridge.notation import Language, Seat, Unreadable
from casework.text import Text, t

LONGEST = 400
"""Calls in one auction: the laws allow 319, and some may be taken back."""

DASHES = "-–—−"
"""A dash by itself is a pass, as many write it; joined to a call nobody can know what it is."""
_SEAT = "[NEÖSVW]"
_CALL = re.compile(
    rf"(?:(?P<by>{_SEAT})\s*:\s*)?(?:"
    rf"(?P<level>[1-7])\s*(?P<strain>{STRAIN_PATTERN})[\ufe0e\ufe0f]?(?![a-zåäö])"
    r"|(?P<redouble>xx|rd|redbl|redubbelt|redouble)(?![a-zåäö])"
    r"|(?P<double>x|d|dbl|dubbelt|double)(?![a-zåäö])"
    r"|(?P<passed>pass|p)(?![a-zåäö])"
    rf"|(?P<dash>[{DASHES}])(?=[\s,;]|$))",
    re.IGNORECASE,
)
_PAUSE = re.compile(
    r"…|\.\.\.|\[\s*(?=[^\]\s])(?:(?:tanke)?paus|pause)?\s*"
    r"(?:(?P<seconds>[1-9]\d{0,3})\s*(?:sekunder|seconds|sek|sec|s)?)?\s*"
    r"(?:,?\s*(?:(?P<disputed>\?|omtvistad|disputed)|överens|eniga|agreed))?\s*\]",
    re.IGNORECASE,
)
_ALL_PASS = re.compile(r"(?:ap|alla\s+passar|alla\s+pass|all\s+pass)(?![a-zåäö])", re.IGNORECASE)
_ALERT = re.compile(r"\s*!")
_WITHDRAWN = re.compile(r"\s*\[\s*(?:återtaget|återtagen|ändrat|withdrawn|cancelled)\s*\]", re.IGNORECASE)
_WORDS = re.compile(
    rf"\s*(?:(?P<screen>N[EÖ]|[EÖ]N|S[WV]|[WV]S)\b)?\s*(?P<by>{_SEAT})?\s*(?:[>→]\s*(?P<to>{_SEAT}))?\s*:?\s*"
    r'["“”»«](?P<text>(?:[^"“”»«\\]|\\.)*)["“”»«]',
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN = re.compile(r"[\s,;]*")


class ScreenSide(StrEnum):
    """A side of the screen, behind which two opponents sit; its value is the canonical letters."""

    north_east = "NE"
    south_west = "SW"

    @property
    def words(self) -> Text:
        """For a footnote."""
        return _SIDE_WORDS[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What was said of a call, with who said it, to whom, and on which side of a screen, as far as that is known."""

    text: str
    by: Seat | None = None
    to: Seat | None = None
    screen: ScreenSide | None = None

    def __post_init__(self) -> None:
        if not (self.by or self.to or self.screen):
            raise ValueError("an explanation of nobody to nobody is the call's own")
        object.__setattr__(self, "text", " ".join(self.text.split()))

    @property
    def words(self) -> Text:
        """In a sentence: who to whom, and what."""
        whom = self._whom
        side = self.screen.words if self.screen else None
        if whom and side:
            return t("{whom}, {side}: “{text}”.", whom=whom, side=side, text=self.text)
        return t("{whom}: “{text}”.", whom=whom or side or "", text=self.text)

    @property
    def _whom(self) -> Text | None:
        if self.by and self.to:
            return t("{by} to {to}", by=self.by.words, to=self.to.words)
        if self.to:
            return t("To {to}", to=self.to.words)
        return self.by.words if self.by else None

    def render(self, language: Language) -> str:
        """For the text field: `NÖ N>Ö: "krav"`."""
        screen = "".join(Seat(letter).letter(language) for letter in self.screen or "")
        whom = (self.by.letter(language) if self.by else "") + (f">{self.to.letter(language)}" if self.to else "")
        return f"{' '.join(filter(None, (screen, whom)))}: {_quoted(self.text)}"


@dataclass(frozen=True, slots=True)
class Pause:
    """A break in tempo before a call; `disputed` when the sides do not agree about it."""

    seconds: int | None = None
    disputed: bool = False

    @property
    def words(self) -> Text:
        """How long it was, and whether both sides say so."""
        if self.seconds is None:
            return t("A pause, disputed.") if self.disputed else t("A pause that both sides agree about.")
        if self.disputed:
            return t("A pause of {number} seconds, disputed.", number=self.seconds)
        return t("A pause of {number} seconds that both sides agree about.", number=self.seconds)

    def render(self, language: Language) -> str:
        """For the text field: "[30 s]", "[paus?]"."""
        length = f"{self.seconds} s" if self.seconds else "paus" if language == "sv" else "pause"
        return f"[{length}{'?' if self.disputed else ''}]"


@dataclass(frozen=True, slots=True)
class Call:
    """One call in its canonical form: "1S", "3N", "P", "X" or "XX".

    `by` is who made it out of turn. A call that was `withdrawn` has been heard, but the turn stayed where it was.
    """

    call: str
    alert: bool = False
    explanation: str = ""
    explained: tuple[Explanation, ...] = ()
    pause: Pause | None = None
    by: Seat | None = None
    withdrawn: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "explanation", " ".join(self.explanation.split()))

    @property
    def bid(self) -> tuple[int, Strain] | None:
        """Level and strain of a bid; None for pass, double and redouble."""
        return (int(self.call[0]), Strain(self.call[1])) if self.call[0].isdigit() else None

    @property
    def shown(self) -> str:
        """As on the bidding card, the same in every language: "1♠", "3NT", "Pass", "X"."""
        bid = self.bid
        return f"{bid[0]}{bid[1].shown}" if bid else {"P": "Pass"}.get(self.call, self.call)

    def render(self, language: Language) -> str:
        """For the text field: `[30 s] 1♥! "5+ hjärter" V>S: "4+"`."""
        call = (f"{self.by.letter(language)}: " if self.by else "") + self.shown + ("!" if self.alert else "")
        withdrawn = "[återtaget]" if language == "sv" else "[withdrawn]"
        parts = (
            self.pause.render(language) if self.pause else "",
            call,
            withdrawn if self.withdrawn else "",
            _quoted(self.explanation) if self.explanation else "",
            *(each.render(language) for each in self.explained),
        )
        return " ".join(filter(None, parts))

    @property
    def said(self) -> str:
        """All that is known besides call and alert, in one line as players write it: the pause, who explained what."""
        marks = " ".join(each.render("en") for each in self.explained)
        parts = (
            self.pause.render("en") if self.pause else "",
            f"[{self.by.value}, out of turn]" if self.by else "",
            "[withdrawn]" if self.withdrawn else "",
            self.explanation,
            marks,
        )
        return " ".join(filter(None, parts))

    @property
    def explained_words(self) -> tuple[Text, ...]:
        """That it was alerted, and what was said of it, a sentence each."""
        words = [each.words for each in self.explained]
        if not self.explanation:
            return (*([t("Alerted.")] if self.alert else []), *words)
        if self.alert:
            return (t("Alerted: “{text}”.", text=self.explanation), *words)
        return (t("Explained: “{text}”.", text=self.explanation), *words)

    def to_json(self) -> dict[str, Any]:
        """The stored form: call, alert and explanation always, the rest where there is any."""
        rare: dict[str, Any] = {
            "explained": [asdict(each) for each in self.explained],
            "pause": self.pause and asdict(self.pause),
            "by": self.by,
            "withdrawn": self.withdrawn,
        }
        always = {"call": self.call, "alert": self.alert, "explanation": self.explanation}
        return always | {key: value for key, value in rare.items() if value}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(
            call=stored["call"],
            alert=stored["alert"],
            explanation=stored["explanation"],
            explained=tuple(_explanation(**each) for each in stored.get("explained", ())),
            pause=Pause(**stored["pause"]) if "pause" in stored else None,
            by=Seat(stored["by"]) if "by" in stored else None,
            withdrawn=stored.get("withdrawn", False),
        )


def read_calls(typed: str) -> tuple[Call, ...]:
    """All calls of a text, one after another; Unreadable shows the first that is none."""
    calls: list[Call] = []
    at = _skip(typed, 0)
    while at < len(typed):
        if len(calls) >= LONGEST:
            raise Unreadable(t("An auction cannot have more than {number} calls.", number=LONGEST))
        if rest := _ALL_PASS.match(typed, at):
            calls += last_passes(calls)
            at = _skip(typed, rest.end())
            continue
        call, at = _read_call(typed, at)
        calls.append(call)
    return tuple(calls)


def last_passes(calls: Sequence[Call]) -> list[Call]:
    """The passes that end an auction after these calls: all pass who still can."""
    standing = [call.call for call in calls if not call.withdrawn]
    passes = next((number for number, call in enumerate(reversed(standing)) if call != "P"), len(standing))
    return [Call("P")] * ((4 if passes == len(standing) else 3) - passes)


def _read_call(typed: str, at: int) -> tuple[Call, int]:
    pause = _PAUSE.match(typed, at)
    if pause:
        at = _skip(typed, pause.end())
    token = _CALL.match(typed, at)
    if token is None:
        raise Unreadable(_no_call(typed[at:]))
    at = token.end()
    alert, withdrawn, explanation = False, False, ""
    explained: list[Explanation] = []
    while True:
        if found := _ALERT.match(typed, at):
            alert = True
        elif found := _WITHDRAWN.match(typed, at):
            withdrawn = True
        elif (found := _WORDS.match(typed, at)) and (found["screen"] or found["by"] or found["to"]):
            explained.append(_heard(found))
        elif found and not explanation:
            explanation = _unquoted(found["text"])
        else:
            break
        at = found.end()
    call = Call(
        _canonical(token),
        alert=alert,
        explanation=explanation,
        explained=tuple(explained),
        pause=Pause(int(pause["seconds"]) if pause["seconds"] else None, bool(pause["disputed"])) if pause else None,
        by=Seat.parse(token["by"]) if token["by"] else None,
        withdrawn=withdrawn,
    )
    return call, _skip(typed, at)


def _no_call(rest: str) -> Text:
    if not rest.strip():
        return t("Write a pause before the call that it delayed, for example {example}.", example="[30 s] 4♥")
    if rest[0] in DASHES:
        return t("A dash by itself is a pass. Write a space around it, or P: {typed}.", typed=rest[:20])
    if rest[0] == "[":
        return t("A pause is written {agreed}, or {disputed} if it is disputed, before the call that it delayed.",
                 agreed="[30 s]", disputed="[30 s?]")  # fmt: skip
    return t("{typed} is no call. Write for example 1♠, 3NT, P, X or XX.", typed=rest.split(maxsplit=1)[0][:20])


def _heard(found: re.Match[str]) -> Explanation:
    screen = found["screen"]
    return Explanation(
        text=_unquoted(found["text"]),
        by=Seat.parse(found["by"]) if found["by"] else None,
        to=Seat.parse(found["to"]) if found["to"] else None,
        screen=(ScreenSide.north_east if "N" in screen.upper() else ScreenSide.south_west) if screen else None,
    )


def _explanation(text: str, by: str | None, to: str | None, screen: str | None) -> Explanation:
    return Explanation(
        text=text,
        by=Seat(by) if by else None,
        to=Seat(to) if to else None,
        screen=ScreenSide(screen) if screen else None,
    )


def _canonical(token: re.Match[str]) -> str:
    if token["level"]:
        return token["level"] + read_strain(token["strain"].lower())
    return "XX" if token["redouble"] else "X" if token["double"] else "P"


def _quoted(text: str) -> str:
    escaped = re.sub(r'(["“”»«\\])', r"\\\1", text)
    return f'"{escaped}"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _skip(typed: str, at: int) -> int:
    found = _BETWEEN.match(typed, at)
    return found.end() if found else at


_SIDE_WORDS = {
    ScreenSide.north_east: t("North–East's side of the screen"),
    ScreenSide.south_west: t("South–West's side of the screen"),
}
