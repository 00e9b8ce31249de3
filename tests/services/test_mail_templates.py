"""What notices say: every kind in both languages, the same in text and HTML, with the way to appeal (R32)."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

import pytest
from jinja2.ext import extract_from_ast
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import LANGUAGES, jinja_environment, translations
from casework.adapters.mail import Letter, build
from casework.domain.models import Deadline, Notice, Timer
from casework.domain.terms import AppealRoute, DeadlineKind, Form, NoticeKind, Side
from casework.paths import TEMPLATES
from casework.services import deadlines, notices
from casework.services.appeal_rights import NoAppealRights
from casework.settings import get_settings
from tests import factories
from tests.story import Story

ON_SITE = {
    NoticeKind.RULING,
    NoticeKind.WINDOW_OPEN,
    NoticeKind.APPEAL_RECEIVED,
    NoticeKind.CONCURRENCE_ASKED,
    NoticeKind.APPEAL_TO_FORWARD,
    NoticeKind.CONCURRED,
    NoticeKind.APPELLANT_WARNED,
    NoticeKind.APPEAL_FORWARDED,
    NoticeKind.SEATED,
    NoticeKind.SUMMONS,
    NoticeKind.DECISION,
    NoticeKind.TO_BE_TOLD,
}
IN_WRITING = {
    NoticeKind.REPORT_FILED,
    NoticeKind.STATEMENT_DEMANDED,
    NoticeKind.STATEMENT_RECEIVED,
    NoticeKind.STATEMENTS_OPEN,
    NoticeKind.SENT_IN,
    NoticeKind.MATERIAL_ADDED,
    NoticeKind.LEFT_OUT,
    NoticeKind.REGISTERED,
    NoticeKind.PANEL_CHANGED,
    NoticeKind.NEW_CHAIR,
}
WITHOUT_DECISION = {
    NoticeKind.DIRECTOR_APPOINTED,
    NoticeKind.TO_RULE,
    NoticeKind.RULING_POSTPONED,
    NoticeKind.WINDOW_PROLONGED,
    NoticeKind.DEADLINE_PASSED,
    NoticeKind.APPEAL_WITHDRAWN,
    NoticeKind.FINAL,
    NoticeKind.NO_LONGER_FINAL,
}
OF_TIMES = {NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED, NoticeKind.TASK_DUE}
BY_THEMSELVES = {NoticeKind.RULING_ASKED, NoticeKind.STATEMENT_REMINDER, NoticeKind.PUBLICATION_MISSING}
BY_THEMSELVES |= {NoticeKind.WINDOW_MOVED, NoticeKind.SCORE_COUNTED, NoticeKind.LINK, NoticeKind.PANEL_LEFT}
BY_THEMSELVES |= {NoticeKind.SEAT_TO_FILL, NoticeKind.HEARING_REMINDER, NoticeKind.CONFLICT_REMINDER}
FALLBACK = {
    "sv": "Om knappen inte fungerar, öppna den här adressen",
    "en": "If the button does not work, open this address",
}


def test_every_kind_has_its_words() -> None:
    folders = {path.parent.name for path in (TEMPLATES / "mail").glob("*/words.txt")}
    assert folders == {kind.value for kind in NoticeKind}
    assert set(NoticeKind) == ON_SITE | IN_WRITING | WITHOUT_DECISION | OF_TIMES | BY_THEMSELVES


def test_notices_of_an_appeal_on_site(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.concur()
    story.warn()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    assert_told(ON_SITE)


def test_notices_of_an_appeal_in_writing(sqlite: str) -> None:
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    story.add_late()
    story.decline(Side.EAST_WEST)
    story.register()
    story.recuse("lk_chair")
    story.declare()
    story.add_late()
    story.leave_out("lk_1")
    story.decide("lk_1", "lk_2", "lk_reserve")
    story.notice(NoticeKind.STATEMENT_REMINDER)
    assert_told(IN_WRITING | {NoticeKind.DECISION, NoticeKind.STATEMENT_REMINDER})


def test_notices_of_a_ruling_that_stands(sqlite: str) -> None:
    story = Story.requested()
    story.notice(NoticeKind.RULING_ASKED)
    story.ask()
    story.rule()
    story.publish()
    story.prolong()
    story.expire(days=2)
    story.prolong(Side.EAST_WEST)
    story.appeal()
    story.expire(hours=25)
    story.withdraw()
    for kind in sorted(BY_THEMSELVES - {NoticeKind.RULING_ASKED, NoticeKind.STATEMENT_REMINDER}):
        story.notice(kind, proceeding_id=story.case.proceeding_id)
    assert_told(WITHOUT_DECISION | BY_THEMSELVES - {NoticeKind.STATEMENT_REMINDER})


def test_notices_of_times_that_stand_still_and_of_tasks(sqlite: str) -> None:
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.stand_still(Side.NORTH_SOUTH)
    story.go_on()
    story.appeal()
    story.forward()
    with uow() as session:
        task = session.exec(select(Timer).where(Timer.step == "remind_official:1")).one()
    story.later(seconds=(task.due_at - story.at).total_seconds())
    story.write(lambda s: deadlines.run_timer(s, task.id, story.at))
    assert_told(OF_TIMES)


def assert_told(kinds: set[NoticeKind]) -> None:
    """These kinds were told, and all that was told can be read in both languages, in text and in HTML."""
    with uow(write=True) as session:
        told = session.exec(select(Notice)).all()
        assert kinds <= {notice.kind for notice in told}
        for notice in told:
            for language in LANGUAGES:
                notice.language = language
                letter = notices.message_for(session, notice.id, notice.due_at)
                assert lines_of_html(letter.html) - {FALLBACK[language]} == lines_of_text(letter.text)
                assert untranslated(notice.kind, language) & set(letter.text.splitlines()) == set()
                assert letter.subject in letter.text
                assert len(build(letter, notice.due_at).mime) < 100_000
                assert "http" not in re.sub(re.escape(get_settings().public_base_url), "", letter.html)


def untranslated(kind: NoticeKind, language: str) -> set[str]:
    """The words of a notice as the code has them, where the reader's language says something else."""
    source = (TEMPLATES / "mail" / kind / "words.txt").read_text(encoding="utf-8")
    msgids = {str(msgid) for _, _, msgid in extract_from_ast(jinja_environment(language).parse(source))}
    assert msgids
    return {msgid for msgid in msgids if translations(language).gettext(msgid) != msgid}


