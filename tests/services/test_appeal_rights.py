"""That a party is told how to appeal is seen to when a notice is written (R32)."""

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import LANGUAGES
from casework.domain.models import Notice
from casework.domain.terms import ActionName, NoticeKind, Part, Side
from casework.domain.workflow.ruling import RULING
from casework.domain.workflow.table import Changes, Telling
from casework.services import notices, notifying
from casework.services.appeal_rights import NoAppealRights
from casework.services.loading import load
from casework.services.snapshot import snapshot
from casework.services.step import Step
from tests import factories
from tests.golden.mail_words import lines_of_html
from tests.story import Story

CALL = {"sv": "ring förbundets kansli, 08-465 004 12,", "en": "call the federation's office on 08-465 004 12:"}
ASK = {"sv": "får du den av förbundets kansli, 08-465 004 12.", "en": "the federation's office does, on 08-465 004 12."}
PARTNER = {"sv": "säga det till tävlingsledaren eller kansliet", "en": "telling the director or the office"}
NOT_HIS = {"sv": ("ärendets sida", "knappen", "sin egen länk"), "en": ("case's page", "button", "concurs through")}


@pytest.mark.parametrize("side", [Side.NORTH_SOUTH, None])
def test_a_notice_that_lacks_the_way_to_appeal_is_never_written(sqlite: str, side: Side | None) -> None:
    """R32: it could never be sent, so the step that would write it does not stand."""
    there = factories.federation()
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    told = Telling(
        kind=NoticeKind.RULING,
        person_id=there.persons["north"],
        party_id=case.party_ids[side] if side else None,
    )
    with uow(write=True) as session:
        loaded = load(session, case.proceeding_id, lock=True)
        loaded.deadlines = []
        step = Step(
            session=session,
            loaded=loaded,
            facts=snapshot(loaded),
            changes=Changes(action=RULING.action(ActionName.GIVE_RULING), part=Part.DIRECTOR, tellings=(told,)),
            actor=there.actor("director"),
            now=factories.START,
            data={},
            subject_id=None,
            party_id=None,
        )
        before = session.exec(select(Notice.id)).all()
        with pytest.raises(NoAppealRights):
            notifying.prepare(step)
        assert session.exec(select(Notice.id)).all() == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_says_the_ways_that_a_reader_without_mail_has(sqlite: str, language: str) -> None:
    """R32: he has no page, button or link. Before the score is out, while time stands still, and of a decision."""
    story = Story.begun(without_mail=frozenset({"north"}))
    story.rule()
    assert_of_his_own(posted(story, NoticeKind.RULING, language), language, begun=False)
    story.stand_still(Side.NORTH_SOUTH)
    assert_of_his_own(posted(story, NoticeKind.TIME_SUSPENDED, language), language, begun=False)
    story.go_on()
    story.publish()
    story.appeal("east", Side.EAST_WEST)
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    assert_of_his_own(posted(story, NoticeKind.DECISION, language), language, begun=True)


def posted(story: Story, kind: NoticeKind, language: str) -> set[str]:
    """The lines of North's letter."""
    with uow(write=True) as session:
        north = Notice.person_id == story.there.persons["north"]
        notice = session.exec(select(Notice).where(Notice.kind == kind, north)).one()
        notice.language = language
        return lines_of_html(notices.letter_for(session, notice.id, story.at).body)


def assert_of_his_own(letter: set[str], language: str, *, begun: bool) -> None:
    assert [line for line in letter for words in NOT_HIS[language] if words in line] == []
    assert sum(CALL[language] in line and "Karin Fjällbo" in line for line in letter) == 1
    assert sum(PARTNER[language] in line for line in letter) == 1
    assert any(ASK[language] in line for line in letter) is not begun
