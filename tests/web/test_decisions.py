"""The panel alone, in the browser: notes, the blind vote, the decision (R3, R5, R33-R36, U12, U13)."""

from typing import Any

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import now
from casework.domain.models import Appeal, Attendance, Decision, FormReceipt, Notice
from casework.domain.terms import NoticeKind, Position
from casework.services import decisions, hearings
from tests.factories import federation
from tests.juries import JURORS, JuryCase, answer, called, composed, heard, vote
from tests.page import Page, PageClient
from tests.web.panels import AGO, at, browser, by_link, rows

pytestmark = pytest.mark.usefixtures("sqlite")

WRITTEN = {
    "operative": "Domslutet står fast.",
    "outcome_1": "rejected",
    "score": "assigned",
    "facts": "Nord tänkte länge och passade.",
    "reasons": "Pass var ett logiskt alternativ.",
    "laws": "16B1, 12C1",
}


def deliberating(**options: Any) -> JuryCase:
    """The panel is alone."""
    return heard(federation(**options), at=now() - AGO)


def counted(case: JuryCase, *positions: Position) -> JuryCase:
    """All have voted and the vote is closed."""
    for who, position in zip(JURORS, positions or (Position.CONFIRM,) * 3, strict=True):
        vote(case, who, position, "Pausen var kort." if position is Position.CHANGE else "")
    case.do(decisions.close_ballot, "juror_1", 22)
    return case


def write(client: PageClient, case: JuryCase, *, status: int = 200, **changes: Any) -> Page:
    """Fill in the decision and go on to the check page."""
    fields: dict[str, Any] = WRITTEN | changes
    return client.submit(client.get(at(case, "beslut/skriv")), "Kontrollera och skriv under", status=status, **fields)


def test_the_room_shows_the_papers_and_says_who_reads_each_box() -> None:
    """U12."""
    case = deliberating()
    page = by_link(case, "juror_2").get(at(case, "overlaggning"))
    assert page.h1 == "Överläggning om bricka 18"
    assert "Resultatet ändras till 4" in rows(page)
    assert "Ingen paus." in rows(page)
    assert page.text(".reader-private .readers") == "Bara du läser detta"
    assert page.text(".reader-shared .readers") == "Läses av de 3 ledamöterna"
    assert page.text(".steps [aria-current]").startswith("Överläggning")


def test_notes_are_kept_where_they_were_written() -> None:
    """S-AC4."""
    case = deliberating()
    client = by_link(case, "juror_2")
    page = client.get(at(case, "overlaggning"))
    assert "Skriv anteckningen" in client.submit(page, "Spara anteckningen", status=422).text(".error-summary")
    client.submit(page, "Spara anteckningen", own_note="Fråga om pausen.")
    page = client.submit(client.get(at(case, "overlaggning")), "Dela anteckningen", shared_note="Pausen är tydlig.")
    assert "Fråga om pausen." in rows(page)
    other = by_link(case, "juror_3").get(at(case, "overlaggning"))
    assert "Fråga om pausen." not in other.html
    assert "Pausen är tydlig." in rows(other)
    assert "Inga Bergdal" in rows(other)


def test_a_note_sent_twice_is_kept_once_and_the_next_is_kept_too() -> None:
    """R-DBL1: each box is a form of its own."""
    case = deliberating()
    client = by_link(case, "juror_2")
    page = client.get(at(case, "overlaggning"))
    client.submit(page, "Spara anteckningen", own_note="En gång.")
    after = client.submit(page, "Spara anteckningen", own_note="En gång.")
    assert rows(after).count("En gång.") == 1
    wrong = client.submit(after, "Dela anteckningen", shared_note="", status=422)
    client.submit(wrong, "Spara anteckningen", own_note="Nästa.")
    done = client.submit(wrong, "Dela anteckningen", shared_note="Gemensam.")
    assert "Nästa." in rows(done)
    assert "Gemensam." in rows(done)


def test_the_vote_is_blind_on_every_page_until_it_is_closed() -> None:
    """U13: how many, never who or how; not on the case page, its history or the list either."""
    case = deliberating()
    client = by_link(case, "juror_2")
    page = client.submit(
        client.get(at(case, "overlaggning")), "Lägg din röst", position="change", dissent="Pausen var kort."
    )
    assert "1 av 3 har röstat. Du har röstat." in rows(page)
    assert not page.has("input[value=change]")
    readers = [by_link(case, "juror_1"), by_link(case, "juror_2")]
    readers += [browser(case.there, who) for who in ("director", "office", "north")]
    for reader in readers:
        assert reader.raw(at(case, "").rstrip("/")).status_code == 200
        for place in ("", "overlaggning", "sammantrade", "beslut/skriv", "overlaggning/roster-i-rummet"):
            text = reader.raw(at(case, place).rstrip("/"), follow_redirects=True).get_data(as_text=True)
            assert "Pausen var kort." not in text, place
            assert "Ändra beslutet" not in text, place
    chair = by_link(case, "juror_1").get(at(case, "overlaggning"))
    assert "Inte än: Stäng omröstningen" in rows(chair)
    assert "Nej, ändra" not in rows(chair).replace(chair.text("fieldset.ballot"), "")


