"""The pages that correct when a party was told: what it moves is shown before anything is saved (B1.14)."""

from datetime import timedelta

from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.models import DeadlineMove, Notice
from casework.domain.terms import Channel
from tests import factories
from tests.factories import START
from tests.story import Story
from tests.web.readers import browser


def story() -> Story:
    """North was told at the table, and has no mail."""
    without = frozenset({"north", "south"})
    begun = Story.begun(settings={"appeal_window": Span(10, Unit.days)}, without_mail=without)
    factories.publish_score(begun.there, at=START)
    begun.rule(told={begun.there.persons["north"]: START + timedelta(minutes=31)})
    begun.later(days=3)
    return begun


def moves() -> int:
    with uow() as session:
        return len(session.exec(select(DeadlineMove)).all())


def test_what_it_moves_is_shown_and_then_saved(sqlite: str) -> None:
    begun = story()
    client = browser(begun, "director")
    page = client.get(f"/arenden/{begun.case.case_id}/besked")
    link = next(a for a in page.select("main a") if "Rätta tiden" in "".join(a.itertext()))
    page = client.get(str(link.get("href")))
    assert page.h1 == "När fick Birgit Ekestam beskedet?"
    late = client.submit(page, "Se vad det flyttar", day="2026-12-24", right_at="12.00", because="Fel.", status=422)
    assert "framtiden" in late.text("main")
    check = client.submit(late, "Se vad det flyttar", day="2026-11-30", right_at="12.00", because="Fel dag.")
    shown = check.text("main")
    assert "tisdag 8 december 2026 kl. 23.59" in shown
    assert "torsdag 10 december 2026 kl. 23.59" in shown
    assert moves() == 0
    receipt = client.submit(check, "Rätta tiden")
    assert "Rättade när en part fick beskedet" in receipt.text("main")
    assert moves() == 1
    told = client.get(f"/arenden/{begun.case.case_id}/besked").text("main")
    assert "torsdag 10 december 2026 kl. 23.59" in told


def test_a_mail_servers_word_has_no_such_page(sqlite: str) -> None:
    begun = story()
    with uow() as session:
        mailed = session.exec(select(Notice.id).where(Notice.channel == Channel.MAIL)).first()
    browser(begun, "director").get(f"/arenden/{begun.case.case_id}/besked/{mailed}/ratta", status=404)
