"""The look in numbers: contrast, suits, weight, and one place for every colour."""

import re
from pathlib import Path

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from casework.paths import STATIC, TEMPLATES

COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(")
NAMED = re.compile(r":\s*(?:black|white|red|green|blue|grey|gray|orange|yellow)\b")
TEXT, BIG = 4.5, 3.0
"""The least contrast of WCAG 2.2 AA for text, and for marks and borders that carry meaning."""

PAIRS = [
    ("ink", "paper", TEXT),
    ("ink", "sheet", TEXT),
    ("ink", "sunk", TEXT),
    ("ink", "dead", TEXT),
    ("ink", "tint", TEXT),
    ("ink", "priv", TEXT),
    ("ink2", "paper", TEXT),
    ("ink2", "sheet", TEXT),
    ("ink2", "sunk", TEXT),
    ("accent", "paper", TEXT),
    ("accent", "sheet", TEXT),
    ("accent", "sunk", TEXT),
    ("accent", "tint", TEXT),
    ("accent", "dead", TEXT),
    ("accent-d", "paper", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-d", TEXT),
    ("dead-ink", "dead", TEXT),
    ("dead-bar", "dead", BIG),
    ("error", "paper", TEXT),
    ("error", "sheet", TEXT),
    ("ok", "paper", BIG),
    ("red", "paper", TEXT),
    ("red", "sheet", TEXT),
    ("red", "dead", TEXT),
    ("four-spade", "paper", TEXT),
    ("four-spade", "sheet", TEXT),
    ("four-diamond", "paper", TEXT),
    ("four-diamond", "sheet", TEXT),
    ("four-club", "paper", TEXT),
    ("four-club", "sheet", TEXT),
    ("priv-ink", "priv", TEXT),
    ("edge", "paper", BIG),
    ("edge", "sheet", BIG),
    ("edge", "sunk", BIG),
]
"""Foreground, ground, least contrast: every pair that the stylesheets put together."""

STATED = {
    ("ink", "paper"): (15.7, 14.8),
    ("ink2", "paper"): (6.8, 8.1),
    ("edge", "paper"): (3.8, 4.8),
    ("accent", "paper"): (8.3, 9.6),
    ("on-accent", "accent"): (9.2, 9.0),
    ("accent", "tint"): (7.5, 7.2),
    ("ink", "dead"): (14.8, 12.0),
    ("dead-ink", "dead"): (8.7, 11.1),
    ("dead-bar", "dead"): (3.6, 6.5),
    ("error", "paper"): (7.1, 8.7),
    ("red", "sheet"): (6.0, 7.2),
    ("priv-ink", "priv"): (8.1, 8.7),
}
"""The contrasts that the design gives, by day and by night."""


def palettes() -> dict[str, dict[str, str]]:
    """The colour tokens by day and by night."""
    css = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    day, _, night = css.partition("@media screen and (prefers-color-scheme: dark)")
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part)) for part in (day, night))
    return {"day": light, "night": light | dark}


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two #rrggbb colours."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def without_comments(path: Path) -> str:
    """A stylesheet's rules."""
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("time", ["day", "night"])
@pytest.mark.parametrize(("front", "ground", "least"), PAIRS)
def test_contrast_is_enough(time: str, front: str, ground: str, least: float) -> None:
    """A6: text at least 4.5 to 1, marks and borders 3 to 1."""
    palette = palettes()[time]
    assert contrast(palette[front], palette[ground]) >= least


@pytest.mark.parametrize(("pair", "stated"), STATED.items())
def test_contrast_is_what_the_design_says(pair: tuple[str, str], stated: tuple[float, float]) -> None:
    found = [contrast(palette[pair[0]], palette[pair[1]]) for palette in palettes().values()]
    assert found == pytest.approx(stated, abs=0.06)


def test_night_changes_every_ground() -> None:
    """A token forgotten at night would be day's ink on night's paper."""
    light, dark = palettes().values()
    assert set(light) == set(dark)
    assert [name for name in light if light[name] == dark[name]] == []


def test_no_ground_is_pure_black_or_white() -> None:
    """A13."""
    grounds = [palette[name] for palette in palettes().values() for name in ("paper", "sheet", "sunk")]
    assert not {"#000000", "#ffffff"} & set(grounds)


