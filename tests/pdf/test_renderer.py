"""The renderer: conformance, the same bytes, nothing fetched, and nothing that a document does can stop the next."""

import hashlib
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import page
import pikepdf
import pytest

from casework.adapters import pdf
from casework.adapters.pdf import Failure, Order, PdfFailed, Renderer, find_asset, pdf_ready, render_pdf
from casework.adapters.pdf_renderer import AssetFetcher, make_pdf

pytestmark = pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
    r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
)

CREATED = datetime(2026, 12, 7, 12, tzinfo=UTC)
FONTS = """
@font-face { font-family: Suits; src: url(asset:fonts/suits.woff2); unicode-range: U+2660-2667 }
@font-face { font-family: Text; src: url(asset:fonts/source-sans-3-400.woff2) }
@font-face { font-family: Text; font-weight: 700; src: url(asset:fonts/source-sans-3-700.woff2) }
html { font-family: Suits, Text }
"""
SUITS = " ".join(f"<span>{suit}</span>" for suit in "♠♥♦♣")
LETTER = f"<h1>Överklagande i ärende 7</h1><p>Å, ä och ö: {SUITS} stod på bordet.</p>"
LETTERS_TEXT = "Överklagande i ärende 7 Å, ä och ö: ♠ ♥ ♦ ♣ stod på bordet."
SLOW = "<table>" + "<tr><td>lead</td><td>ruff</td><td>discard</td></tr>" * 3000 + "</table>"
NESTED = "<div>" * 800


def document(body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="sv"><head><title>Ärende</title><style>{FONTS}</style>{head}</head>'
        f"<body>{body}</body></html>"
    )


def render(body: str, renderer: Renderer, head: str = "") -> bytes:
    return render_pdf(
        document(body, head),
        title="Överklagande",
        language="sv",
        created=CREATED,
        attachments={"case.json": b'{"number": "SBF-2026-0123"}'},
        renderer=renderer,
    )


def order(html: str) -> Order:
    return Order(html, title="Ärende", language="sv", created="2026-12-07T12:00:00Z", attachments={})


def failure(body: str, renderer: Renderer) -> Failure:
    with pytest.raises(PdfFailed) as failed:
        render(body, renderer)
    assert failed.value.reason == pdf.REASONS[failed.value.failure]
    return failed.value.failure


