"""People, accounts and links for the tests of the web's shell."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from casework.adapters.database import uow
from casework.clock import now
from casework.domain.models import (
    Case,
    Contact,
    Entry,
    Grant,
    Incident,
    Link,
    Party,
    PartyMember,
    Person,
    Proceeding,
    Session,
    SignIn,
    Tournament,
)
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import AppealRoute, Body, CaseKind, Form, LinkPurpose, ProceedingKind, Role, Side, State
from casework.services import links, people
from tests.page import Page, PageClient

PASSWORD = "fyra hjärter i norr"


@dataclass(frozen=True)
class Official:
    """Somebody with an account."""

    person_id: UUID
    account_id: UUID
    username: str


@dataclass(frozen=True)
class Reader:
    """A player with a mail link."""

    person_id: UUID
    link_id: UUID
    case_id: UUID
    token: str


def official(role: Role | None = Role.DIRECTOR, username: str = "karin") -> Official:
    """A person with an account and, if wanted, a role in the federation."""
    password_hash = people.hashed_password(PASSWORD)
    with uow(write=True) as session:
        person = people.create_account(
            session,
            member_number=f"9{len(username):03}",
            given_name="Karin",
            family_name="Fjällbo",
            email=f"{username}@lindvalla.example",
            username=username,
            password_hash=password_hash,
        )
        if role:
            session.add(Grant(person_id=person.id, role=role))
            session.flush()
        account_id = people.account_by_password(session, username, PASSWORD)
    assert account_id
    return Official(person.id, account_id, username)


def reader(**link_fields: Any) -> Reader:
    """A player, party in a case, with a link to it."""
    at = now()
    with uow(write=True) as session:
        person = Person(member_number="4711", given_name="Birgit", family_name="Ekestam")
        tournament = Tournament(
            name="Höstpokalen",
            organiser="Lindvalla BK",
            form=Form.PAIRS,
            starts_on=date(2026, 11, 28),
            ends_on=date(2026, 11, 29),
            appeal_route=AppealRoute.JURY_ON_SITE,
            profile={},
        )
        playing = Session(tournament_id=tournament.id, name="Lördag", starts_at=at)
        incident = Incident(tournament_id=tournament.id, session_id=playing.id, occurred_on=date(2026, 11, 28))
        case = Case(
            number="SBF-2026-0123",
            kind=CaseKind.RULING,
            incident_id=incident.id,
            law_edition=LawEdition.laws_2017,
            profile={},
            opened_at=at,
            opened_by=person.id,
        )
        entry = Entry(tournament_id=tournament.id, number=12)
        party = Party(case_id=case.id, entry_id=entry.id, side=Side.NORTH_SOUTH, number=12)
        member = PartyMember(party_id=party.id, person_id=person.id)
        fields: dict[str, Any] = {"created_at": at, "expires_at": at + timedelta(days=40)} | link_fields
        link = Link(purpose=LinkPurpose.PARTY, person_id=person.id, case_id=case.id, party_id=party.id, **fields)
        contact = Contact(person_id=person.id, email="birgit@lindvalla.example")
        proceeding = Proceeding(
            case_id=case.id, kind=ProceedingKind.RULING, body=Body.DIRECTOR, state=State.GIVEN, opened_at=at
        )
        session.add_all([person, contact, tournament, playing, incident, case, proceeding, entry, party, member, link])
        token = links.link_token(link)
    return Reader(person.id, link.id, case.id, token)


def sign_in(client: PageClient, username: str = "karin", password: str = PASSWORD, **options: Any) -> Page:
    """Sign in through the page."""
    return client.submit(client.get("/logga-in"), "Logga in", username=username, password=password, **options)


def open_link(client: PageClient, token: str) -> int:
    """Press the button of a link's page; gives the status of the answer, which no case page stands behind yet."""
    page = client.get(f"/l/{token}")
    sent = {name: values[0] for name, values in page.values("Fortsätt").items()}
    answer = client.raw(f"/l/{token}", method="POST", data=sent)
    return answer.status_code


def sign_ins() -> list[SignIn]:
    """All sign-ins in the database."""
    from sqlmodel import select

    with uow() as session:
        return list(session.exec(select(SignIn)))


def form_token(page: Page) -> str:
    """The token of the page's forms."""
    found = re.search(r'name="csrf_token" value="([0-9a-f]+)"', page.html) or re.search(
        r'value="([0-9a-f]{64})"', page.html
    )
    assert found
    return found[1]
