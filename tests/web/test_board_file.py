"""A board from a file in the browser: read, chosen, looked at, taken; the bytes kept as evidence (R27)."""

import io
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from casework.domain.bridge.board import Board
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.notation import Seat
from casework.domain.models import Attachment, BoardRecord
from tests import board_files
from tests.factories import Federation, OpenCase
from tests.page import Page, PageClient
from tests.web import signing
from tests.web.at_table import errors, main, rows, url

READ, TAKE, SHOW = "Läs in", "Använd brickan", "Visa"
EVIDENCE = "Filen som brickan hämtades ur"
SWEDISH_WINDOWS = (board_files.PBN + '[DoubleDummyTricks "87654"]\n').encode("cp1252")


def upload(phone: PageClient, case: OpenCase, data: bytes, name: str = "kväll.pbn", *, status: int = 200) -> Page:
    """Send a file."""
    form = phone.get(url(case, "domslut/underlag/fil"))
    return phone.submit(form, READ, status=status, files=(io.BytesIO(data), name))


def paste(phone: PageClient, case: OpenCase, text: str, *, status: int = 200) -> Page:
    """Send a text."""
    return phone.submit(phone.get(url(case, "domslut/underlag/fil")), READ, status=status, pasted=text)


def newest() -> Board:
    """The board as it was last filed."""
    return Board.from_json(max(rows(BoardRecord), key=lambda record: record.filed_at).board)


def links(reader: PageClient, case: OpenCase) -> dict[str, str | None]:
    """The links of the case's page by their words."""
    return {"".join(link.itertext()): link.get("href") for link in reader.get(url(case, "")[:-1]).select("a")}


def test_every_format_becomes_the_board_of_the_case(phone: PageClient, case: OpenCase) -> None:
    """Told apart by what is in it, uploaded or pasted; the bytes are kept as they came."""
    whole = read_file(board_files.PBN.encode()).records[0].board
    for data in (SWEDISH_WINDOWS, *(getattr(board_files, name).encode() for name in ("RUTER", "LIN"))):
        shown = upload(phone, case, data, "utan ändelse")
        assert shown.has(".hands")
        assert "av Väst, 2 straff" in main(shown)
        assert "Uppgifterna är sparade." in phone.submit(shown, TAKE).text()
        taken = newest()
        assert (taken.deal, taken.auction, taken.contract, taken.declarer, taken.tricks, taken.number) == (
            whole.deal, whole.auction, whole.contract, Seat.west, 8, 18,
        )  # fmt: skip
        assert sha256(data).hexdigest() in {file.sha256 for file in rows(Attachment) if file.statement_id}


def test_play_and_claim_are_seen_before_they_are_taken_and_stay_where_the_next_file_has_none(
    phone: PageClient, case: OpenCase
) -> None:
    played = board_files.LIN.replace("mc|", "pc|S4|pc|S2|pc|SA|pc|S3|pg||pc|CA|mc|")
    shown = paste(phone, case, played)
    assert ["".join(card.itertext()).split() for card in shown.select(".play .won")] == [
        ["♠\ufe0e", "spader", "E", "vann", "sticket"]
    ]
    assert "stick 2" in shown.text(".claim")
    phone.submit(shown, TAKE)
    filed = newest()
    assert (filed.play is not None, filed.claim is not None) == (True, True)
    again = paste(phone, case, board_files.PBN)
    assert "spel och anspråk" in main(again)
    assert again.has(".play")
    phone.submit(again, TAKE)
    assert (newest().play, newest().claim) == (filed.play, filed.claim)
    other = paste(phone, case, board_files.PBN.replace('"4H"', '"3H"'))
    assert not other.has(".play")
    assert "ersätts: kontrakt och resultat; spel och anspråk" in main(other)