def test_an_empty_vote_is_asked_for_a_choice() -> None:
    case = deliberating()
    client = by_link(case, "juror_2")
    page = client.submit(client.get(at(case, "overlaggning")), "Lägg din röst", dissent="Text som är kvar", status=422)
    assert "Välj hur du röstar" in page.text(".error-summary")
    assert page.values("Lägg din röst")["dissent"] == ["Text som är kvar"]


def test_a_second_vote_from_another_tab_is_refused() -> None:
    case = deliberating()
    client = by_link(case, "juror_2")
    page, stale = client.get(at(case, "overlaggning")), client.signed_in_copy().get(at(case, "overlaggning"))
    client.submit(page, "Lägg din röst", position="confirm")
    again = client.submit(stale, "Lägg din röst", position="change", status=403)
    assert "Du har redan röstat" in again.text(".error-summary")


def test_the_chair_closes_the_vote_and_the_panel_sees_it() -> None:
    case = deliberating()
    for who, position in zip(JURORS, (Position.CONFIRM, Position.CHANGE, Position.CONFIRM), strict=True):
        vote(case, who, position, "Pausen var kort." if position is Position.CHANGE else "")
    chair = by_link(case, "juror_1")
    chair.submit(chair.get(at(case, "overlaggning")), "Stäng omröstningen och visa rösterna")
    member = by_link(case, "juror_3").get(at(case, "overlaggning"))
    assert "Inga Bergdal" in member.text(".ballot")
    assert "Pausen var kort." in member.text(".ballot")
    assert not member.has(f'a[href="{at(case, "beslut/skriv")}"]')


def test_the_vote_from_the_room_is_recorded_by_name() -> None:
    case = deliberating()
    client = by_link(case, "juror_1")
    page = client.get(at(case, "overlaggning/roster-i-rummet"))
    seats = [case.seat(who).hex for who in JURORS]
    fields: dict[str, Any] = {f"position_{seat}": "confirm" for seat in seats[:2]}
    wrong = client.submit(page, "Spara rösterna", status=422, **fields)
    assert "Välj hur Sten Oskarsson röstade" in wrong.text(".error-summary")
    last: dict[str, Any] = {f"position_{seats[2]}": "change", f"dissent_{seats[2]}": "Pausen var kort."}
    done = client.submit(wrong, "Spara rösterna", **last)
    assert "Rösterna lämnades i rummet" in rows(done)
    assert "Pausen var kort." in rows(done)
    by_link(case, "juror_2").get(at(case, "overlaggning/roster-i-rummet"), status=404)


def test_a_split_vote_is_taken_again() -> None:
    case = counted(deliberating(), Position.CONFIRM, Position.CHANGE, Position.DISMISS)
    client = by_link(case, "juror_1")
    page = client.submit(client.get(at(case, "overlaggning")), "Rösta om")
    assert "0 av 3 har röstat" in rows(page)


@pytest.mark.parametrize("who", ["director", "organiser", "office", "north", "lk_chair", "lk_1"])
@pytest.mark.parametrize("place", ["overlaggning", "beslut/skriv", "overlaggning/roster-i-rummet"])
def test_nobody_but_the_panel_is_in_its_room(who: str, place: str) -> None:
    """S-AC4."""
    case = counted(deliberating())
    browser(case.there, who).get(at(case, place), status=404)


def test_a_member_who_is_recused_is_out_of_the_room_at_once() -> None:
    """S-AC5."""
    case = deliberating()
    client = by_link(case, "juror_3")
    page = client.get(at(case, "overlaggning"))
    case.do(hearings.decide_conflict, "organiser", 30, seat_id=case.seat("juror_3"), recused=True, because="Släkt.")
    client.get(at(case, "overlaggning"), status=404)
    client.submit(page, "Lägg din röst", position="confirm", status=404)
    client.submit(page, "Spara anteckningen", own_note="x", status=404)


