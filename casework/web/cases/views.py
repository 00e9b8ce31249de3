"""The case page, the lists of cases, and the papers to read."""

from io import BytesIO
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request, send_file, url_for

from casework.domain.access import Permission
from casework.domain.terms import ActionName, ConsequenceState, Role
from casework.services import case_documents, papers, queries
from casework.services.board_changes import decided_board
from casework.services.case_facts import board_pbn as pbn_of
from casework.services.case_facts import case_facts
from casework.services.case_rows import read_case
from casework.services.case_view import CaseView, ConsequenceView, PartyView, case_view
from casework.services.queries import View
from casework.services.standing import standings
from casework.text import t
from casework.web import sessions
from casework.web.advice import advice
from casework.web.case_lists import case_rows
from casework.web.cases.actions import ways
from casework.web.cases.documents import linked
from casework.web.forms import searched
from casework.web.moment import now
from casework.web.pages import menu, page, see_other
from casework.web.permission import permission
from casework.web.units import after_response, reading
from casework.web.words import language

blueprint = Blueprint("cases", __name__)
menu(t("Cases"), "cases.listing", Permission.OFFICIAL)

LATEST = 12
"""How many happenings the case page shows before it is asked for all."""

_VIEWS = {
    View.WAITING: t("Waiting for you"),
    View.APPEALED: t("Appealed"),
    View.DECIDED: t("Settled"),
}
_TAGS = {
    ConsequenceState.HELD: "held",
    ConsequenceState.PENDING: "on",
    ConsequenceState.ALLOWED: "off",
    ConsequenceState.RELEASED: "plain",
    ConsequenceState.REPLACED: "plain",
    ConsequenceState.UNREGULATED: "off",
    ConsequenceState.DONE: "plain",
}


@blueprint.get("/arenden")
@permission(Permission.SIGNED_IN)
def listing() -> Response:
    """The cases that the reader may know of; who came by a link has one."""
    actor = sessions.current_actor()
    if actor.link is not None:
        return see_other(url_for("cases.show", case_id=actor.link.case_id))
    view = next((v for v in View if v.value == request.args.get("visa")), View.ALL)
    search = searched()
    number = request.args.get("sida", 1, type=int)
    with reading() as session:
        found = queries.case_list(session, actor, view=view, search=search, page=number)
    everything = t("All") if actor.holds(Role.OFFICE) else t("Yours")
    views = [
        (words, url_for("cases.listing", visa=name.value, q=search or None), name is view, found.counts[name])
        for name, words in {View.ALL: everything, **_VIEWS}.items()
    ]

    def turned(to: int) -> str:
        return url_for("cases.listing", visa=view.value, q=search or None, sida=to)

    return page(
        "cases/list.html",
        cases=case_rows(found.cases, now()),
        found=found,
        views=views,
        view=view.value,
        search=search,
        turned=turned,
    )


@blueprint.get("/arenden/<uuid:case_id>")
@permission(Permission.READ_CASE)
def show(case_id: UUID) -> Response:
    """The one page of a case: each reader sees the sections that the policy gives him."""
    with reading() as session:
        view = case_view(session, case_id, sessions.current_actor(), now())
    oldest_first = request.args.get("ordning") == "aldst"
    everything = oldest_first or request.args.get("visa") == "allt"
    events = [_event(view, event) for event in (reversed(view.happenings) if oldest_first else view.happenings)]
    return page(
        "cases/show.html",
        view=view,
        ways=ways(case_id, view.choices),
        score_url=_score_url(view),
        events=events if everything else events[:LATEST],
        hidden=0 if everything else max(0, len(events) - LATEST),
        oldest_first=oldest_first,
        documents=linked(case_id, view.documents),
        parties=[_party(party) for party in view.parties],
        consequences=[_consequence(consequence) for consequence in view.consequences],
    )


def _score_url(view: CaseView) -> str | None:
    """The score editor, for who may add to the ruling."""
    may = any(choice.name is ActionName.COMPLETE_RULING and choice.allowed for choice in view.choices)
    return url_for("scores.edit", case_id=view.case_id) if may else None


def _event(view: CaseView, event: Any) -> dict[str, Any]:
    return {
        "at": event.at,
        "title": event.title,
        "by": event.by,
        "text": event.text,
        "documents": [d for d in linked(view.case_id, event.documents) if d["url"]],
        "proofs": event.proofs,
    }


def _party(party: PartyView) -> dict[str, Any]:
    note = t("{party}, {role}", party=party.label, role=party.role)
    if party.clubs:
        note = t("{party}, {role}. {clubs}", party=party.label, role=party.role, clubs=list(party.clubs))
    return {"names": party.names, "note": note}


def _consequence(consequence: ConsequenceView) -> dict[str, Any]:
    note = consequence.note
    for detail in consequence.details:
        note = t("{what} {detail}", what=note, detail=detail)
    kind = _TAGS[consequence.state]
    return {"title": consequence.title, "note": note, "tag": consequence.tag, "tag_kind": kind}


@blueprint.get("/arenden/<uuid:case_id>/bricka")
@permission(Permission.READ_PAPERS)
def board(case_id: UUID) -> Response:
    """Board, auction, agreed and disputed facts and reasons as they now stand; ?antecknad= the board as it was then."""
    with reading() as session:
        facts = case_facts(session, case_id, sessions.current_actor(), language())
    asked = request.args.get("antecknad")
    earlier = next((each for each in facts.filings[1:] if str(each.id) == asked), None)
    return page("cases/board.html", case_id=case_id, facts=facts, earlier=earlier, advice=advice(case_id))


@blueprint.get("/arenden/<uuid:case_id>/bricka.pbn")
@permission(Permission.READ_PAPERS)
def board_pbn(case_id: UUID) -> Response:
    """The board for other programs, for everybody who may see it."""
    with reading() as session:
        number, written = pbn_of(session, case_id, sessions.current_actor())
    name = "".join(sign if sign.isalnum() else "-" for sign in number)
    return send_file(
        BytesIO(written.encode()), mimetype="text/x-pbn", as_attachment=True, download_name=f"{name}.pbn", max_age=0
    )


@blueprint.get("/arenden/<uuid:case_id>/handlingar/<kind>/<uuid:document_id>")
@permission(Permission.READ_PAPERS)
def document(case_id: UUID, kind: str, document_id: UUID) -> Response:
    """A ruling, a decision, an appeal or a statement to read and print; what is decided has the board with it."""
    actor, at = sessions.current_actor(), now()
    with reading() as session:
        rows = read_case(session, case_id, actor, at)
        paper = case_documents.document(rows, kind, document_id)
        (case,) = standings(session, [case_id], actor, at)
        decision = next((row for row in rows.decisions if row.id == document_id), None)
        board = decided_board(rows.boards, rows.loaded, decision, language()) if decision else None
    if paper.restricted and actor.person_id is not None:
        after_response(lambda session: papers.note_reading(session, actor, case_id, f"{kind}:{document_id}", at))
    return page(
        "cases/document.html",
        case=case,
        paper=paper,
        board=board,
        attachments=linked(case_id, paper.attachments),
        about=[{"key": key, "value": value} for key, value in paper.facts],
    )
