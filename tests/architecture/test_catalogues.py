"""Every word that a person may read stands in Swedish and in English."""

import ast
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

import jinja2
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po
from jinja2 import nodes

from casework.paths import TRANSLATIONS
from tests.architecture.sources import ROOT, calls, texts

LANGUAGES = ("sv", "en")
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|(?<!\{)\{(\w+)[^{}]*\}")

Id = str | tuple[str, ...]


@cache
def used() -> dict[Id, str]:
    """Each msgid of code and templates with a place where it stands, found as pybabel finds it."""
    mappings: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
    found: dict[Id, str] = {}
    for mapping in mappings:
        pattern = mapping["pattern"]
        options = {key: str(value) for key, value in mapping.items() if key not in {"method", "pattern", "keywords"}}
        extracted = extract_from_dir(
            ROOT,
            [(pattern, mapping["method"])],
            {pattern: options},
            DEFAULT_KEYWORDS | dict.fromkeys(mapping.get("keywords", ())),
        )
        for name, line, msgid, _, _ in extracted:
            found.setdefault(msgid, f"{name}:{line}")
    return found


@cache
def catalogue(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def entry(language: str, msgid: Id) -> Message | None:
    return catalogue(language).get(msgid[0] if isinstance(msgid, tuple) else msgid)


def forms(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Singular and plural, or the only form."""
    return (value,) if isinstance(value, str) else tuple(value or ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    missing = []
    for msgid, where in used().items():
        message = entry(language, msgid)
        plural = isinstance(msgid, tuple)
        if message is None or not all(forms(message.string)) or (plural and not message.pluralizable):
            missing.append(f"{where}: {msgid!r}")
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_a_guess(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:
    wrong = [
        message.id
        for message in catalogue(language)
        if message.id
        for form in forms(message.string)
        if form and placeholders(form) != placeholders(forms(message.id)[-1])
    ]
    assert wrong == []


def test_messages_are_literal() -> None:
    """`t(f"…")` or `_(name)` cannot be extracted, so its words would be missing in every language."""
    assert used()
    wrong = [where for where, call, name in calls("casework", "workers") if name == "t" and not literal(call)]
    wrong += [f"{path}:{line}" for path, text in texts("templates") for line in unextractable(text)]
    assert wrong == []


def literal(call: ast.Call) -> bool:
    """Whether the first argument is a plain string."""
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)


def unextractable(template: str) -> list[int]:
    """The lines where a template asks for the translation of something that is no literal."""
    tree = jinja2.Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(template)
    return [
        call.lineno
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name)
        and call.node.name in {"_", "gettext", "ngettext"}
        and not (call.args and isinstance(call.args[0], nodes.Const))
    ]


def placeholders(text: str) -> set[str]:
    """The names of `{name}` and `%(name)s`."""
    return {percent or brace for percent, brace in PLACEHOLDER.findall(text)}
