"""The federation as its people meet it: the running product, everybody's mail, everybody's browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from playwright.sync_api import Browser

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Person
from casework.services import people
from tests.browser.phone import PHONE, Phone
from tests.factories import NAMES, Federation
from tests.smtp import Received, SmtpSink
from tests.workers.waiting import wait_until

PASSWORD = "fyra hjärter i norr"  # of invented people
OFFICIALS = ("director", "organiser", "office", "lk_chair", "lk_1", "lk_2", "lk_reserve")
"""Who have an account; parties and jurors come by the links in their mail."""


@dataclass
class House:
    """`url` answers as long as the fixture lasts; all people are named by the keys of the factories."""

    url: str
    there: Federation
    sink: SmtpSink
    browser: Browser
    _read: set[int] = field(default_factory=set)
    _phones: list[Phone] = field(default_factory=list)

    def phone(self, *, width: int = PHONE, javascript: bool = False, touch: bool = False) -> Phone:
        """A new browser in which nobody is signed in."""
        made = Phone(self.browser, self.url, width=width, javascript=javascript, touch=touch)
        self._phones.append(made)
        return made

    def official(self, key: str, phone: Phone | None = None) -> Phone:
        """An official who has signed in with his password."""
        used = phone or self.phone()
        return used.go("/logga-in").write("Användarnamn", key).write("Lösenord", PASSWORD).press("Logga in")

    def letter(self, key: str, subject: str) -> Received:
        """The oldest unread mail to somebody about this, as soon as it has come."""
        address = f"medlem{list(NAMES).index(key) + 1}@lindvalla.example"

        def unread() -> Received | None:
            mine = (m for m in self.sink.to(address) if id(m) not in self._read and subject in m.subject)
            return next(mine, None)

        found = wait_until(unread, f"a mail to {key}: {subject}")
        assert found is not None
        self._read.add(id(found))
        return found

    def by_letter(self, key: str, subject: str, phone: Phone | None = None) -> Phone:
        """Somebody who reads that mail, follows its link and presses the button."""
        return (phone or self.phone()).go(self.path_in(self.letter(key, subject))).press("Fortsätt")

    def path_in(self, letter: Received) -> str:
        """The link that a mail holds, without host."""
        link = re.search(rf"{self.url}(/l/\S+)", letter.text)
        assert link, f"{letter.subject} has no link"
        return link[1]

    @contextmanager
    def closed(self) -> Iterator[None]:
        """All browsers are put away at the end."""
        try:
            yield
        finally:
            for phone in self._phones:
                phone.close()

    @staticmethod
    def later(**by: float) -> None:
        """Move the clock of all programs: `later(minutes=10)`."""
        clock.advance(timedelta(**by))


def give_accounts(there: Federation) -> None:
    """Let the officials sign in with their keys as names."""
    password_hash = people.hashed_password(PASSWORD)
    with uow(write=True) as session:
        for key in OFFICIALS:
            person = session.get_one(Person, there.persons[key])
            people.create_account(
                session,
                member_number=person.member_number,
                given_name=person.given_name,
                family_name=person.family_name,
                email="",
                username=key,
                password_hash=password_hash,
            )
