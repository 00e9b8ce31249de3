"""Browsers of people in a case: parties through their real links, officials with their accounts."""

from uuid import UUID

from flask import Flask
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Link, Person
from casework.domain.terms import LinkPurpose
from casework.services import links, people
from tests.factories import Federation, OpenCase
from tests.page import PageClient
from tests.web import shell


def party(app: Flask, there: Federation, case: OpenCase, key: str) -> PageClient:
    """A player who has pressed the button of the link in his mail."""
    with uow() as session:
        link = session.exec(
            select(Link).where(
                Link.person_id == there.persons[key],
                Link.case_id == case.case_id,
                Link.purpose == LinkPurpose.PARTY,
            )
        ).one()
    client = PageClient(app)
    assert shell.open_link(client, links.link_token(link)) == 303
    return client


def official(app: Flask, there: Federation, key: str) -> PageClient:
    """An official who has signed in with name and password."""
    _give_account(there.persons[key], key)
    return official_again(app, key)


def official_again(app: Flask, key: str) -> PageClient:
    """The same official on another day."""
    client = PageClient(app)
    page = client.get("/logga-in")
    sent = {name: values[0] for name, values in page.values("Logga in").items()}
    answer = client.raw("/logga-in", method="POST", data=sent | {"username": key, "password": shell.PASSWORD})
    assert answer.status_code == 303
    return client


def _give_account(person_id: UUID, username: str) -> None:
    password_hash = people.hashed_password(shell.PASSWORD)
    with uow(write=True) as session:
        person = session.get_one(Person, person_id)
        people.create_account(
            session,
            member_number=person.member_number,
            given_name=person.given_name,
            family_name=person.family_name,
            email="",
            username=username,
            password_hash=password_hash,
        )
