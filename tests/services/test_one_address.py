"""Two persons of one side with one address get one mail with a link for each; others always their own (B2.44)."""

from datetime import timedelta

from sqlmodel import Session, col, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.domain.models import Contact, Link, Notice, OutboxJob
from casework.domain.terms import NoticeKind, NoticeState, Side
from casework.domain.workflow.bases import named_start
from casework.services import links, notices, proofs
from tests import factories
from tests.factories import START, Federation, OpenCase
from tests.narrator import hand_over
from tests.services.test_notices import proofs as proof_events
from tests.services.test_notices import read, said, window

SHARED = "Familjen@lindvalla.example"
SOON = START + timedelta(minutes=5)


def ruled(*sharing: str) -> tuple[Federation, OpenCase]:
    """A ruling, where these persons have one address, written in different ways."""
    there = factories.federation()
    factories.publish_score(there, at=START)
    with uow(write=True) as session:
        for number, key in enumerate(sharing):
            query = select(Contact).where(Contact.person_id == there.persons[key])
            contact = session.exec(query).one()
            contact.email = SHARED if number else SHARED.lower()
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    return there, case


def told(session: Session) -> list[Notice]:
    return list(session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING).order_by(col(Notice.carried_by))))


def carrier_and_carried() -> tuple[Notice, Notice]:
    with uow() as session:
        carried = next(notice for notice in told(session) if notice.carried_by)
        return session.get_one(Notice, carried.carried_by), carried


def test_one_mail_goes_to_an_address_that_a_pair_shares(database: str) -> None:
    """B2.44."""
    ruled("north", "south")
    with uow() as session:
        assert len(told(session)) == 4
        jobs = session.exec(select(OutboxJob).where(OutboxJob.kind == "mail")).all()
    assert len(jobs) == 3


def test_it_has_a_named_link_for_each(sqlite: str) -> None:
    there, _ = ruled("north", "south")
    carrier, _ = carrier_and_carried()
    with uow() as session:
        message = mail.build(notices.message_for(session, carrier.id, SOON), SOON)
        tokens = {
            key: links.link_token(session.exec(select(Link).where(Link.person_id == there.persons[key])).one())
            for key in ("north", "south")
        }
    names = {"north": "Birgit Ekestam", "south": "Arne Solvik"}
    for half in read(message.mime):
        lines = half.splitlines()
        for key, token in tokens.items():
            assert token in half
            assert any(names[key] in line for line in lines)
    text = read(message.mime)[0].splitlines()
    for key, token in tokens.items():
        line = next(number for number, line in enumerate(text) if token in line)
        assert names[key] in text[line - 1]


def test_each_is_proven_by_it_and_it_is_kept_once(database: str) -> None:
    _, case = ruled("north", "south")
    carrier, carried = carrier_and_carried()
    with uow(write=True) as session:
        hand_over(session, carrier.id, SOON)
    carrier, carried = carrier_and_carried()
    assert (carrier.proven_at, carried.proven_at) == (SOON, SOON)
    assert carrier.message_id == carried.message_id
    assert carrier.mime is not None
    assert carried.mime is None
    assert window(case, Side.NORTH_SOUTH).base == named_start(SOON)
    assert len(proof_events(case)) == 2
    with uow() as session:
        assert [found.whole for found in proofs.checked(session)] == [True]


def test_a_bounce_makes_a_letter_for_each(sqlite: str) -> None:
    ruled("north", "south")
    carrier, _ = carrier_and_carried()
    with uow(write=True) as session:
        notices.record_bounce(session, carrier.id, said("550 no such user", at=SOON))
    with uow() as session:
        posted = session.exec(select(Notice).where(Notice.state == NoticeState.TO_BE_POSTED)).all()
        names = {notices.letter_for(session, letter.id, SOON).recipient for letter in posted}
    assert names == {"Birgit Ekestam", "Arne Solvik"}


def test_opponents_with_one_address_get_each_his_own(database: str) -> None:
    """B2.44: Persons of different parties never share a mail, whatever their address."""
    ruled("north", "east")
    with uow() as session:
        assert {notice.carried_by for notice in told(session)} == {None}