class Visible(HTMLParser):
    """The lines that a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"head", "style"} or ("class", "vh") in attrs:
            self.hidden.append(tag)
        elif tag in {"p", "h1", "h2", "div", "br"}:
            self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.text += data.replace("\ufe0e", "")


def lines_of_html(html: str) -> set[str]:
    page = Visible()
    page.feed(html)
    return set(_lines(page.text))


def lines_of_text(text: str) -> set[str]:
    plain = re.sub(r"^> ?", "", text, flags=re.MULTILINE)  # what somebody has typed is set apart
    return set(_lines(re.sub(r" \((svensk tid|Swedish time)\)", r"\n\1", plain))) - {"--"}


def _lines(text: str) -> Iterator[str]:
    return (line for raw in text.splitlines() if (line := " ".join(raw.split()).strip(":")))


def letters(kind: NoticeKind, **languages: str) -> Mapping[str, Letter]:
    """The mails of a kind by their recipient's name."""
    with uow() as session:
        found = session.exec(select(Notice).where(Notice.kind == kind)).all()
        made = [notices.message_for(session, notice.id, notice.due_at) for notice in found]
    return {letter.to_name: letter for letter in made}


def both_halves(letter: Letter) -> tuple[set[str], set[str]]:
    return lines_of_text(letter.text), lines_of_html(letter.html)