def ends(pid: int) -> bool:
    """Whether a process that was killed is gone soon: the kernel takes a moment over another's child."""
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        os.sched_yield()
    return not alive(pid)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def child_of(renderer: Renderer) -> int:
    """The process that makes the document now; waits until there is one."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if renderer.pid:
            children = Path(f"/proc/{renderer.pid}/task/{renderer.pid}/children").read_text(encoding="ascii").split()
            if children:
                return int(children[0])
        os.sched_yield()
    pytest.fail("The renderer does not start on the document.")


def fail_while(renderer: Renderer, strike: Callable[[], None]) -> Failure:
    """Why a slow document is not made when something strikes in the midst of it."""
    failures: list[Failure] = []
    thread = threading.Thread(target=lambda: failures.append(failure(SLOW, renderer)))
    thread.start()
    strike()
    thread.join()
    return failures[0]


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    shared = Renderer()
    yield shared
    shared.close()


@pytest.fixture
def impatient() -> Iterator[Renderer]:
    """Has made a document: its only child is from now on the one at work."""
    own = Renderer(seconds=2)
    render(LETTER, own)
    yield own
    own.close()


@pytest.fixture(scope="module")
def letter(renderer: Renderer) -> bytes:
    return render(LETTER, renderer)


def test_the_text_can_be_read_out_of_the_pdf(letter: bytes) -> None:
    """S-PDF5."""
    text = subprocess.run(["pdftotext", "-", "-"], input=letter, capture_output=True, check=True).stdout.decode()
    assert " ".join(text.split()) == LETTERS_TEXT


@pytest.mark.parametrize("profile", ["3a", "ua1"])
def test_one_file_passes_both_standards(letter: bytes, profile: str) -> None:
    """S-PDF4."""
    report = page.validate_pdf_bytes(letter, profile=profile)
    assert [(found.rule_id, found.message) for found in report.failures] == []
    assert report.is_compliant


def test_title_language_instant_and_attachment_are_the_orders(letter: bytes) -> None:
    with pikepdf.open(BytesIO(letter)) as made:
        assert str(made.Root.Lang) == "sv"
        assert str(made.docinfo["/Title"]) == "Överklagande"
        assert str(made.docinfo["/CreationDate"]) == "D:20261207120000Z"
        assert made.attachments["case.json"].get_file().read_bytes() == b'{"number": "SBF-2026-0123"}'


def test_the_fonts_are_the_projects_own(letter: bytes) -> None:
    with pikepdf.open(BytesIO(letter)) as made:
        names = {
            str(found.FontName)
            for found in made.objects
            if isinstance(found, pikepdf.Dictionary) and "/FontName" in found
        }
    assert {name.partition("+")[2] for name in names} == {"Suits", "Text", "Text-Bold"}


def test_another_renderer_makes_the_same_bytes(letter: bytes) -> None:
    other = Renderer()
    try:
        assert render(LETTER, other) == letter
    finally:
        other.close()


def test_the_machines_fonts_do_not_matter(tmp_path: Path) -> None:
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig><cachedir>{tmp_path}</cachedir></fontconfig>", encoding="utf-8")
    program = (
        "import sys, hashlib; from casework.adapters.pdf_renderer import *;"
        "made = make_pdf(Order.from_bytes(sys.stdin.buffer.read()), AssetFetcher());"
        "print(hashlib.sha256(made).hexdigest())"
    )
    there = subprocess.run(
        [sys.executable, "-c", program],
        input=order(document(LETTER)).to_bytes(),
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        capture_output=True,
        check=True,
    )
    here = make_pdf(order(document(LETTER)), AssetFetcher())
    assert there.stdout.decode().strip() == hashlib.sha256(here).hexdigest()


class TestHostileDocument:
    """S-PDF2: everything that a document can ask for, asked for from the net and from a file."""

    SECRET = "federation-secret-7f3a"

    @pytest.fixture
    def listener(self) -> Iterator[socket.socket]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            yield server

    @pytest.fixture
    def targets(self, listener: socket.socket, tmp_path: Path) -> list[str]:
        secret = tmp_path / "secret.txt"
        secret.write_text(self.SECRET, encoding="utf-8")
        return [f"http://127.0.0.1:{listener.getsockname()[1]}/x", secret.as_uri()]

    @staticmethod
    def hostile(target: str) -> tuple[str, set[str]]:
        """A document with the fetch points, and the addresses that it asks for."""
        asked: set[str] = set()

        def url(point: str) -> str:
            asked.add(f"{target}?{point}")
            return f"{target}?{point}"

        inner = f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{url("nested")}" width="9" height="9"/></svg>'
        nested = inner.replace("#", "%23").replace("?", "%3F").replace('"', "%22").replace("<", "%3C")
        head = f"""
            <link rel="stylesheet" href="{url("link")}">
            <link rel="attachment" href="{target}?attachment">
            <style>
            @import "{url("import")}";
            @color-profile --own {{ src: url({url("profile")}) }}
            @font-face {{ font-family: Own; src: url({url("font")}) }}
            @page {{ background: url({url("page")}) }}
            p {{ background: url({url("background")}); border-image: url({url("border")}) 9;
                 font-family: Own; border: 9px solid }}
            li {{ list-style-image: url({url("list")}) }}
            b::before {{ content: url({url("content")}) }}
            </style>"""
        body = f"""<h1>Hej</h1><p>a</p><ul><li>b</li></ul><b>c</b>
            <img alt="" src="{url("img")}"><embed src="{url("embed")}"><object data="{url("object")}"></object>
            <a rel="attachment" href="{target}?anchor">d</a>
            <svg width="9" height="9"><image href="{url("svg")}" width="9" height="9"/></svg>
            <img alt="" src="data:image/svg+xml,{nested}">"""
        return document(body, head), asked

    def test_nothing_is_fetched(self, listener: socket.socket, targets: list[str]) -> None:
        for target in targets:
            html, asked = self.hostile(target)
            fetcher = AssetFetcher()
            made = make_pdf(order(html), fetcher)
            assert set(fetcher.refused) == asked
            assert not self.holds_secret(made)
        with pytest.raises(BlockingIOError):
            listener.accept()

    def test_the_renderer_makes_it_all_the_same(
        self, listener: socket.socket, targets: list[str], renderer: Renderer
    ) -> None:
        for target in targets:
            html, _ = self.hostile(target)
            made = render_pdf(html, title="Hej", language="sv", created=CREATED, renderer=renderer)
            assert not self.holds_secret(made)
        with pytest.raises(BlockingIOError):
            listener.accept()

    def test_a_base_does_not_open_the_folder(self, targets: list[str]) -> None:
        fetcher = AssetFetcher()
        folder = targets[1].rpartition("/")[0]
        make_pdf(order(document('<img alt="" src="secret.txt">', f'<base href="{folder}/">')), fetcher)
        assert fetcher.refused == [targets[1]]

    def holds_secret(self, made: bytes) -> bool:
        with pikepdf.open(BytesIO(made)) as opened:
            streams = [found.read_bytes() for found in opened.objects if isinstance(found, pikepdf.Stream)]
            return bool(opened.attachments) or any(self.SECRET.encode() in stream for stream in streams)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "fonts",
        "fonts/",
        "fonts/LICENSE-dejavu.txt",
        "fonts/../fonts.py",
        "fonts/../../settings.py",
        "fonts//etc/hostname",
        "css/../mail/notice.css",
        "css/../../pyproject.toml",
        "/etc/hostname",
        "settings.py",
        "unknown/suits.woff2",
        "fonts/missing.woff2",
    ],
)
def test_only_named_assets_are_given_out(name: str) -> None:
    assert find_asset(name) is None


def test_what_the_templates_ask_for_is_there() -> None:
    fetched = find_asset("fonts/suits.woff2")
    assert fetched is not None
    assert fetched.is_file()
    assert [found for found in pdf_ready() if "name" in found.params] == []


def test_a_document_nested_too_deep_fails_and_the_next_is_made(renderer: Renderer, letter: bytes) -> None:
    """F35."""
    assert failure(NESTED, renderer) is Failure.TOO_DEEP
    assert render(LETTER, renderer) == letter


def test_a_document_that_takes_too_long_fails_and_the_next_is_made(impatient: Renderer, letter: bytes) -> None:
    """F35."""
    assert failure(SLOW, impatient) is Failure.TOO_LONG
    assert render(LETTER, impatient) == letter


def test_a_document_that_eats_memory_fails_and_the_next_is_made(letter: bytes) -> None:
    """F35."""
    small = Renderer(memory=350_000_000)
    try:
        assert failure(f"<p>{'trick ' * 6_000_000}</p>", small) is Failure.TOO_BIG
        assert render(LETTER, small) == letter
    finally:
        small.close()


def test_a_killed_child_fails_its_document_only(renderer: Renderer, letter: bytes) -> None:
    struck = fail_while(renderer, lambda: os.kill(child_of(renderer), signal.SIGKILL))
    assert struck is Failure.BROKEN
    assert render(LETTER, renderer) == letter


def test_a_child_that_hangs_is_killed(impatient: Renderer, letter: bytes) -> None:
    """F36."""
    stopped: list[int] = []

    def stop() -> None:
        stopped.append(child_of(impatient))
        os.kill(stopped[0], signal.SIGSTOP)

    assert fail_while(impatient, stop) is Failure.TOO_LONG
    assert ends(stopped[0])
    assert render(LETTER, impatient) == letter


def test_a_killed_renderer_is_started_again(renderer: Renderer, letter: bytes) -> None:
    before = renderer.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert render(LETTER, renderer) == letter
    assert renderer.pid != before


def test_a_renderer_that_hangs_is_killed_with_its_child(
    impatient: Renderer, letter: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F36."""
    group: list[int] = []

    def stop() -> None:
        group.append(child_of(impatient))
        assert impatient.pid is not None
        group.append(impatient.pid)
        os.kill(impatient.pid, signal.SIGSTOP)

    with monkeypatch.context() as hurry:
        hurry.setattr(pdf, "GRACE", 0.2)
        assert fail_while(impatient, stop) is Failure.TOO_LONG
    assert all(map(ends, group))
    assert render(LETTER, impatient) == letter


def test_closing_stops_the_renderer_and_a_new_one_starts(impatient: Renderer, letter: bytes) -> None:
    before = impatient.pid
    assert before is not None
    impatient.close()
    assert ends(before)
    assert impatient.pid is None
    assert render(LETTER, impatient) == letter


def test_a_forked_process_gets_a_renderer_of_its_own(renderer: Renderer, letter: bytes) -> None:
    """Celery's pool forks."""
    render(LETTER, renderer)
    parents = renderer.pid

    def work() -> None:
        same = render(LETTER, renderer) == letter
        own = renderer.pid
        renderer.close()
        os._exit(0 if same and own != parents else 1)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode == 0
    assert renderer.pid == parents
    assert render(LETTER, renderer) == letter


def test_a_renderer_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "RENDERER", "casework.no_such_module")
    absent = Renderer()
    assert failure(LETTER, absent) is Failure.NO_RENDERER
    absent.close()