def test_what_a_file_lacks_stays_as_it_was_filed(phone: PageClient, case: OpenCase) -> None:
    """USEBIO has hands only; an XML file is fetched, never opened as a page."""
    phone.submit(paste(phone, case, board_files.PBN), TAKE)
    shown = upload(phone, case, board_files.USEBIO.encode(), "kväll.xml")
    assert "står kvar som det är sparat: budgivningen" in main(shown)
    phone.submit(shown, TAKE)
    assert newest().auction is not None
    (file,) = rows(Attachment, Attachment.name == "kväll.xml")
    with phone.raw(url(case, f"bilagor/{file.id}")) as answer:
        assert answer.data == board_files.USEBIO.encode()
        assert answer.mimetype == "application/octet-stream"
        assert answer.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (board_files.PBN.replace("J3.AQJ964", "J.AQJ964").encode(), "rad 5, bricka 18: väst har 12 kort"),
        (board_files.PBN.replace("J832.KJT75", "J882.KJT75").encode(), "ruter 8"),
        (board_files.LIN_TWO_HANDS.encode(), "tre eller fyra händer"),
        (b'[Board "18"]\n\0\0', "rad 2"),
        (b'[Board "18"]\n' + b" " * (5 * 1024 * 1024), "5 mb"),
        (b"%PDF-1.7", "pdf"),
        ("Några ord om en bricka.".encode(), "rad 1"),
        (b"<USEBIO><EVENT>", "rad 1"),
        (b"", "filen är tom"),
    ],
    ids=["51 cards", "a card twice", "two hands", "zero bytes", "too large", "pdf", "prose", "broken xml", "empty"],
)  # fmt: skip
def test_a_bad_file_says_why_at_its_field(phone: PageClient, case: OpenCase, data: bytes, words: str) -> None:
    page = upload(phone, case, data, status=422)
    page.response.request.environ["wsgi.input"].close()  # a large one is on disk
    assert words in errors(page).lower()
    assert page.has("#files-error")
    assert rows(Attachment) == []


def test_a_bad_text_stays_in_its_field(phone: PageClient, case: OpenCase) -> None:
    text = board_files.PBN.replace("J832.KJT75", "J882.KJT75")
    page = paste(phone, case, text, status=422)
    assert "ruter 2" not in errors(page)
    assert page.values(READ)["pasted"] == [text]
    assert phone.submit(page, READ, pasted=board_files.PBN).has(".hands")


def test_a_text_that_is_too_large_is_told_the_limit_of_its_field(phone: PageClient, case: OpenCase) -> None:
    """Not the limit of everything that is sent; and one that is nearly as large is read."""
    for megabytes, words in ((5.1, "Texten får vara högst 5 MB"), (4.9, "det här är ingen fil med brickor")):
        page = paste(phone, case, "x" * int(megabytes * 1024 * 1024), status=422)
        page.response.request.environ["wsgi.input"].close()  # a large one is on disk
        assert words in page.text("#pasted-error")


def test_what_turns_writing_round_is_not_shown(phone: PageClient, case: OpenCase) -> None:
    shown = paste(phone, case, board_files.PBN.replace("Höst", "\u202eHö\u2066st\x1b"))
    assert "Höstbrickan" in main(shown)


def test_the_cases_own_board_comes_first_and_another_needs_a_reason(phone: PageClient, case: OpenCase) -> None:
    shown = paste(phone, case, board_files.OTHER + "\n" + board_files.PBN)
    assert [node.text for node in shown.select("select option")] == ["Bricka 18 (rad 10)", "Bricka 3 (rad 1)"]
    assert shown.values(SHOW)["spel"] == ["2"]
    other = phone.submit(shown, SHOW, spel="1")
    assert "Ärendet gäller bricka 18, i filen är det bricka 3." in main(other)
    assert "I filen är det bricka 3. Den används som ärendets bricka 18." in main(other)
    assert (shown.text(".board-box .number"), other.text(".board-box .number")) == ("18", "3")
    refused = phone.submit(other, TAKE, status=422)
    assert "skriv varför" in errors(refused)
    assert rows(BoardRecord) == []
    phone.submit(refused, TAKE, as_played=True, because="Filen räknar brickorna från ett.")
    (record,) = rows(BoardRecord)
    assert (record.number, record.board["dealer"]) == (18, "S")
    assert set(record.board["because"]) == {"number", "dealer", "vulnerability"}