def test_the_chair_writes_checks_and_signs() -> None:
    """U3, U5, R32, R36: who is told and the way on stand there before the signature."""
    case = counted(deliberating())
    client = by_link(case, "juror_1")
    page = client.get(at(case, "beslut/skriv"))
    begun = page.values("Kontrollera och skriv under")
    assert begun["facts"] == ["Nord tänkte länge och passade. Syd bjöd 4♠."]
    assert begun["laws"] == ["16B1"]
    assert begun["outcome_1"] == ["rejected"]
    check = write(client, case)
    assert check.h1 == "Kontrollera och skriv under"
    for words in ("Domslutet står fast.", "Avsl", "Ingen påföljd", "lag 12C1", "Arne Solvik", "Lagkommissionen",
                  "10 dagar"):  # fmt: skip
        assert words in rows(check), words
    changed = client.submit(check, "Ändra texten")
    assert changed.values("Kontrollera och skriv under")["operative"] == ["Domslutet står fast."]
    check = client.submit(changed, "Kontrollera och skriv under", operative="Domslutet står fast.\n\nRad två.")
    receipt = client.submit(check, "Skriv under beslutet")
    assert receipt.h1 == "Beslutet är undertecknat"
    assert case.opened.number in rows(receipt)
    assert "Birgit Ekestam, med e-post" in rows(receipt)
    with uow() as session:
        signed = session.exec(select(Decision).where(Decision.proceeding_id == case.proceeding_id)).one()
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.DECISION)).all()
    assert signed.operative == "Domslutet står fast.\n\nRad två."
    assert len(told) == 4


def test_a_jurors_link_opens_nothing_but_the_receipt_after_the_decision() -> None:
    case = counted(deliberating())
    chair, member = by_link(case, "juror_1"), by_link(case, "juror_2")
    receipt = chair.submit(write(chair, case), "Skriv under beslutet")
    for client in (chair, member):
        for place in ("overlaggning", "sammantrade", "beslut/skriv", "jav"):
            client.get(at(case, place), status=404)
    assert chair.get(receipt.path).h1 == receipt.h1
    member.get(receipt.path, status=404)


def test_signing_twice_signs_once() -> None:
    """R-DBL1: the second press leads to the same receipt, though the link opens the case no more."""
    case = counted(deliberating())
    client = by_link(case, "juror_1")
    check = write(client, case)
    client.submit(check, "Skriv under beslutet")
    again = client.submit(check, "Skriv under beslutet")
    assert again.h1 == "Beslutet är undertecknat"
    with uow() as session:
        signed = session.exec(select(Decision).where(Decision.proceeding_id == case.proceeding_id)).all()
        receipts = session.exec(select(FormReceipt).where(FormReceipt.action == "decide_appeal")).all()
    assert (len(signed), len(receipts)) == (1, 1)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"operative": ""}, "Skriv vad som beslutas"),
        ({"facts": ""}, "Skriv vad som har hänt"),
        ({"reasons": ""}, "Skriv skälen"),
        ({"laws": ""}, "Skriv vilka lagar"),
        ({"laws": "16B1, 99Z"}, "Lag 99Z finns inte"),
        ({"score": ""}, "Välj vad resultatet blir"),
        ({"with_sanction": "yes"}, "Skriv påföljden"),
        ({"reasons": "Syd 811218-9876"}, "Ta bort personnumret"),
    ],
)
def test_what_is_missing_is_said_and_the_rest_is_kept(changes: dict[str, str], said: str) -> None:
    case = counted(deliberating())
    page = write(by_link(case, "juror_1"), case, status=422, **changes)
    assert said in page.text(".error-summary")
    assert page.values("Kontrollera och skriv under")["operative"] == [changes.get("operative", "Domslutet står fast.")]


def test_an_outcome_against_the_vote_is_refused_and_nothing_is_lost() -> None:
    case = counted(deliberating())
    client = by_link(case, "juror_1")
    page = write(client, case, outcome_1="granted", score_detail="4♠ av Syd, nio stick", status=403)
    assert "Utgången stämmer inte med omröstningen" in page.text(".error-summary")
    assert "Utgången stämmer inte med omröstningen" in page.text("#outcome_1-error")
    assert page.values("Kontrollera och skriv under")["reasons"] == ["Pass var ett logiskt alternativ."]


def test_a_confirmed_decision_keeps_the_result_that_it_made() -> None:
    case = counted(deliberating())
    page = write(by_link(case, "juror_1"), case, score="result_stands", status=403)
    assert "resultatet blir det som det fastställda beslutet gav: ”Tilldelad poäng”" in page.text("#score_detail-error")


def test_a_granted_appeal_without_merit_is_refused_at_its_box() -> None:
    """R35."""
    case = counted(deliberating(), *[Position.CHANGE] * 3)
    client = by_link(case, "juror_1")
    page = write(
        client, case, outcome_1="granted", merit_1=True, score_detail="4♠ av Syd", score="assigned", status=422
    )
    assert "Ett överklagande som bifalls är inte grundlöst" in page.text("#merit_1-error")


def test_a_decision_that_contradicts_itself_is_refused_before_it_is_checked() -> None:
    case = counted(deliberating())
    client = by_link(case, "juror_1")
    page = write(client, case, score_detail="4♠ av Syd, nio stick", status=403)
    assert "Inget överklagande bifalls, men resultatet ändras" in page.text(".error-summary")
    check = client.submit(page, "Kontrollera och skriv under", changes_anyway="Poängen var felräknad.")
    assert "Poängen var felräknad." in rows(check)


