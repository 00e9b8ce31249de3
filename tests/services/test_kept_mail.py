"""What is kept of a mail opens nothing, and is what was sent (R-PROOF1, S-LINK3)."""

from sqlmodel import col, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.smtp import Handover
from casework.domain.models import Link, Notice
from casework.domain.terms import NoticeKind
from casework.services import links, notices
from tests.services.test_notices import SOON, notice_to, read, ruled, whole, wrote
from tests.story import Story


def test_a_text_that_looks_like_a_link_stays_what_it_is(database: str) -> None:
    """R-PROOF1, S-LINK3: what somebody has typed is sent and kept as he typed it, and opens nobody's case."""
    story = Story.begun()
    story.rule()
    with uow() as session:
        made = list(session.exec(select(Link)))
    typed = " ".join(mail.link_mark(link.id) for link in made)
    story.appeal(wants=f"Ändra {typed}", grounds=typed)
    story.forward()
    story.compose()
    story.declare()
    story.call(mail.link_mark(made[0].id))
    assert set(whole()) == {True}
    tokens = {link.person_id: links.link_token(link) for link in made}
    with uow() as session:
        for notice in session.exec(select(Notice).where(col(Notice.mime).is_not(None))):
            for kept in read(notice.mime or b""):
                shown = notices.with_links(session, notice.id, kept)
                assert [person for person, token in tokens.items() if token in shown] in ([], [notice.person_id])
                if notice.kind in (NoticeKind.APPEAL_RECEIVED, NoticeKind.SUMMONS):
                    assert mail.link_mark(made[0].id) in shown


def test_a_replaced_links_token_is_not_kept_either(sqlite: str) -> None:
    """The link was replaced while its mail was on the way."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    with uow() as session:
        message = mail.build(notices.message_for(session, notice_id, SOON), SOON)
        link = session.exec(select(Link).where(Link.person_id == there.persons["north"])).one()
    wrote(lambda session: links.replace_link(session, link.id, SOON))
    wrote(
        lambda session: notices.record_handover(
            session, notice_id, Handover.of(message, at=SOON, remote="mx", reply="250")
        )
    )
    kept = notice_to(there, "north").mime
    assert kept is not None
    assert links.link_token(link).encode() not in kept.replace(b"=\r\n", b"")
    assert whole() == [True]
