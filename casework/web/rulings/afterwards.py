"""After a decision: the receipt, who has been told and how, the words to read aloud, letters, more time."""

from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from sqlmodel import Session

from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.terms import ActionName, NoticeState
from casework.services import case_files, correcting, notices, posting, prolonging, receipts, rulings, scores, telling
from casework.services.appeal_rights import window_of
from casework.services.boards import ruling_papers
from casework.services.loading import Loaded
from casework.services.telling import ToldParty
from casework.text import t
from casework.web.acting import EDIT, FILE, acted, allowed, pressed, visible
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.forms import at
from casework.web.rulings.telling_forms import LetterArrived, LetterPosted, MoreTime, Telling
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash, words


@blueprint.get("/arenden/<uuid:case_id>/domslut/kvitto")
@permission(Permission.READ_PROOF)
def receipt(case_id: UUID) -> Response:
    """What was done, who is told and how, and until when it can be appealed."""
    with reading() as session:
        loaded = visible(session, case_id)
        if not loaded.decisions:
            return page("rulings/receipt_postponed.html", loaded=loaded, number=_number(loaded, loaded.proceeding.id))
        loaded = telling.decided(session, case_id, current_actor())
        parties = telling.told_parties(session, loaded, now())
        decision = telling.decision_of(loaded)
        lacks = scores.lacks_score(decision.outcome, scores.newest_score(session, decision.proceeding_id))
        papers = ruling_papers(session, loaded)
    shown: dict[str, Any] = {
        "decision": decision,
        "parties": parties,
        "number": _number(loaded, decision.id),
        "lacks_score": lacks,
        "lacks_papers": decision.of_judgement and not papers.whole,
    }
    return page("rulings/receipt.html", loaded=loaded, now=now(), **shown)


@blueprint.get("/arenden/<uuid:case_id>/domslut/begard")
@permission(Permission.READ_CASE)
def asked(case_id: UUID) -> Response:
    """The ruling is asked for, and what happens now."""
    with reading() as session:
        loaded = visible(session, case_id)
    return page("rulings/receipt_asked.html", loaded=loaded, number=_number(loaded, loaded.proceeding.id))


def _number(loaded: Loaded, subject_id: UUID) -> str:
    return receipts.receipt_number(loaded.case.number, subject_id)


@blueprint.get("/arenden/<uuid:case_id>/besked")
@permission(Permission.READ_PROOF)
def told(case_id: UUID) -> Response:
    """Who has been told of the decision, by what proof, and whose turn it is to be told."""
    with reading() as session:
        loaded = telling.decided(session, case_id, current_actor())
        parties = telling.told_parties(session, loaded, now())
        corrects = correcting.may_correct(loaded, current_actor())
        posts = corrects and case_files.posts_letters(session, case_id, current_actor())
    shown: dict[str, Any] = {"corrects": corrects, "posts": posts, "correctable": correcting.correctable}
    return page("rulings/told.html", loaded=loaded, parties=parties, proof_words=telling.proof_words, **shown)