def test_the_results_of_all_tables_are_seen_with_their_lines(phone: PageClient, case: OpenCase) -> None:
    """An artificial score and a bye too, which the score editor leaves out."""
    told = main(paste(phone, case, board_files.RUTER))
    first = 1 + board_files.RUTER[: board_files.RUTER.index("1 1 1 9")].count("\n")
    for row in (
        f"Rad {first}: bord 1: 4♥ hjärter av Väst −2, +100",
        f"Rad {first + 3}: bord 4: A+ / A−",
        f"Rad {first + 4}: bord 5: Bye (räknas inte med)",
    ):
        assert row in told


def test_what_is_odd_is_taken_as_it_is_written(phone: PageClient, case: OpenCase) -> None:
    """An auction that gives another contract, and a score that does not fit, with the lines where they stand."""
    odd = board_files.PBN.replace('"4H"', '"3H"').replace("[Auction", '[Score "NS 620"]\n[Auction')
    shown = paste(phone, case, odd)
    assert "Rad 7: Budgivningen ger kontraktet 4♥" in main(shown)
    assert phone.submit(shown, TAKE, status=422).has(".error-summary")
    phone.submit(shown, TAKE, as_played=True, because="Så står det i filen.")
    assert (str(newest().contract), newest().ns_score) == ("3H", 620)
    recorded = phone.get(url(case, "bricka")).text(".oddities")
    assert recorded.count("Så står det i filen.") == 1
    assert "Budgivningen ger kontraktet 4♥" in recorded.replace("\N{VARIATION SELECTOR-15}", "")


def test_a_double_click_takes_it_once(phone: PageClient, case: OpenCase) -> None:
    shown = paste(phone, case, board_files.PBN)
    phone.submit(shown, TAKE)
    assert "/kvitto/" in phone.submit(shown, TAKE).path
    assert (len(rows(BoardRecord)), len(rows(Attachment))) == (1, 1)


def test_the_whole_file_is_for_those_who_decide_and_the_parties_know_that_it_is_there(
    app: Flask, there: Federation, phone: PageClient, case: OpenCase
) -> None:
    """It may hold other boards and double dummy: parties, organiser and office have its name, hash and the board."""
    shown = upload(phone, case, SWEDISH_WINDOWS)
    (file,) = rows(Attachment)
    north = signing.party(app, there, case, "north")
    assert north.raw(url(case, f"bilagor/{file.id}")).status_code == 404  # a draft is its uploader's
    assert north.raw(shown.path).status_code in (403, 404)
    assert "Bara ärendets tävlingsledare och panelen läser själva filen" in main(shown)
    phone.submit(shown, TAKE)
    with phone.raw(url(case, f"bilagor/{file.id}")) as answer:
        assert answer.data == SWEDISH_WINDOWS
    for reader in (north, signing.official(app, there, "organiser"), signing.official(app, there, "office")):
        refused = reader.raw(url(case, f"bilagor/{file.id}"))
        assert refused.status_code == 403
        assert b"Bara \xc3\xa4rendets t\xc3\xa4vlingsledare" in refused.data
        assert b"DoubleDummy" not in reader.raw(url(case, "bricka.pbn")).data
        paper = reader.get(str(links(reader, case)[EVIDENCE]))
        for known in ("kväll.pbn", sha256(SWEDISH_WINDOWS).hexdigest()[:32], "Spel 1 i filen"):
            assert known in main(paper)
        assert not paper.select(f'a[href*="bilagor/{file.id}"]')
    stranger = PageClient(app)
    assert stranger.raw(url(case, f"bilagor/{file.id}")).status_code != 200
    assert stranger.raw(url(case, "bricka.pbn")).status_code != 200
    assert phone.get(str(links(phone, case)[EVIDENCE])).select(f'a[href*="bilagor/{file.id}"]')


def test_a_downloaded_board_reads_back_the_same(phone: PageClient, case: OpenCase) -> None:
    assert phone.raw(url(case, "bricka.pbn")).status_code == 404
    phone.submit(paste(phone, case, board_files.PBN), TAKE)
    answer = phone.raw(url(case, "bricka.pbn"))
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert read_file(answer.data).records[0].board == newest()