def test_a_page_that_is_no_longer_current_is_shown_again() -> None:
    case = counted(deliberating())
    client = by_link(case, "juror_1")
    check = write(client, case)
    case.do(hearings.decide_conflict, "organiser", 30, seat_id=case.seat("juror_3"), recused=True, because="Släkt.")
    page = client.submit(check, "Skriv under beslutet", status=403)
    assert "En jävig ledamot har röstat" in rows(page)


def test_no_decision_can_be_written_where_a_party_was_not_heard() -> None:
    case = counted(deliberating())
    with uow(write=True) as session:
        row = session.exec(select(Attendance)).first()
        assert row is not None
        row.present = False
        session.add(row)
    page = by_link(case, "juror_1").get(at(case, "beslut/skriv"))
    assert "Inte än: Skriv under beslutet. Inget visar att kallelsen har nått" in rows(page)
    assert not page.has("form")


def test_a_late_appeal_is_tried_or_dismissed_with_reasons() -> None:
    case = counted(deliberating(), *(Position.DISMISS,) * 3)
    with uow(write=True) as session:
        row = session.exec(select(Appeal)).one()
        row.in_time = False
        session.add(row)
    client = by_link(case, "juror_1")
    assert "Det kom in för sent" in rows(client.get(at(case, "overlaggning")))
    page = write(client, case, outcome_1="dismissed", status=422)
    assert "Välj om det sena överklagandet prövas" in page.text(".error-summary")
    assert "Skriv varför det sena överklagandet prövas" in page.text(".error-summary")
    check = client.submit(
        page, "Kontrollera och skriv under", late_1="no", late_reason="Två timmar för sent utan skäl."
    )
    assert "Kom in för sent, prövas inte" in rows(check)
    client.submit(check, "Skriv under beslutet")
    with uow() as session:
        assert session.exec(select(Appeal)).one().found_in_time is False


def test_the_directors_warning_travels_with_the_case() -> None:
    """R33, R34."""
    case = counted(deliberating())
    with uow(write=True) as session:
        row = session.exec(select(Appeal)).one()
        row.warned_at, row.warned_by, row.warned_how = now(), case.there.persons["director"], "Vid bordet."
        session.add(row)
    client = by_link(case, "juror_1")
    for place in ("overlaggning", "beslut/skriv"):
        assert "Tävlingsledaren har sagt till par 7" in rows(client.get(at(case, place)))
    check = write(client, case, merit_1=True)
    assert "Grundlöst." in rows(check)
    client.submit(check, "Skriv under beslutet")
    with uow() as session:
        assert session.exec(select(Appeal)).one().without_merit is True


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "varken avgift eller poängstraff"),
        ({"appeal_fee": 300}, "Avgiften på 300 kronor behålls"),
        ({"penalty_without_merit": 25}, "poängstraff på 25 % av en topp"),
    ],
)
def test_what_follows_without_merit_is_what_the_profile_allows(values: dict[str, int], said: str) -> None:
    """R35."""
    case = counted(deliberating(settings=values))
    page = by_link(case, "juror_1").get(at(case, "beslut/skriv"))
    assert said in rows(page)
    assert page.has("[name=merit_detail]") is bool(values)


def test_a_final_decision_says_so_before_it_is_signed() -> None:
    """R38."""
    case = counted(deliberating(lk_open=False))
    client = by_link(case, "juror_1")
    check = write(client, case)
    assert "kan juryns beslut inte överklagas" in rows(check)
    assert "Beslutet är slutgiltigt" in rows(client.submit(check, "Skriv under beslutet"))


def test_the_dissent_is_carried_into_the_decision() -> None:
    case = counted(deliberating(), Position.CONFIRM, Position.CHANGE, Position.CONFIRM)
    page = by_link(case, "juror_1").get(at(case, "beslut/skriv"))
    assert page.values("Kontrollera och skriv under")["dissent"] == ["Inga Bergdal: Pausen var kort."]


def test_the_room_is_closed_before_a_member_has_answered() -> None:
    case = composed(federation(), at=now() - AGO)
    by_link(case, "juror_1").get(at(case, "overlaggning"), status=404)
    answer(case, "juror_1")
    assert by_link(case, "juror_1").get(at(case, "overlaggning")).h1 == "Överläggning om bricka 18"


def test_no_ballot_stands_in_the_room_before_the_hearing_is_closed() -> None:
    case = called(federation(), at=now() - AGO)
    page = by_link(case, "juror_1").get(at(case, "overlaggning"))
    assert not page.has(".ballot")
    assert page.has(".reader-private")
