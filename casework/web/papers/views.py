"""The complete papers: what is missing, sent in, taken up in spite of a fault, registered; attachments (R29-R30)."""

from uuid import UUID

from flask import Blueprint, Response, send_file, url_for
from sqlmodel import Session

from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.labels import label
from casework.domain.terms import ActionName, DeadlineKind, Part, ProceedingKind
from casework.domain.workflow.decide import Possibility
from casework.services import completeness, contacts, papers, readings, rulings, seating, statements
from casework.services.completeness import Line, Piece
from casework.services.conflicts import Candidate
from casework.services.contacts import ContactInput
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.text import Text, t
from casework.web.acting import acted, allowed, deadline_block, visible
from casework.web.appeals.forms import InPlaceForm
from casework.web.cases.actions import leads_to
from casework.web.cases.documents import opens_with
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.papers.forms import ContactForm, RegisterForm, SendInForm, TakeUpForm
from casework.web.permission import parts, permission
from casework.web.sessions import current_actor
from casework.web.units import after_response, reading, write
from casework.web.words import flash, words

blueprint = Blueprint("papers", __name__, url_prefix="/arenden/<uuid:case_id>")
for action, endpoint in (
    (ActionName.SEND_IN, "papers.send_in"),
    (ActionName.SEND_IN_IN_PLACE, "papers.send_in"),
    (ActionName.TAKE_UP, "papers.take_up"),
    (ActionName.REGISTER_CASE, "papers.register"),
):
    leads_to(action, endpoint)
opens_with("attachment", "papers.attachment")

DOWNLOAD_POLICY = "default-src 'none'; sandbox"
"""A file never becomes a page of ours, whatever a browser thinks it is (S-UP7)."""


