"""The pages about times: standing still and going on, so much longer, and a publication that was earlier."""

import re

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.models import Deadline, Notice
from casework.domain.terms import AppealRoute, DeadlineKind, NoticeKind, Side
from casework.services import appeals, deadlines
from casework.services.appeals import AppealInput
from tests.kept import kept
from tests.story import Story
from tests.web.at_table import errors
from tests.web.readers import browser, case_page
from workers.handlers import DUTIES


@kept
def ten_days() -> Story:
    """Both sides have ten days to appeal a ruling, from 28 November: the last day is 8 December."""
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)})
    story.rule()
    story.publish()
    return story


@pytest.fixture
def story(sqlite: str) -> Story:
    return ten_days()


def url(story: Story, path: str) -> str:
    return f"/arenden/{story.case.case_id}/{path}"


def test_times_stand_still_and_go_on(story: Story) -> None:
    """The new last days are shown first; the case's page says that the time stands still, and then its new end."""
    office = browser(story, "office")
    page = office.get(url(story, "sta-still"))
    wrong = office.submit(page, "Se vad det flyttar", to_day="2026-11-20", ends="12.00", because="Sjukdom.", status=422)
    assert "Slutet måste ligga efter början" in errors(wrong)
    half = office.submit(wrong, "Se vad det flyttar", to_day="2026-12-05", ends="", status=422)
    assert "både dag och klockslag" in errors(half)
    check = office.submit(half, "Se vad det flyttar", to_day="", ends="")
    assert "tills någon låter den gå vidare" in check.text("main")
    assert "Tiden för par 7 står still." in office.submit(check, "Låt den stå still").text("main")
    assert "Tiden står still sedan" in case_page(story, "north").text("main")
    story.later(days=5)
    office = browser(story, "office")
    going = office.get(url(story, "ga-vidare"))
    assert "måndag 14 december 2026 kl. 23.59" in going.text("main")
    office.submit(going, "Låt tiderna gå vidare")
    party = case_page(story, "north").text("main")
    assert "måndag 14 december 2026 kl. 23.59" in party
    assert "då tiden står still" in party


def test_an_interval_shows_the_new_last_days(story: Story) -> None:
    office = browser(story, "office")
    page = office.get(url(story, "sta-still"))
    check = office.submit(page, "Se vad det flyttar", to_day="2026-12-01", ends="12.00", because="Sjukdom.")
    assert "fredag 11 december 2026 kl. 23.59" in check.text("main")  # 29 November to 1 December are not counted


def test_a_standstill_that_moves_nothing_says_so_before_it_is_saved(story: Story) -> None:
    """The day of the event itself is not counted anyway."""
    office = browser(story, "office")
    page = office.get(url(story, "sta-still"))
    nothing = office.submit(page, "Se vad det flyttar", to_day="2026-11-28", ends="20.00", because="Sjukdom.")
    assert "Ingenting: den går ut som förut." in nothing.text("main")
    moved = office.submit(page, "Se vad det flyttar", to_day="2026-12-01", ends="12.00", because="Sjukdom.")
    assert "Ingenting" not in moved.text("main")


def history(story: Story, key: str) -> str:
    """All that has happened, as somebody reads it."""
    return browser(story, key).get(f"/arenden/{story.case.case_id}?visa=allt").text(".timeline")


def test_each_time_given_stands_in_the_history_with_its_side_and_both_ends(story: Story) -> None:
    """What the check page promised; the reason is told to the side itself and to nobody on the other side."""
    story.prolong_by(Span(1, Unit.weeks))
    story.prolong_by(Span(1, Unit.weeks))
    for key in ("office", "north", "east"):
        said = history(story, key)
        for old, new in (("tisdag 8", "tisdag 15"), ("tisdag 15", "tisdag 22")):
            moved = f"flyttad från {old} december 2026 kl. 23.59 till {new} december 2026 kl. 23.59."
            assert f"Tid att överklaga, par 7: {moved}" in said
        assert ("Anteckningen kom sent." in said) == (key != "east")


def test_a_standstill_and_its_end_stand_in_the_history_with_both_ends(story: Story) -> None:
    """The old end stays, and what was left; both sides were told why."""
    story.stand_still(Side.NORTH_SOUTH)
    story.later(days=5)
    story.go_on()
    for key in ("office", "north", "east"):
        said = history(story, key)
        since = "lördag 28 november 2026 kl. 13.35"
        assert f"Tiden står still från {since} tills någon låter den gå vidare. Tid att överklaga, par 7:" in said
        assert "förut till tisdag 8 december 2026 kl. 23.59, nu utan slut. 10 dagar är kvar av den. Sjukdom." in said
        assert f"Tiden stod still från {since} till" in said
        assert "Tid att överklaga, par 7: nu till måndag 14 december 2026 kl. 23.59." in said


def test_a_party_cannot_stop_a_clock(story: Story) -> None:
    browser(story, "north").get(url(story, "sta-still"), status=403)


def test_so_much_longer_is_counted_from_the_unrolled_day(story: Story) -> None:
    """The old last day and what is counted from are both said, before and after it is saved."""
    director = browser(story, "director")
    party = story.case.party_ids[next(iter(story.case.party_ids))]
    page = director.get(url(story, f"mer-tid/{party}"))
    both = director.submit(
        page, "Fortsätt till kontrollen", number="2", unit="weeks", until="12.00", because="Kö.", status=422
    )
    assert "ett av de två" in errors(both)
    check = director.submit(both, "Fortsätt till kontrollen", until="")
    said = "2 veckor till har getts, räknat från tisdag 8 december 2026"
    assert said in check.text("main")
    assert "tisdag 22 december 2026 kl. 23.59" in check.text("main")
    receipt = director.submit(check, "Ge längre tid att överklaga").text("main")
    assert "Tiden för par 7 går ut tisdag 22 december 2026 kl. 23.59." in receipt
    assert said in director.get(url(story, "besked")).text("main")