def test_a_score_table_is_in_the_editor_when_it_is_opened(phone: PageClient, case: OpenCase) -> None:
    phone.submit(upload(phone, case, board_files.RUTER.encode(), "ruter.pbn"), TAKE)
    editor = phone.get(url(case, "poang"))
    assert editor.values("Räkna")["frequency"][0].splitlines() == ["+100 x 2", "−420", "60 % / 40 %"]
    assert "Ifyllt ur filen ruter.pbn" in main(editor)
    assert "1 bord i filen har inget resultat" in main(editor)
    answers: dict[str, Any] = {"north_south-shares-0-result": "-420", "frequency": "100 x 3\n-420"}
    counted = phone.submit(editor, "Räkna", **answers)
    phone.submit(counted, "Spara poängen")
    assert phone.get(url(case, "poang")).values("Räkna")["frequency"][0].splitlines() == ["+100 x 3", "−420"]


def test_a_score_table_that_comes_after_the_score_makes_it_stale(phone: PageClient, case: OpenCase) -> None:
    """Its rows were promised to the editor: they stand there, and nothing is told on the old ones unseen."""
    answers: dict[str, Any] = {
        "at_table": "+100",
        "north_south-shares-0-result": "-420",
        "frequency": "+100 x 3\n-420",
    }
    phone.submit(phone.submit(phone.get(url(case, "poang")), "Räkna", **answers), "Spara poängen")
    phone.submit(upload(phone, case, board_files.RUTER.encode(), "ruter.pbn"), TAKE)
    for path in ("domslut/underlag", "poang"):
        assert "Filen som har kommit sedan dess har andra resultat" in main(phone.get(url(case, path))), path
    editor = phone.get(url(case, "poang"))
    assert editor.values("Räkna")["frequency"][0].splitlines() == ["+100 x 2", "−420", "60 % / 40 %"]
    phone.submit(phone.submit(editor, "Räkna"), "Spara poängen")
    assert "har andra resultat" not in main(phone.get(url(case, "domslut/underlag")))


def test_an_empty_file_is_said_to_be_empty(phone: PageClient, case: OpenCase) -> None:
    """It was chosen: "choose a file" would be no answer."""
    assert errors(upload(phone, case, b"", status=422)) == "Det finns ett problem Filen är tom."
    assert "Välj en fil" in errors(paste(phone, case, " ", status=422))


def test_what_a_note_says_is_text_whatever_it_looks_like(phone: PageClient, case: OpenCase) -> None:
    """It is shown as it was written, and runs nowhere."""
    noted = board_files.PBN.replace("[Auction", '[Site "<script>alert(1)</script>"]\n[Auction')
    shown = upload(phone, case, noted.encode())
    assert "<script>alert" not in shown.html
    phone.submit(shown, TAKE)


RANKED = board_files.RUTER.replace(
    "[ScoreTable",
    '[TotalScoreTable "Rank;PairId;TotalPercentage;Names;MemberID1"]\n'
    '1 12 61.21 "Siv Ek - Nils Al" "77153"\n2 3 57.95 "Vera Asp - Edit Lind" "81943"\n[ScoreTable',
)


def test_the_files_ranking_is_shown_beside_its_table(phone: PageClient, case: OpenCase) -> None:
    """Where the table of results is: before it is taken, and in the score editor. Member numbers are not shown."""
    shown = upload(phone, case, RANKED.encode())
    phone.submit(shown, TAKE)
    for page in (shown, phone.get(url(case, "poang"))):
        ranking = page.select("details table.scores tbody tr")
        assert [[" ".join("".join(cell.itertext()).split()) for cell in row] for row in ranking] == [
            ["1", "12", "Siv Ek – Nils Al", "61,21 %"],
            ["2", "3", "Vera Asp – Edit Lind", "57,95 %"],
        ]
        assert [row.get("class") for row in ranking] == ["ours", None]
        assert "77153" not in page.html