@blueprint.route("/handlingarna", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def send_in(case_id: UUID) -> Response:
    """What the complete papers are, what is missing and who must act; the button once nothing is (R30)."""
    actor = current_actor()
    with reading() as session:
        loaded = _written(visible(session, case_id))
        lines = completeness.completeness(session, loaded)
        mine = _sending(loaded)
    form: InPlaceForm | SendInForm = InPlaceForm() if mine and mine.action.override else SendInForm()

    def verb(session: Session) -> object:
        if isinstance(form, InPlaceForm):
            return statements.send_in_in_place(
                session, loaded.proceeding.id, actor, because=form.because.data, now=now(), form=form.instance
            )
        return statements.send_in(session, loaded.proceeding.id, actor, now=now(), form=form.instance)

    if form.sent() and (done := acted(form, case_id, verb)):
        return done
    form.shows(loaded.proceeding.version)
    form.has_shown(completeness.shown_lines(lines))
    return page(
        "papers/send_in.html",
        form=form,
        loaded=loaded,
        lines=[(line, _page_of(line, case_id)) for line in lines],
        mine=mine,
        deadline=deadline_block(readings.running(loaded, DeadlineKind.SEND_IN), t("The papers are to be sent in by")),
    )


def _written(loaded: Loaded) -> Loaded:
    """The newest proceeding that goes the written way. Raises Missing."""
    newest = loaded.proceedings[-1]
    if newest.kind is not ProceedingKind.APPEAL or not (newest.forwarded_at or newest.taken_up_because):
        raise Missing
    return readings.around(loaded, newest.id)


def _sending(loaded: Loaded) -> Possibility | None:
    """Sending in as the director, else in his place; None where neither is the actor's now."""
    found = {p.action.name: p for p in possibilities(loaded, current_actor(), now())}
    ways = [found[name] for name in (ActionName.SEND_IN, ActionName.SEND_IN_IN_PLACE) if name in found]
    return next((way for way in ways if way.allowed), ways[0] if ways else None)


def _page_of(line: Line, case_id: UUID) -> str:
    """Where the acting person does what a line still needs; nowhere if it is done or another's."""
    if line.done or not parts() & contacts.KEEPERS:
        return ""
    return url_for(_PAGES.get(line.piece, "statements.enter"), case_id=case_id, person_id=line.person_id)


_PAGES = {
    Piece.REPORT: "statements.report",
    Piece.SCORE: "scores.edit",
    Piece.DEMAND: "statements.demand",
    Piece.CONCURRENCE: "appeals.record_concurrence",
    Piece.CONTACT: "papers.contact",
}
"""Piece → the page where it is done; statements and answers are entered for whoever sent them."""


@blueprint.route("/ta-upp", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def take_up(case_id: UUID) -> Response:
    """The Law Commission takes a case up although a ruling or papers are missing, by its own decision with reasons."""
    form, actor = TakeUpForm(), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.TAKE_UP)
        without_ruling = loaded.proceeding.kind is ProceedingKind.RULING
        lines = [] if without_ruling else completeness.completeness(session, loaded)
    verb = rulings.take_up_without_ruling if without_ruling else statements.take_up_incomplete
    if form.sent() and (
        done := acted(
            form,
            case_id,
            lambda session: verb(
                session, loaded.proceeding.id, actor, because=form.because.data, now=now(), form=form.instance
            ),
        )
    ):
        return done
    form.shows(loaded.proceeding.version)
    missing = [line for line in lines if not line.done]
    return page("papers/take_up.html", form=form, loaded=loaded, without_ruling=without_ruling, missing=missing)


@blueprint.route("/registrera", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def register(case_id: UUID) -> Response:
    """The body registers the case and seats its members; the system proposes them, reserves for the barred (R19)."""
    actor = current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.REGISTER_CASE)
        proposal = seating.propose(session, loaded)
    form = RegisterForm(
        members=[str(person) for person in proposal.members], chair=str(proposal.chair) if proposal.chair else None
    )
    form.members.choices = options(*((str(c.person.id), c.person.name) for c in proposal.free))
    form.chair.choices = options(*((str(c.person.id), c.person.name) for c in proposal.free))
    if form.sent():
        seats = proposal.seats([UUID(person) for person in form.members.data or []], UUID(form.chair.data))
        if done := acted(
            form,
            case_id,
            lambda session: statements.register_case(
                session,
                loaded.proceeding.id,
                actor,
                jurisdiction=form.jurisdiction.data,
                seats=seats,
                now=now(),
                form=form.instance,
            ),
        ):
            return done
    form.shows(loaded.proceeding.version)
    return page("papers/register.html", form=form, loaded=loaded, proposal=proposal, notes=_notes(proposal))


def _notes(proposal: seating.Proposal) -> dict[str, Text]:
    """What stands under a member: role, and what he should think about first."""
    return {
        str(c.person.id): t("{role}. Possible conflict of interest: {why}.", role=_role(c), why=c.suggestion)
        if c.suggestion
        else t("{role}.", role=_role(c))
        for c in proposal.free
    }


def _role(candidate: Candidate) -> str:
    name = str(words(label(candidate.role)))
    return name[:1].upper() + name[1:]


@blueprint.route("/kontaktuppgifter/<uuid:person_id>", methods=["GET", "POST"])
@permission(Permission.READ_CONTACTS)
def contact(case_id: UUID, person_id: UUID) -> Response:
    """Fill in the address and telephone number that the papers must give (R29). Reading it is noted."""
    actor = current_actor()
    with reading() as session:
        loaded = visible(session, case_id)
        person, known = contacts.contact_of(session, loaded, person_id)
    form = ContactForm(obj=known)
    if form.sent():
        given = ContactInput(
            phone=form.phone.data, street=form.street.data, postal_code=form.postal_code.data, city=form.city.data
        )
        with form.showing_errors():
            write(
                lambda session: contacts.fill_in(
                    session, visible(session, case_id), actor, parts(), person_id=person_id, contact=given, now=now()
                )
            )
            flash(t("Address and telephone number of {name} are saved.", name=person.name))
            return see_other(_way_back(loaded))
    after_response(lambda session: papers.note_reading(session, actor, case_id, "contact data", now()))
    return page("papers/contact.html", form=form, loaded=loaded, person=person, back_url=_way_back(loaded))


def _way_back(loaded: Loaded) -> str:
    if loaded.proceedings[-1].forwarded_at and parts() - {Part.PANEL, Part.CHAIR}:
        return url_for("papers.send_in", case_id=loaded.case.id)
    return f"/arenden/{loaded.case.id}"


@blueprint.get("/bilagor/<uuid:document_id>")
@permission(Permission.READ_PAPERS)
def attachment(case_id: UUID, document_id: UUID) -> Response:
    """Fetch a file as its sender made it, only if the reader may read what it hangs on (S-UP7)."""
    actor = current_actor()
    with reading() as session:
        loaded = visible(session, case_id)
        file, unopened = papers.readable_attachment(session, loaded, document_id, actor, parts())
        stream = papers.content(file)
    answer = send_file(
        stream, mimetype=file.media_type, as_attachment=True, download_name=file.name, conditional=False, etag=False
    )
    answer.headers["Content-Security-Policy"] = DOWNLOAD_POLICY
    if unopened and Part.PARTY not in parts():
        after_response(lambda session: papers.note_reading(session, actor, case_id, "unopened attachment", now()))
    return answer