def test_more_time_until_a_day_is_the_whole_day(story: Story) -> None:
    """Moved as every last day is; what was said before it stays, and the check page shows both."""
    director = browser(story, "director")
    party = story.case.party_ids[next(iter(story.case.party_ids))]
    page = director.get(url(story, f"mer-tid/{party}"))
    early = director.submit(page, "Fortsätt till kontrollen", day="2026-12-01", because="Kö.", status=422)
    assert "efter den gamla" in early.text(".field-wrong")
    check = director.submit(early, "Fortsätt till kontrollen", day="2026-12-19")
    shown = check.text("main")
    assert "måndag 21 december 2026 kl. 23.59" in shown
    said = (
        "Sista dagen är tisdag 8 december 2026, en vardag, och flyttas inte. Sedan har mer tid getts, till lördag 19 "
        "december 2026. Det är en lördag. Därför flyttas sista dagen till måndag 21 december 2026."
    )
    assert said in shown
    director.submit(check, "Ge längre tid att överklaga")
    assert said in director.get(url(story, "besked")).text("main")
    again = director.get(url(story, f"mer-tid/{party}"))
    assert "räknat från lördag 19 december 2026" in director.submit(
        again, "Fortsätt till kontrollen", number="1", unit="weeks", because="Kö igen."
    ).text("main")


def test_an_earlier_publication_cuts_nothing_that_was_told(sqlite: str) -> None:
    """What is recorded is put right; a side that was told a later time keeps it, which is said before and after."""
    story = Story.begun()
    story.rule()
    story.publish()
    told = case_page(story, "north").text(".deadline")
    director = browser(story, "director")
    page = director.get(f"/tavlingar/omgangar/{story.there.session_id}/resultat")
    check = director.submit(page, "Fortsätt till kontrollen", day="2026-11-28", published_at="13.31")
    assert "får lita på" in check.text("main")
    director.submit(check, "Skriv in när resultatet visades")
    kept = case_page(story, "north").text(".deadline")
    assert "den senare tiden står kvar" in kept
    assert kept[:60] == told[:60]


def test_telling_in_the_future_is_an_error_at_the_field(story: Story) -> None:
    director = browser(story, "director")
    page = director.get(url(story, "besked/las-upp"))
    person = str(story.there.persons["north"])
    late = director.submit(
        page, "Anteckna att de har fått beskedet", persons=[person], day="2026-12-24", told_at="12.00", status=422
    )
    assert "framtiden" in late.text(".field-wrong")


def test_a_call_and_a_demand_say_how_many_are_told(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose("juror_1", "juror_2", "juror_3")
    chief = browser(story, "organiser").get(url(story, "sammantrade/kalla")).text("main")
    assert "8 personer får besked: 8 med e-post" in chief


def test_the_warned_side_reads_the_words_of_the_warning(story: Story) -> None:
    """What was said of the grounds stands on the page of the side that was told, and on no other side's."""
    story.appeal()
    story.warn()
    assert "Så sades det: Vid bordet." in case_page(story, "north").text("main")
    assert "Vid bordet" not in case_page(story, "east").text("main")


def test_who_may_not_stop_the_times_that_run_is_told_whose_it_is(sqlite: str) -> None:
    """The director's own proceeding has no time left; those that run are of the Law Commission's."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.later(days=1)
    DUTIES.sweep(story.at)
    text = browser(story, "director").get(url(story, "sta-still"), status=403).text("main")
    assert "Det här är inte din uppgift: Låt en tid stå still. Det gör:" in text
    assert "kansli" in text
    assert "Här löper ingen tid" not in text


def test_an_appeal_that_was_noted_for_a_side_runs_from_when_it_came(sqlite: str) -> None:
    """The forwarding time and the history say what the form says, and for whom it was."""
    story = Story.begun()
    story.rule()
    story.publish()
    came = story.later(minutes=3)
    story.later(minutes=1)
    entered = AppealInput(
        party_id=story.case.party_ids[Side.NORTH_SOUTH],
        wants="4♥ jämna.",
        lodged_by=story.there.persons["north"],
        lodged_at=came,
    )
    ruling, director = story.newest(), story.actors["director"]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, director, entered, now=story.at))
    with uow() as session:
        forward = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.FORWARD_APPEAL)).one()
    assert forward.base == came
    assert "Det gjordes för par 7." in case_page(story, "director").text("main")


def test_a_later_publication_shows_what_it_moves_opens_and_tells(sqlite: str) -> None:
    """Old and new time, that the ruling is no longer final, and who is told: as when a time is corrected."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.later(minutes=40)
    DUTIES.sweep(story.at)
    story.write(lambda session: deadlines.advance(session, story.case.case_id, story.at))
    director = browser(story, "director")
    form = director.get(f"/tavlingar/omgangar/{story.there.session_id}/resultat")
    check = director.submit(form, "Fortsätt till kontrollen")
    text = check.text("main")
    assert "Som det är nu" in text
    assert "Som det blir" in text
    assert "1 domslut som var slutligt är inte längre slutligt." in text
    said = re.search(r"(\d+) meddelanden till", text)
    director.submit(check, "Skriv in när resultatet visades")
    with uow() as session:
        kinds = (NoticeKind.WINDOW_OPEN, NoticeKind.NO_LONGER_FINAL)
        sent = session.exec(select(Notice).where(col(Notice.kind).in_(kinds), Notice.due_at >= story.at)).all()
    assert said is not None
    assert int(said[1]) == len(sent) == 5
