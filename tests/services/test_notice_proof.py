"""The proof of notice: who recorded what, who put it right, and who answered for his side (R37, R-PROOF1)."""

from datetime import timedelta

from sqlmodel import select

from casework.adapters import i18n
from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import AppealRoute, Channel, NoticeKind
from casework.services import correcting, notice_proof
from casework.services.case_rows import read_case
from tests import factories
from tests.factories import START
from tests.story import Story


def proof_of(story: Story, key: str, *which: object) -> dict[str, list[str]]:
    """What the office reads of one person's notice: each fact with its lines."""
    with uow() as session:
        found = select(Notice).where(Notice.person_id == story.there.persons[key], *which)  # type: ignore[arg-type]
        rows = read_case(session, story.case.case_id, story.actors["office"], story.at)
        proof = notice_proof.one(session, rows, session.exec(found).one(), masked=False)

    def said(words: object) -> str:
        return words if isinstance(words, str) else i18n.format_value(words, "sv")

    return {said(what): [said(line) for line in lines] for what, lines in proof.facts}


def test_a_corrected_time_names_who_recorded_it_and_who_put_it_right(sqlite: str) -> None:
    """Each correction with its author and its moment; nobody stands for what another wrote."""
    story = Story.begun()
    factories.publish_score(story.there, at=START)
    story.rule(told={story.there.persons["north"]: START + timedelta(minutes=31)})
    story.later(days=1)
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.channel == Channel.SPOKEN)).one().id
    for who, minutes, why in (("office", 40, "Fel klocka."), ("director", 35, "Hörde fel.")):
        right = START + timedelta(minutes=minutes)
        story.write(
            lambda s, who=who, right=right, why=why: correcting.correct_telling(  # type: ignore[misc]  # bound to this one
                s, notice, story.actors[who], right_at=right, because=why, now=story.later()
            )
        )
    names = {key: story.there.persons[key] for key in ("office", "director")}
    assert names["office"] != names["director"]
    lines = proof_of(story, "north", Notice.channel == Channel.SPOKEN)["Bevisat från"]
    times = [line.partition(" kl. ")[2][:5] for line in lines]
    assert times == ["13.35", "13.31", "13.40", "", "13.35", ""]
    recorded, first, why, second, last = lines[1:]
    assert (why, last) == ("Varför: Fel klocka.", "Varför: Hörde fel.")
    assert "Först antecknat som" in recorded
    assert "av Karin Fjällbo" in recorded
    assert "Karin Fjällbo" not in first
    assert "av Karin Fjällbo" in second


def test_a_time_that_runs_from_what_the_mail_says_is_explained(sqlite: str) -> None:
    """Proven when the server took the mail, counted from the start that the mail names: the proof says both."""
    story = Story.begun()
    factories.publish_score(story.there, at=START)
    story.rule()
    story.deliver()
    facts = proof_of(story, "north", Notice.kind == NoticeKind.RULING)
    assert facts["Tiden räknas från"][0].endswith("samma sista tid, och ingen får mindre än hela tiden.")
    assert facts["Tiden räknas från"][0][:40] != facts["Bevisat från"][0][:40]


def test_one_members_answer_is_his_own(sqlite: str) -> None:
    """A party is heard once: the other member's proof names who answered for both."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.state({"north": "Pausen var kort."})
    asked = Notice.kind == NoticeKind.STATEMENT_DEMANDED
    (north,), (south,) = (proof_of(story, key, asked)["Besvarat"] for key in ("north", "south"))
    assert "för sidan" not in north
    assert "Birgit Ekestam för sidan" in south
