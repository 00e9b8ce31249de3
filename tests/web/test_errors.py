"""Pages for what goes wrong: in words, and with everything that was typed still there."""

import io
from collections.abc import Callable

import pytest
import wtforms
from flask import Blueprint, Flask, Response, g
from jinja2 import ChoiceLoader, DictLoader
from sqlmodel import Session

from casework.adapters import database
from casework.adapters.database import DatabaseAway
from casework.app import create_app
from casework.clock import now
from casework.domain.access import Permission
from casework.domain.errors import Conflict, Missing, NotAllowed
from casework.services import people
from casework.settings import get_settings
from casework.text import t
from casework.web.forms import Form
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.units import write
from tests.page import PageClient
from tests.web import shell

PROSE = "Väst tänkte länge.\nSedan bjöd Öst fyra hjärter."


TEMPLATE = """{% extends "layout.html" %}{% from "macros/forms.html" import field, hidden, submit %}
{% block title %}Prov{% endblock %}
{% block content %}
<form method="post">{{ hidden(form) }}{{ field(form.prose) }}{{ submit("Skicka") }}</form>{% endblock %}"""


class Telling(Form):
    """A form with prose."""

    prose = wtforms.TextAreaField(t("What happened"))


def trial(fail: Callable[[], object]) -> Flask:
    """The application with a page whose form fails in some way."""
    app = create_app()
    subject = Blueprint("trial", __name__)

    @subject.route("/prov", methods=["GET", "POST"])
    @permission(Permission.OFFICIAL)
    def tell() -> Response:
        form = Telling()
        if form.sent():
            write(lambda _: fail())
            return see_other("/hjalp")
        return page("trial.html", form=form)

    @subject.post("/forglomd")
    @permission(Permission.ANYONE)
    def forgotten() -> Response:
        write(lambda _: None)
        return see_other("/")

    app.jinja_loader = ChoiceLoader([app.jinja_loader, DictLoader({"trial.html": TEMPLATE})])  # type: ignore[list-item]
    app.register_blueprint(subject)
    return app


def refuse(error: Exception) -> Callable[[], object]:
    """Something that raises."""

    def fail() -> None:
        raise error

    return fail


def told(client: PageClient, status: int) -> tuple[str, dict[str, list[str]]]:
    """Send prose to the failing page; gives the heading and what the answer's form would send again."""
    token = shell.form_token(client.get("/logga-in"))
    answer = client.post("/prov", {"csrf_token": token, "prose": PROSE, "more": ["1", "2"]}, status=status)
    assert "tänkte länge" in answer.text("main")
    return answer.h1, answer.values("Fortsätt med det du skrev")


@pytest.mark.parametrize(
    ("error", "status", "title"),
    [
        (Conflict(t("Another one")), 409, "Något har hänt under tiden"),
        (NotAllowed(t("One"), t("Two")), 403, "Du får inte göra det här"),
        (DatabaseAway(), 503, "Systemet fungerar inte just nu"),
        (ZeroDivisionError(), 500, "Något gick fel hos oss"),
    ],
)
def test_what_was_typed_can_be_sent_again(sqlite: str, error: Exception, status: int, title: str) -> None:
    client = PageClient(trial(refuse(error)))
    shell.official()
    shell.sign_in(client)
    heading, kept = told(client, status)
    assert heading == title
    assert kept["prose"] == [PROSE]
    assert kept["more"] == ["1", "2"]


def test_every_reason_is_listed(sqlite: str) -> None:
    client = PageClient(trial(refuse(NotAllowed(t("One"), t("Two")))))
    shell.official()
    shell.sign_in(client)
    token = shell.form_token(client.get("/logga-in"))
    answer = client.post("/prov", {"csrf_token": token, "prose": PROSE}, status=403)
    assert len(answer.select("main ul.bullets li")) == 2


