"""Every mail can be made long after its step, and says what is true then (E10).

A mail's words are made when it is sent: after an outage, or when a server has asked to wait. So at every step of every
golden scene each mail that has gone is made once more, as if it alone had waited until now.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.adapters.i18n import format_instant, render
from casework.adapters.mail import Letter
from casework.domain.delivery import NotNeeded
from casework.domain.minutes import has_run
from casework.domain.models import Deadline, Demand, Notice, Panel, Proceeding
from casework.domain.terms import Channel, NoticeKind, NoticeState, ProceedingKind, State
from casework.domain.workflow.appeal import BEFORE_DECISION
from casework.domain.workflow.hearing import WITH_PANEL
from casework.services import notice_proof, notices, overtaking
from casework.services.case_rows import read_case
from tests.golden.data import ORDINARY
from tests.golden.scenes import SCENES
from tests.golden.scribe import Scribe

PROMISES = {
    "Tävlingsledaren skickar det vidare till": {State.LODGED},
    "Du får komma till tals innan": BEFORE_DECISION | {State.APPEALED},
    "prövas fortfarande": BEFORE_DECISION,
    "Överklagandet ligger kvar om du inte": BEFORE_DECISION,
    "Då avgör juryn om det prövas": BEFORE_DECISION,
    "Svara först på om du är jävig": WITH_PANEL,
    "Kom till sammanträdet": {State.CALLED},
    "Juryn kallar båda sidor": {State.COMPOSING},
    "Snart ombeds du att yttra dig": {State.PREPARING},
    "Registrera ärendet": {State.SENT_IN},
}
"""What holds only as long as the appeal is in one of these states."""


class Late(Exception):
    """A mail that is made now says what is not true."""


def made_late(session: Session, notice_id: UUID, now: datetime) -> Letter | None:
    """The mail of a notice as if it had waited until now; none where it would not be sent. Nothing of it is kept."""
    notice = session.get_one(Notice, notice_id)
    notice.state, notice.phase = NoticeState.DUE, None
    notice.handed_over_at = notice.proven_at = notice.opened_at = None
    if overtaking.newer_of(session, notice) is not None:
        return None
    try:
        made = notices.to_send(session, notice_id, now)
    except NotNeeded:
        return None
    assert isinstance(made, Letter)
    return made


def untrue(session: Session, case_id: UUID, notice: Notice, text: str, now: datetime) -> Iterator[str]:
    """What a mail made now says that does not hold."""
    deadlines = session.exec(select(Deadline).where(Deadline.case_id == case_id)).all()
    states = {row.id: row for row in session.exec(select(Proceeding).where(Proceeding.case_id == case_id))}
    begins = [row.hearing_at for row in session.exec(select(Panel).where(col(Panel.proceeding_id).in_(states)))]
    for instant in {*(row.instant for row in deadlines), *begins}:
        words = re.escape(format_instant(instant, "sv")) if instant is not None else ""
        if has_run(instant, now) and re.search(rf"(senast|börjar):\n{words}|Överklaga senast {words}", text):
            yield f"{words} has passed"
    children = [row for row in states.values() if row.parent_id == notice.proceeding_id and not row.taken_up_because]
    decided = [row for row in children if row.state not in BEFORE_DECISION | {State.WRITTEN_OFF}]
    if "Du har rätt att överklaga" in text and (decided or any(r.state is State.DELIBERATING for r in children)):
        yield "it can no longer be appealed"
    mine = [row for row in deadlines if (row.proceeding_id, row.party_id) == (notice.proceeding_id, notice.party_id)]
    over = bool(mine) and all(has_run(row.instant, now) for row in mine)
    if "Så överklagar du" in text and over and "gick ut" not in text:
        yield "the time to appeal is over"
    asked = session.get(Demand, notice.demand_id) if notice.demand_id else None
    if asked is not None and asked.ended is not None and re.search("Skriv det du vill säga|i tid", text):
        yield "nobody is asked any more"
    tried = [row for row in states.values() if row.kind is ProceedingKind.APPEAL]
    for promise, held in PROMISES.items():
        if promise in text and len(tried) == 1 and tried[0].state not in held:
            yield f"“{promise}” in {tried[0].state}"


def look(story: Scribe, seen: set[tuple[object, ...]]) -> None:
    """Make again what has gone, and read it: one of each kind, reader and standing of the case."""
    now = story.at + timedelta(minutes=1)
    with uow() as session:
        query = select(Notice).where(Notice.channel == Channel.MAIL, col(Notice.due_at) < story.at)
        sent = [one for one in session.exec(query) if one.state is not NoticeState.OVERTAKEN]
        case = select(Proceeding).where(Proceeding.case_id == story.case.case_id).order_by(col(Proceeding.opened_at))
        standing = tuple(row.state for row in session.exec(case))
        rows = [(one.id, (one.kind, one.party_id or one.person_id, one.due_at, standing)) for one in sent]
    for notice_id, about in rows:
        if about in seen:
            continue
        seen.add(about)
        with uow() as session, session.no_autoflush:
            letter = made_late(session, notice_id, now)
            notice = session.get_one(Notice, notice_id)
            wrong = list(untrue(session, story.case.case_id, notice, letter.text, now)) if letter else []
            session.rollback()
        if wrong and letter:
            raise Late(f"{about[0]} {standing}: {wrong}\n{letter.text}")


@pytest.mark.parametrize("heading", [heading for heading, scene in SCENES.items() if scene.data is ORDINARY])
@pytest.mark.usefixtures("sqlite")
def test_a_mail_that_goes_late_says_what_is_true_then(heading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked at after each step of the scene, until all times have run out."""
    seen: set[tuple[object, ...]] = set()
    deliver = Scribe.deliver

    def deliver_and_look(story: Scribe) -> None:
        deliver(story)
        look(story, seen)

    monkeypatch.setattr(Scribe, "deliver", deliver_and_look)
    SCENES[heading].tell(ORDINARY).expire(days=60)
    assert seen


@pytest.mark.usefixtures("database")
def test_what_asks_for_what_is_done_is_stopped_and_the_proof_says_so() -> None:
    """The partner concurred at the table before his mail could go."""
    story = Scribe.told(ORDINARY)
    story.rule()
    story.publish()
    story.away = frozenset({"south"})
    story.appeal()
    story.concur()
    with uow() as session:
        query = select(Notice).where(Notice.kind == NoticeKind.CONCURRENCE_ASKED)
        asked = session.exec(query).one()
        with pytest.raises(NotNeeded):
            notices.to_send(session, asked.id, story.later())
    story.write(lambda session: notices.record_not_needed(session, asked.id))
    with uow() as session:
        rows = read_case(session, story.case.case_id, story.actors["office"], story.at)
        proof = notice_proof.one(session, rows, session.get_one(Notice, asked.id), masked=False)
    said = [render(line, "sv") for _, lines in proof.facts for line in lines if not isinstance(line, str)]
    assert render(proof.state, "sv") == "Inte skickat: det behövdes inte längre"
    assert "Det som det bad om var redan gjort, eller tiden för det var slut, innan det skickades." in said