def test_a_second_call_says_that_it_replaces_the_first(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.compose()
    story.call()
    first = letters(NoticeKind.SUMMONS)
    assert not any("ersätter" in mail.text for mail in first.values())
    story.call(place="Rum 4")
    second = letters(NoticeKind.SUMMONS)
    assert all("Kallelsen ersätter" in mail.text and mail.subject.startswith("Ny kallelse") for mail in second.values())
    assert set(second) == set(first)


def test_the_parties_are_told_when_others_try_their_case(sqlite: str) -> None:
    """R17, R19: they may say that a member should not sit, so they know at every moment who does; so does the chair."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    assert letters(NoticeKind.PANEL_CHANGED) == {}
    story.recuse("lk_chair")
    told = letters(NoticeKind.PANEL_CHANGED)
    players = {factories.NAMES[key] for key in ("north", "south", "east", "west")}
    assert {name for name, mail in told.items() if factories.NAMES["lk_reserve"] in mail.text} == set(told)
    chairs = letters(NoticeKind.NEW_CHAIR)
    (other,) = {factories.NAMES[key] for key in ("lk_1", "lk_2")} - set(chairs)
    assert set(told) == players | {other, factories.NAMES["director"]}
    assert not any("jäv" in told[name].text for name in set(told) - players)


def test_a_ruling_says_how_to_appeal_before_its_time_has_begun(sqlite: str) -> None:
    """R23, R32: that, how, until when, to which body; until the score is out, that the time has not begun."""
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there))
    for half in both_halves(letters(NoticeKind.RULING)["Birgit Ekestam"]):
        assert {
            "Så överklagar du",
            "Du har rätt att överklaga. Överklagandet prövas av juryn.",
            (
                "Du har 30 minuter på dig. Tiden börjar när det officiella resultatet är tillgängligt och du har fått "
                "veta domslutet. Den exakta tiden står sedan på ärendets sida."
            ),
            "Du överklagar genom tävlingsledaren: med knappen på ärendets sida, eller direkt till Karin Fjällbo.",
            "Säg vad du vill ändra och på vilka grunder.",
            "Båda i paret måste stå bakom överklagandet. Din partner instämmer genom sin egen länk.",
            "Så lång tid har du",
            "30 minuter",
        } <= half


def test_a_mail_gives_the_instant_of_the_partys_own_window(sqlite: str) -> None:
    """Promise 5: the row's instant and explanation, in the mail as on the page."""
    story = Story.begun()
    story.rule()
    story.publish()
    for half in both_halves(letters(NoticeKind.WINDOW_OPEN)["Lena Tvärås"]):
        assert "lördag 28 november 2026 kl. 14.03" in half
        assert any(
            line.startswith("Överklaga senast lördag 28 november 2026 kl. 14.03. Det officiella resultatet blev")
            for line in half
        )


def test_only_who_is_asked_gets_a_last_day_for_what_is_new(sqlite: str) -> None:
    """R30: who added something late is told of the answer to it, and asked for nothing: least of all in the past."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    story.later(days=30)
    story.state({"north": "En sak till."})
    story.state({"east": "Det stämmer inte."})
    mails = letters(NoticeKind.MATERIAL_ADDED)
    asked = {name for name, mail in mails.items() if "Yttra dig om de andras yttranden senast" in mail.text}
    assert asked == {"Lena Tvärås", "Olof Hägglund"}
    assert {name for name, mail in mails.items() if "Du behöver inte göra något nu" in mail.text} == set(mails) - asked


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (Form.TEAMS, "Lagkaptenen måste stå bakom överklagandet."),
        (Form.PAIRS, "Båda i paret måste stå bakom överklagandet. Din partner instämmer genom sin egen länk."),
        (Form.INDIVIDUAL, None),
    ],
)
def test_who_must_stand_behind_an_appeal(sqlite: str, form: Form, words: str | None) -> None:
    """Law 92D."""
    there = factories.federation(form=form)
    factories.give_ruling(there, factories.open_case(there))
    said = lines_of_text(letters(NoticeKind.RULING)["Birgit Ekestam"].text)
    assert {line for line in said if "stå bakom" in line} == ({words} if words else set())


def test_a_fee_is_said(sqlite: str) -> None:
    there = factories.federation(settings={"appeal_fee": 300})
    factories.give_ruling(there, factories.open_case(there))
    assert "Att överklaga kostar 300 kronor." in letters(NoticeKind.RULING)["Birgit Ekestam"].text


def test_a_jurys_decision_is_final_where_the_event_says_so(sqlite: str) -> None:
    """R38."""
    story = Story.begun(lk_open=False)
    story.rule()
    story.appeal()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    for half in both_halves(letters(NoticeKind.DECISION)["Birgit Ekestam"]):
        assert {"Beslutet är slutgiltigt", "I den här tävlingen är juryns beslut slutgiltigt."} <= half
        assert "Så överklagar du" not in half
        assert "Hur ledamöterna röstade" in half
        assert any("Göran Wiklund, ordförande: " in said for said in half)


def test_a_ruling_is_never_sent_without_the_way_to_appeal(database: str) -> None:
    """B2.60, R32: the block is computed and cannot be left out."""
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there))
    with uow(write=True) as session:
        for window in session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.APPEAL_WINDOW)):
            session.delete(window)
    with uow() as session:
        notice = session.exec(select(Notice)).all()[0]
        with pytest.raises(NoAppealRights):
            notices.message_for(session, notice.id, notice.due_at)


def test_a_mail_names_players_but_gives_nobodys_address(sqlite: str) -> None:
    """S-MAIL3: one recipient, and no contact data of others."""
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there))
    for letter in letters(NoticeKind.RULING).values():
        said = letter.text + letter.html
        assert "Lena Tvärås" in said
        assert "@lindvalla.example" not in said
        assert "08-000" not in said
        assert "Provgatan" not in said


def test_each_recipient_gets_his_own_link_only(sqlite: str) -> None:
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there))
    found = [re.findall(r"/l/\{link:([\w-]+)\}", letter.text) for letter in letters(NoticeKind.RULING).values()]
    assert all(len(tokens) == 1 for tokens in found)
    assert len({tokens[0] for tokens in found}) == 4


@pytest.mark.parametrize(
    "name", ["Eva\r\nBcc: x@evil.example", "Bo <script>alert(1)</script>", "=?utf-8?q?Bcc=3A?= Å", "Ö" * 80]
)
def test_odd_names_stay_words(sqlite: str, name: str) -> None:
    """S-MAIL1, E9: neither a header nor markup comes out of a name."""
    there = factories.federation(names={"north": name})
    factories.give_ruling(there, factories.open_case(there))
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.person_id == there.persons["north"])).one()
        letter = notices.message_for(session, notice.id, notice.due_at)
        message = build(letter, notice.due_at)
    headers = message.mime.partition(b"\r\n\r\n")[0]
    assert b"\r\nBcc" not in headers
    assert message.recipient == notice.address
    assert "<script" not in letter.html


def test_a_letter_says_the_same_on_paper(sqlite: str) -> None:
    """R37: others make and post it, so it opens nothing; it says how to answer and how to get a link of one's own."""
    there = factories.federation(without_mail=frozenset({"south"}))
    factories.give_ruling(there, factories.open_case(there))
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.person_id == there.persons["south"])).one()
        letter = notices.letter_for(session, notice.id, notice.due_at)
        mail = notices.message_for(session, notice.id, notice.due_at)
    paper = lines_of_html(letter.body)
    assert letter.recipient == "Arne Solvik"
    assert letter.address == ("Provgatan 13", "111 11 Lindvalla")
    assert "button" not in letter.body
    assert "Så överklagar du" in paper
    assert "http" not in letter.body
    instead = ("Om du vill yttra dig", "Skriv till förbundets kansli", "Du överklagar", "Båda i paret")
    only = paper - lines_of_html(mail.html)
    assert {line for line in only if not line.startswith(instead)} == {line for line in only if "exakta tiden" in line}
    assert len(only) == len(instead) + 2