@blueprint.route("/arenden/<uuid:case_id>/besked/las-upp", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def read_aloud(case_id: UUID) -> Response:
    """The words about appealing in large type, and the record that they were read to somebody (R32)."""
    with reading() as session:
        allowed(session, case_id, ActionName.RECORD_TELLING)
        loaded = telling.decided(session, case_id, current_actor())
        telling.refuse_waiting(session, loaded, now())
        parties = telling.told_parties(session, loaded, now())
    form = Telling()
    form.persons.choices = options(*((str(m.person_id), _named(p, m.name)) for p in parties for m in p.members))
    if form.sent():
        if done := acted(form, case_id, lambda session: _record(session, loaded, form)):
            return done
    elif request.method == "GET":
        form.told_at.process_data(now())
    return page("rulings/read_aloud.html", form=form, loaded=loaded, decision=loaded.decision(), parties=parties)


def _named(party: ToldParty, name: str) -> str:
    return f"{name}, {words(party.label)}"


def _record(session: Session, loaded: Loaded, form: Telling) -> None:
    """Each person is a step of his own; the form's receipt is that of the first."""
    for place, person in enumerate(form.persons.data):
        rulings.record_telling(
            session,
            loaded.proceeding.id,
            current_actor(),
            person_id=UUID(person),
            told_at=at(form.told_at),
            now=now(),
            form=form.instance if place == 0 else None,
        )


@blueprint.route("/arenden/<uuid:case_id>/besked/<uuid:notice_id>/brev", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def letter(case_id: UUID, notice_id: UUID) -> Response:
    """Record that a letter is posted, and later that it has arrived."""
    with reading() as session:
        loaded = visible(session, case_id)
        row = telling.letter(session, loaded, notice_id)
        addressee = loaded.persons[row.person_id]
    if row.state is NoticeState.TO_BE_POSTED:
        return _posted(loaded, notice_id, addressee.name)
    posted_again = "posted_at" in request.form
    if row.state is NoticeState.POSTED and row.proven_at is None and not posted_again:
        return _arrived(loaded, notice_id, addressee.name, posted_at=row.handed_over_at)
    return see_other(url_for("rulings.told", case_id=case_id))


def _posted(loaded: Loaded, notice_id: UUID, name: str) -> Response:
    form = LetterPosted()
    if form.sent():
        with form.showing_errors():
            write(
                lambda session: posting.record_posted(
                    session, notice_id, current_actor(), at=at(form.posted_at), now=now()
                )
            )
            flash(t("The letter to {name} is recorded as posted.", name=name))
            return see_other(url_for("rulings.told", case_id=loaded.case.id))
    elif request.method == "GET":
        form.posted_at.process_data(now())
    return page("rulings/letter_posted.html", form=form, loaded=loaded, name=name)


def _arrived(loaded: Loaded, notice_id: UUID, name: str, *, posted_at: object) -> Response:
    form = LetterArrived()
    if form.sent():
        done = acted(
            form,
            loaded.case.id,
            lambda session: notices.record_arrived(
                session,
                notice_id,
                current_actor(),
                arrived_at=at(form.arrived_at),
                note=form.note.data,
                now=now(),
                form=form.instance,
            ),
        )
        if done:
            return done
    return page("rulings/letter_arrived.html", form=form, loaded=loaded, name=name, posted_at=posted_at)


@blueprint.get("/arenden/<uuid:case_id>/mer-tid")
@permission(Permission.READ_PROOF)
def whose_time(case_id: UUID) -> Response:
    """Which side is to get more time."""
    with reading() as session:
        allowed(session, case_id, ActionName.PROLONG_WINDOW)
        loaded = telling.decided(session, case_id, current_actor())
        parties = telling.told_parties(session, loaded, now())
    return page("rulings/whose_time.html", loaded=loaded, parties=parties)


@blueprint.get("/arenden/<uuid:case_id>/resultat")
@permission(Permission.READ_PROOF)
def publication(case_id: UUID) -> Response:
    """The official score is recorded for the whole session."""
    with reading() as session:
        loaded = visible(session, case_id)
    return see_other(url_for("tournaments.publish", session_id=loaded.playing_session.id))


@blueprint.route("/arenden/<uuid:case_id>/mer-tid/<uuid:party_id>", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def more_time(case_id: UUID, party_id: UUID) -> Response:
    """Give one side more time to appeal, with the reason; it cannot be taken back, so it is checked first."""
    with reading() as session:
        allowed(session, case_id, ActionName.PROLONG_WINDOW)
        loaded = telling.decided(session, case_id, current_actor())
        party = next((p for p in telling.told_parties(session, loaded, now()) if p.party_id == party_id), None)
    window = window_of(loaded, party_id)
    if party is None or window is None:
        raise Missing
    form = MoreTime()
    form.offers(prolonging.units(window))
    form.shows(loaded.proceeding.version)
    shown: dict[str, Any] = {"form": form, "loaded": loaded, "party": party, "window": window, "now": now()}
    if request.method == "GET" or pressed() == EDIT:
        return page("rulings/more_time.html", **shown)
    if form.sent():
        with form.showing_errors():
            shown["ends"] = prolonging.preview(loaded, window, form.given, now())
    if pressed() == FILE and not form.errors and (done := _prolonged(form, loaded, window.id, party_id)):
        return done
    form.shows(loaded.proceeding.version)
    if not form.to_check:
        return page("rulings/more_time.html", **shown)
    form.has_shown(prolonging.shown_ends(window, shown["ends"]))
    return page("rulings/check_more_time.html", **shown)


def _prolonged(form: MoreTime, loaded: Loaded, deadline_id: UUID, party_id: UUID) -> Response | None:
    return acted(
        form,
        loaded.case.id,
        lambda session: prolonging.prolong_window(
            session,
            loaded.proceeding.id,
            current_actor(),
            deadline_id=deadline_id,
            party_id=party_id,
            until=form.given,
            because=form.because.data,
            now=now(),
            form=form.instance,
        ),
    )
