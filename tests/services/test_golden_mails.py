"""Every notice in Swedish and English as its readers get it, with long, short and odd data (E10, E1).

What is said stands in `tests/golden/mails`; a word that changes shows there. `--golden` writes them anew.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from jinja2.ext import extract_from_ast

from casework.adapters.i18n import LANGUAGES, jinja_environment, translations
from casework.domain.terms import NoticeKind
from casework.paths import TEMPLATES
from casework.settings import get_settings
from tests.golden import files
from tests.golden.data import ORDINARY
from tests.golden.mail_words import differences
from tests.golden.scenes import SCENES
from tests.golden.scribe import Mail, Scribe, alike

NEAR = re.compile(r"\b(i dag|i kväll|i morgon|i går|today|tonight|tomorrow|yesterday)\b", re.IGNORECASE)
LEADS = re.compile(r"(?:href|src|background|action)=[\"']?([^\"'> ]+)|url\(")
SIZE = 100_000
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%")


@pytest.mark.parametrize("heading", SCENES)
@pytest.mark.usefixtures("sqlite")
def test_what_is_said_is_what_stands_in_the_golden_files(heading: str, request: pytest.FixtureRequest) -> None:
    compare(told(heading), heading, write=bool(request.config.getoption("--golden")))


@pytest.mark.services
@pytest.mark.parametrize("heading", [f"appeal in writing, {data}" for data in ("ordinary data", "long data")])
@pytest.mark.usefixtures("postgres")
def test_postgres_has_the_same_to_say(heading: str) -> None:
    compare(told(heading), heading, write=False)


def told(heading: str) -> Scribe:
    scene = SCENES[heading]
    return scene.tell(scene.data)


def compare(story: Scribe, heading: str, *, write: bool) -> None:
    """Each mail is sound by itself; those that differ in what they say are as in the golden files."""
    for mail in story.mails:
        assert differences(mail.letter, mail.language) == set(), mail.page
        assert mail.letter.subject in mail.letter.text
        assert not NEAR.search(mail.letter.text)
        assert all(
            way.startswith((get_settings().public_base_url, "mailto:")) for way in LEADS.findall(mail.letter.html)
        )
    shown = shown_of(story, heading)
    assert max(mail.size for mails in shown.values() for mail in mails.values()) < SIZE
    wrong = []
    for kind in NoticeKind:
        for language in LANGUAGES:
            name = f"{kind}.{language}"
            said = {head: mail.page for head, mail in shown[kind, language].items()}
            if write:
                files.write(name, heading, said, list(SCENES))
            else:
                wrong.append(files.difference(name, heading, said))
    if any(wrong):
        pytest.fail("\n\n".join([*filter(None, wrong), files.HOW]), pytrace=False)


def shown_of(story: Scribe, heading: str) -> dict[tuple[NoticeKind, str], dict[str, Mail]]:
    """By kind and language: of ordinary data all that differ, of other data one."""
    found: dict[tuple[NoticeKind, str], dict[str, Mail]] = defaultdict(dict)
    seen: set[tuple[NoticeKind, str, str]] = set()
    order = list(story.there.persons)
    for mail in sorted(story.mails, key=lambda mail: (mail.at, order.index(mail.to))):
        said = alike(mail) if story.data is ORDINARY else ""
        if mail.kind in SCENES[heading].kinds and (mail.kind, mail.language, said) not in seen:
            seen.add((mail.kind, mail.language, said))
            sections = found[mail.kind, mail.language]
            same = sum(head.partition(", to ")[2].split(" ")[0] == mail.to for head in sections)
            sections[f"{heading}, to {mail.to}" + (f" ({same + 1})" if same else "")] = mail
    return found


def test_every_file_is_of_a_kind_and_a_scene() -> None:
    names = {path.stem for path in files.HERE.iterdir()}
    assert names == {f"{kind}.{language}" for kind in NoticeKind for language in LANGUAGES}
    assert {files.scene_of(head) for name in names for head in files.read(name)} == set(SCENES)


@pytest.mark.parametrize("kind", NoticeKind)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_kind_stands_in_its_file(kind: NoticeKind, language: str) -> None:
    """So no branch of a template is written that nobody has read in both languages."""
    said = "\n".join(files.read(f"{kind}.{language}").values())
    assert [sentence for sentence in sentences(kind, language) if not re.search(sentence, said)] == []


def sentences(kind: NoticeKind, language: str) -> Iterator[str]:
    """The sentences of a kind's own template, as patterns."""
    source = (TEMPLATES / "mail" / kind / "words.txt").read_text(encoding="utf-8")
    for _, _, msgid in extract_from_ast(jinja_environment(language).parse(source)):
        words = translations(language).gettext(str(msgid[0] if isinstance(msgid, tuple) else msgid))
        yield "(?s)" + ".*?".join(map(re.escape, PLACEHOLDER.split(words)))


def test_no_mail_speaks_of_a_statement_in_other_words() -> None:
    """Glossary: yttrande."""
    for path in files.HERE.glob("*.sv.txt"):
        assert not re.search(r"(?i)bemöt|genmäl|inlaga", path.read_text(encoding="utf-8"))
