"""The page client refuses what it promises to refuse, and sends what a browser would."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, jsonify, redirect, request
from werkzeug.wrappers import Response

from tests.page import PageClient

HEAD = '<!doctype html><html lang="sv"><head><title>{title}</title></head><body><main><h1>Rubrik</h1>'
TOKEN = '<input type="hidden" name="csrf_token" value="t">'

FORM = f"""
<form method="post" action="/take" id="ruling" enctype="multipart/form-data">{TOKEN}
  <input type="hidden" name="version" value="3">
  <label for="board">Bricka</label><input id="board" name="board" value="7">
  <label>Vad hände <textarea name="facts">
Först</textarea></label>
  <label for="law">Lag</label>
  <select id="law" name="law"><option value="16B">16 B</option><option selected>73 C</option></select>
  <label for="told">Berättat</label><input type="checkbox" id="told" name="told" value="yes" checked>
  <label for="file">Bilaga</label><input type="file" id="file" name="file">
  <fieldset disabled><legend>Av</legend><label>Av <input name="off" value="1"></label></fieldset>
  <button name="step" value="save">Spara</button> <button name="step" value="give">Ge domslut</button>
</form>
"""

Serve = Callable[..., PageClient]


@pytest.fixture
def serve() -> Serve:
    """Makes a client for an application whose pages are given as path → body."""

    def make(policy: str = "default-src 'self'", **pages: str) -> PageClient:
        app = Flask(__name__, static_folder=None)

        @app.get("/<name>", endpoint="page")
        def page(name: str) -> str:
            return HEAD.format(title=name) + pages[name] + "</main></body></html>"

        @app.get("/again", endpoint="again")
        def again() -> str:
            return HEAD.format(title="start") + "</main></body></html>"

        @app.post("/take", endpoint="take")
        def take() -> Response:
            sent = {name: request.form.getlist(name) for name in request.form}
            app.config["SENT"] = sent | {name: [file.filename] for name, file in request.files.items()}
            return redirect("/start", 303)

        @app.get("/json", endpoint="json")
        def as_json() -> Response:
            return jsonify({})

        @app.after_request
        def secure(answer: Response) -> Response:
            answer.headers["Content-Security-Policy"] = policy
            return answer

        return PageClient(app)

    return make


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p>Text</div>", "line"),
        ("<h1>En till</h1>", "2 h1 headings"),
        ("<h3>Hoppar</h3>", "h1 is followed by h3"),
        ('<p id="a">1</p><p id="a">2</p>', "stands twice"),
        ('<input name="bricka">', "has no label"),
        ('<label for="x">Text</label>', "names nothing"),
        ('<p style="color:red">1</p>', "inline style"),
        ("<script>1</script>", "inline script"),
        ('<p onclick="1">1</p>', "onclick"),
        ('<a href="javascript:1">1</a>', "javascript"),
        ('<form method="post" action="/x"><button>Spara</button></form>', "no csrf_token"),
        (f'<form action="/x">{TOKEN}<button>Sök</button></form>', "in the address"),
        ('<img src="/x.png">', "no alt"),
        ('<a href="/x"></a>', "without words"),
        ('<a href="#x">Upp</a>', "leads nowhere"),
        ("<fieldset><label>A <input name=a></label></fieldset>", "legend"),
    ],
)
def test_a_page_with_a_fault_is_refused(serve: Serve, body: str, fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        serve(start=body).get("/start")


@pytest.mark.parametrize("policy", ["", "default-src 'self'; style-src 'unsafe-inline'"])
def test_a_page_without_a_strict_policy_is_refused(serve: Serve, policy: str) -> None:
    with pytest.raises(AssertionError, match="Content-Security-Policy"):
        serve(policy, start="").get("/start")


def test_two_views_with_one_title_are_refused(serve: Serve) -> None:
    client = serve(start="")
    client.get("/start")
    with pytest.raises(AssertionError, match="is also that of"):
        client.get("/again")


def test_an_answer_that_is_no_page_is_refused(serve: Serve) -> None:
    with pytest.raises(AssertionError, match="application/json"):
        serve().get("/json")


def test_a_form_is_sent_as_a_browser_sends_it(serve: Serve) -> None:
    client = serve(form=FORM, start="")
    page = client.get("/form")
    answer = client.submit(page, "Ge domslut", board="8", told=False, file=(io.BytesIO(b"%PDF"), "brev.pdf"))
    assert answer.path == "/start"
    assert client.app.config["SENT"] == {
        "csrf_token": ["t"],
        "version": ["3"],
        "board": ["8"],
        "facts": ["Först"],
        "law": ["73 C"],
        "step": ["give"],
        "file": ["brev.pdf"],
    }


@pytest.mark.parametrize("answers", [{"unknown": "1"}, {"law": "12"}, {"off": "2"}, {"board": True}])
def test_an_answer_that_the_form_does_not_take_is_refused(serve: Serve, answers: dict[str, Any]) -> None:
    client = serve(form=FORM)
    with pytest.raises(AssertionError, match=next(iter(answers))):
        client.submit(client.get("/form"), "#ruling", **answers)
