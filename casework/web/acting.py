"""What all pages share on which somebody acts in a case: the case for its reader, the check page, the receipt."""

from collections.abc import Callable, Sequence
from uuid import UUID

from flask import Response, request, url_for
from sqlmodel import Session

from casework.domain.errors import NotAllowed, Overtaken
from casework.domain.explaining import left
from casework.domain.minutes import has_run
from casework.domain.terms import ActionName
from casework.domain.workflow.decide import Possibility
from casework.services import queries, readings, receipts
from casework.services.loading import Loaded
from casework.services.receipts import Sent
from casework.services.step import AlreadyDone
from casework.text import Text
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.pages import see_other
from casework.web.sessions import current_actor
from casework.web.units import write


class AlreadySent(NotAllowed):
    """Somebody goes back to a form that he has sent and that cannot be sent again: his receipt is there (R-DBL1)."""

    def __init__(self, refusal: NotAllowed, sent: Sent) -> None:
        super().__init__(*refusal.reasons)
        self.sent = sent


EDIT, CHECK, FILE = "edit", "check", "file"
"""Which button was pressed (`go`): back to the form, on to the check page, file it."""


def pressed() -> str:
    """The button that sent the form."""
    return request.form.get("go", CHECK)


def visible(session: Session, case_id: UUID) -> Loaded:
    """The case for the acting person.

    Raises:
        Missing: there is no such case, or he may not know of it.
        AlreadyDone: this request sends a form that has taken effect before; `same_receipt` answers it.
    """
    loaded = queries.load_visible(session, case_id, current_actor())
    if request.method == "POST":
        receipts.refuse_repeat(session, case_id, request.form.get("form_id", ""), current_actor())
    return loaded


def allowed(
    session: Session, case_id: UUID, *names: ActionName, subject_id: UUID | None = None
) -> tuple[Loaded, Possibility]:
    """The case around the proceeding where the acting person can take one of these actions, and which.

    Raises `NotAllowed` with what stands in the way.
    """
    actor, whole = current_actor(), visible(session, case_id)
    try:
        loaded, possibility = readings.place_of(whole, actor, now(), *names, subject_id=subject_id)
    except NotAllowed as refusal:
        refuse_going_back(session, whole, names, refusal)
        if done := receipts.done_before(session, whole, actor, names):
            raise (Overtaken if request.method == "POST" else NotAllowed)(done) from refusal
        raise
    if not possibility.allowed:
        barred = NotAllowed(*possibility.reasons)
        refuse_going_back(session, whole, names, barred)
        raise barred
    return loaded, possibility


def refuse_going_back(session: Session, loaded: Loaded, names: Sequence[ActionName], refusal: NotAllowed) -> None:
    """Raise AlreadySent where this request opens a form that the acting person has sent, and cannot send again."""
    if request.method == "GET" and (sent := receipts.last_sent(session, loaded, current_actor(), names)):
        raise AlreadySent(refusal, sent) from refusal


def acted(form: Form, case_id: UUID, verb: Callable[[Session], object]) -> Response | None:
    """Do what the form asks for and lead to its receipt; None where it is refused: the form then says why."""
    with form.showing_errors():
        write(verb)
        return _to_receipt(case_id, form.instance.form_id)
    return None


def same_receipt(repeat: AlreadyDone) -> Response:
    """A form that was sent before leads to the receipt it got then (R-DBL1)."""
    return _to_receipt(repeat.receipt.case_id, repeat.receipt.id)


def _to_receipt(case_id: UUID, form_id: UUID | None) -> Response:
    return see_other(url_for("receipts.show", case_id=case_id, form_id=form_id))


def deadline_block(row: object | None, label: Text) -> dict[str, object] | None:
    """A deadline row for the macro `deadline`."""
    if row is None:
        return None
    instant = getattr(row, "instant", None)
    at = now()
    return {
        "label": label,
        "instant": instant,
        "started": instant is not None,
        "passed": has_run(instant, at),
        "left": left(instant, at) if instant is not None else None,
        "explanation": getattr(row, "explanation", None),
    }