def test_a_sign_in_that_ended_keeps_the_text_and_sends_it_after_signing_in(sqlite: str) -> None:
    """U-KEEP7: sign in in another tab, come back, go on."""
    filed: list[str] = []
    client = PageClient(trial(lambda: filed.append("filed")))
    shell.official()
    shell.sign_in(client)
    token = shell.form_token(client.get("/logga-in"))
    client.submit(client.get("/jag"), "Logga ut")
    answer = client.post("/prov", {"csrf_token": token, "prose": PROSE}, status=401)
    assert answer.h1 == "Du är utloggad"
    other_tab = client.signed_in_copy()
    shell.sign_in(other_tab)
    again = client.submit(answer, "Fortsätt med det du skrev", status=422)
    assert "Läs igenom" in again.text(".error-summary")
    assert again.values("Skicka")["prose"] == [PROSE]
    assert filed == []
    assert client.submit(again, "Skicka").path == "/hjalp"
    assert filed == ["filed"]


def test_files_are_said_to_be_lost(sqlite: str) -> None:
    client = PageClient(trial(refuse(Conflict(t("Another one")))))
    shell.official()
    shell.sign_in(client)
    token = shell.form_token(client.get("/logga-in"))
    sent = {"csrf_token": token, "prose": PROSE, "file": (io.BytesIO(b"%PDF"), "a.pdf")}
    answer = client.post("/prov", sent, status=409)
    assert "välja igen" in answer.text("main")


def test_a_view_that_forgets_its_form_writes_nothing(sqlite: str) -> None:
    client = PageClient(trial(refuse(Missing())))
    client.post("/forglomd", {}, status=400)


def test_a_page_that_needs_signing_in_asks_for_it(sqlite: str) -> None:
    client = PageClient(trial(refuse(Missing())))
    assert client.get("/prov").path == "/logga-in?back=/prov"


def test_an_account_without_a_role_and_a_link_are_told_why(sqlite: str) -> None:
    client = PageClient(trial(refuse(Missing())))
    shell.official(role=None)
    shell.sign_in(client)
    assert "annat uppdrag" in client.get("/prov", status=403).text("main")
    shell.open_link(client, shell.reader().token)
    assert "ditt eget ärende" in client.get("/prov", status=403).text("main")


@pytest.mark.parametrize("path", ["/finns-inte", "/l/", "/arenden/inget/alls", "/%00"])
def test_a_page_that_does_not_exist_says_so(sqlite: str, path: str) -> None:
    answer = PageClient(create_app()).get(path, status=404)
    assert answer.h1 == "Sidan finns inte"


def test_a_page_that_is_used_wrongly_says_so(sqlite: str) -> None:
    assert PageClient(create_app()).get("/logga-ut", status=405).h1 == "Sidan kan inte användas så"


def test_too_much_at_once_is_refused_in_words(sqlite: str) -> None:
    app = create_app()
    app.config["MAX_CONTENT_LENGTH"] = 1000
    answer = PageClient(app).post("/logga-in", {"username": "x" * 2000}, status=413)
    assert answer.h1 == "Filerna är för stora"


def test_a_database_that_is_away_gives_a_page(sqlite: str) -> None:
    app = create_app()
    client = PageClient(app)
    shell.official()
    shell.sign_in(client)
    database.dispose()
    file = get_settings().data / "casework.sqlite3"
    for part in file.parent.glob("casework.sqlite3*"):
        part.unlink()
    file.mkdir()
    assert client.get("/jag", status=503).h1 == "Systemet fungerar inte just nu"
    assert client.raw("/healthz").json == {"status": "away", "database": False}


def test_a_write_unit_ends_with_an_error_undone(sqlite: str) -> None:
    known = shell.official()

    def half(session: Session) -> None:
        people.sign_in_as(session, known.person_id, now())
        raise Conflict(t("Another one"))

    with create_app().test_request_context("/", method="POST"):
        g.token_proven = True
        with pytest.raises(Conflict):
            write(half)
    assert shell.sign_ins() == []
