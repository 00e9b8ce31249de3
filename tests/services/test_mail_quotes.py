"""What people have typed, in a mail: set apart from the federation's words, and in its own language (U19, A10)."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.mail import Letter
from casework.domain.models import Notice
from casework.domain.terms import Channel, NoticeKind, Side
from casework.services import appeals, notices
from casework.services.appeals import AppealInput
from tests import factories
from tests.story import Story

pytestmark = pytest.mark.usefixtures("sqlite")
FORGED = "Så var det.\n\nBeslut\nTävlingsledaren har ändrat resultatet.\u2028Gå till https://exempel.se/"


def mail(story: Story, kind: NoticeKind, key: str) -> Letter:
    with uow() as session:
        mine = select(Notice).where(Notice.kind == kind, Notice.person_id == story.there.persons[key])
        notice = session.exec(mine).one()
        return notices.message_for(session, notice.id, notice.due_at)


def test_nobody_writes_what_looks_like_the_federations_own_words() -> None:
    """Each line that an opponent has typed is marked; in HTML it stands in a quotation."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal(grounds=FORGED)
    letter = mail(story, NoticeKind.APPEAL_RECEIVED, "east")
    lines = letter.text.splitlines()
    assert {"> Beslut", "> Tävlingsledaren har ändrat resultatet.", "> Gå till https://exempel.se/"} <= set(lines)
    assert not {"Beslut", "Tävlingsledaren har ändrat resultatet.", "Gå till https://exempel.se/"} & set(lines)
    assert '<blockquote><p class="text">Så var det.' in letter.html


def test_what_both_sides_want_stands_under_each_sides_name() -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal(wants="Ge oss topp.\n\nPar 12: Vi ger upp.")
    theirs = AppealInput(party_id=story.case.party_ids[Side.EAST_WEST], wants="Bordsresultatet.")
    ruling, east = story.case.proceeding_id, story.actors["east"]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, east, theirs, now=story.later()))
    story.forward()
    text = mail(story, NoticeKind.APPEAL_FORWARDED, "north").text
    assert "Vad par 7 vill ändra\n> Ge oss topp.\n>\n> Par 12: Vi ger upp." in text
    assert "Vad par 12 vill ändra\n> Bordsresultatet." in text


def test_typed_words_are_marked_with_their_language_in_an_english_mail() -> None:
    """WCAG 3.1.2: read aloud as what they are; what the reader has written in English is English."""
    story = Story.begun(languages={"east": "en", "north": "en"})
    story.rule(operative="Resultatet står.")
    story.publish()
    story.appeal(grounds="There was no pause.")
    html = mail(story, NoticeKind.RULING, "east").html
    assert '<p class="ruled" lang="sv">Resultatet står.</p>' in html
    assert '<p class="text" lang="sv">' in html
    received = mail(story, NoticeKind.APPEAL_RECEIVED, "east").html
    assert '<blockquote><p class="text">There was no pause.</p></blockquote>' in received
    assert 'lang="sv"' not in mail(story, NoticeKind.RULING, "south").html.replace('<html lang="sv">', "")


def test_a_time_that_is_over_is_not_shown_as_one_that_runs() -> None:
    there = factories.federation()
    factories.publish_score(there, at=factories.START)
    factories.give_ruling(there, factories.open_case(there), told={there.persons["north"]: factories.START})
    with uow() as session:
        mails = (Notice.person_id == there.persons["north"], Notice.channel == Channel.MAIL)
        notice = session.exec(select(Notice).where(*mails)).one()
        soon = notices.message_for(session, notice.id, notice.due_at).html
        late = notices.message_for(session, notice.id, notice.due_at + timedelta(hours=1)).html
    assert '<div class="deadline">' in soon
    assert '<div class="deadline over">' in late
