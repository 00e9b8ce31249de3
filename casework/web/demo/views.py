"""Sign in as anybody, move the clock, read everybody's mail: in the demo only."""

from datetime import timedelta
from uuid import UUID

import wtforms
from flask import Blueprint, Response, request, url_for

from casework import clock
from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.labels import label
from casework.services import demo, people
from casework.services.demo import OpenLetter
from casework.text import t
from casework.web import sessions
from casework.web.forms import Form
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("demo", __name__, url_prefix="/demo")

STEPS = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "8d": timedelta(days=8)}
MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups"
"""The mail's own inline styles may work; nothing else of it may."""


class SignInAs(Form):
    """Whom to be."""

    person = wtforms.HiddenField()


class Advance(Form):
    """How far to move the clock."""

    by = wtforms.HiddenField()


@blueprint.get("")
@permission(Permission.USE_DEMO)
def start() -> Response:
    """The people, the clock, the way to the mailboxes."""
    return _start(Form())


@blueprint.post("/logga-in")
@permission(Permission.USE_DEMO)
def sign_in_as() -> Response:
    """Become one of the demo's people."""
    form = SignInAs()
    if not form.sent():
        return _start(form)
    before, at = sessions.browser_key(), clock.now()
    person_id = _known(form.person.data)
    sessions.become(write(lambda session: people.sign_in_as(session, person_id, at, instead_of=before)))
    return see_other("/")


@blueprint.post("/klocka")
@permission(Permission.USE_DEMO)
def advance() -> Response:
    """Move the clock of web, worker and timer forward."""
    form = Advance()
    if not form.sent():
        return _start(form)
    if form.by.data not in STEPS:
        raise Missing
    clock.advance(STEPS[form.by.data])
    write(lambda session: people.stay_signed_in(session, clock.now()))
    flash(t("It is now {now}.", now=clock.now()))
    return see_other("/demo")


@blueprint.get("/brevlador")
@permission(Permission.USE_DEMO)
def mailboxes() -> Response:
    """All mail, newest first."""
    with reading() as session:
        found = demo.mailboxes(session, request.args.get("sida", 1, type=int))

    def turned(to: int) -> str:
        return url_for("demo.mailboxes", sida=to)

    return page("demo/mailboxes.html", found=found, turned=turned)


@blueprint.get("/brevlador/<uuid:notice_id>")
@permission(Permission.USE_DEMO)
def letter(notice_id: UUID) -> Response:
    """A mail as text, with its links working."""
    return page("demo/letter.html", mail=_mail(notice_id))


@blueprint.get("/brevlador/<uuid:notice_id>/html")
@permission(Permission.USE_DEMO)
def letter_html(notice_id: UUID) -> Response:
    """A mail as its reader's program shows it, in a sandbox."""
    answer = Response(_mail(notice_id).html, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = MAIL_POLICY
    return answer


def _start(form: Form) -> Response:
    with reading() as session:
        officials, players = demo.officials(session), demo.players(session)
    groups = [(label(role), found) for role, found in officials.items()]
    if players:
        groups.append((t("Players with a case"), players))
    return page(
        "demo/start.html", form=form, groups=groups, now=clock.now(), moved=clock.offset() >= timedelta(minutes=1)
    )


def _mail(notice_id: UUID) -> OpenLetter:
    with reading() as session:
        found = demo.letter(session, notice_id)
    if found is None:
        raise Missing
    return found


def _known(text: str) -> UUID:
    """A person of the demo's lists, and nobody else."""
    with reading() as session:
        groups = [*demo.officials(session).values(), demo.players(session)]
    known = {str(person.person_id): person.person_id for group in groups for person in group}
    if text not in known:
        raise Missing
    return known[text]