def test_focus_shows_on_every_ground() -> None:
    """A3: one of the two tones stands out by 3 to 1 wherever the focus is."""
    for palette in palettes().values():
        for ground in ("paper", "sheet", "sunk", "tint", "dead", "accent", "priv"):
            tones = [contrast(palette[tone], palette[ground]) for tone in ("focus-out", "focus-in")]
            assert max(tones) >= BIG, ground


@pytest.mark.parametrize("name", ["base", "components", "bridge", "pads", "print"])
def test_colours_stand_in_the_tokens_only(name: str) -> None:
    css = without_comments(STATIC / "css" / f"{name}.css")
    assert COLOUR.findall(css) + NAMED.findall(css) == []


def test_tokens_that_are_used_exist() -> None:
    sheets = {path.stem: without_comments(path) for path in (STATIC / "css").glob("*.css")}
    known = set(re.findall(r"(--[\w-]+):", "".join(sheets.values())))
    used = {name for css in sheets.values() for name in re.findall(r"var\((--[\w-]+)", css)}
    assert used - known == set()


@pytest.mark.parametrize("name", ["mail/layout.html", "pdf/layout.html", "pdf/pdf.css", "pdf/bridge.css"])
def test_mail_and_paper_use_the_same_colours(name: str) -> None:
    """They cannot read the tokens, so each of their colours is one of them."""
    allowed = {colour for palette in palettes().values() for colour in palette.values()}
    used = set(re.findall(r"#[0-9a-f]{6}\b", (TEMPLATES / name).read_text(encoding="utf-8")))
    assert used <= allowed


def test_paper_is_always_by_day() -> None:
    css = (TEMPLATES / "pdf" / "pdf.css").read_text(encoding="utf-8")
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css))
    assert tokens
    assert tokens.items() <= palettes()["day"].items()


def test_suits_are_equally_wide_and_high() -> None:
    """B-SUIT1: one font, one advance, one height."""
    font = TTFont(STATIC / "fonts" / "suits.woff2")
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    sizes = set()
    for suit in "♠♥♦♣":
        pen = BoundsPen(glyphs)
        glyphs[names[ord(suit)]].draw(pen)
        assert pen.bounds is not None
        sizes.add((glyphs[names[ord(suit)]].width, pen.bounds[3] - pen.bounds[1]))
    assert sizes == {(1836, 1492)}


def test_suits_have_outlines_and_the_text_selector() -> None:
    """B-SUIT1: outlined suits for black-and-white print, U+FE0E so that no emoji font is asked."""
    known = TTFont(STATIC / "fonts" / "suits.woff2").getBestCmap()
    assert set(map(ord, "♠♡♢♣♤♥♦♧\ufe0e")) <= set(known)


def test_suits_font_comes_first() -> None:
    tokens = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    assert re.findall(r"--(?:sans|serif): (\w+),", tokens) == ["Suits", "Suits"]


def test_fonts_of_the_web_are_light() -> None:
    """U18: what a first visit fetches."""
    css = without_comments(STATIC / "css" / "base.css")
    fonts = [STATIC / "css" / name for name in re.findall(r'url\("([^"]+)"\)', css)]
    assert len(fonts) == 3
    assert sum(path.stat().st_size for path in fonts) <= 60_000


def test_scripts_of_the_web_are_light() -> None:
    """The pads are a help on a phone in a hall with bad reception."""
    assert sum(path.stat().st_size for path in (STATIC / "js").glob("*.js")) <= 30_000


def test_fonts_of_paper_exist() -> None:
    css = (TEMPLATES / "pdf" / "fonts.css").read_text(encoding="utf-8")
    names = re.findall(r'url\("asset:(fonts/[^"]+)"\)', css)
    assert names
    assert [name for name in names if not (STATIC / name).is_file()] == []


def test_fonts_carry_their_licences() -> None:
    licences = {path.name for path in (STATIC / "fonts").glob("LICENSE-*.txt")}
    assert licences == {"LICENSE-dejavu.txt", "LICENSE-source-sans-3.txt", "LICENSE-source-serif-4.txt"}
