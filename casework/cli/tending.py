"""Tending an installation: accounts, the history, the demo's clock."""

import getpass
import sys
from datetime import timedelta

from sqlmodel import col, select

from casework import clock
from casework.adapters import i18n
from casework.adapters.database import uow
from casework.domain.models import Case
from casework.domain.terms import Role
from casework.services import history, people, proofs
from casework.settings import get_settings


def advance(by: timedelta) -> int:
    """Move the demo's clock forward; the running clock and worker find what has become due."""
    if not get_settings().movable_clock:
        print("The clock can be moved in the demo only (CASEWORK_DEMO=1).", file=sys.stderr)
        return 1
    clock.advance(by)
    print(f"It is now {i18n.format_instant(clock.now(), 'en')}.")
    return 0


def new_user(
    *,
    username: str,
    member_number: str,
    given_name: str,
    family_name: str,
    email: str,
    language: str,
    roles: list[Role],
) -> int:
    """Make an account; the password is asked for twice, or read from a pipe."""
    password_hash = people.hashed_password(_password())
    with uow(write=True) as session:
        person = people.create_account(
            session,
            username=username,
            member_number=member_number,
            given_name=given_name,
            family_name=family_name,
            email=email,
            language=language,
            password_hash=password_hash,
        )
        for role in roles:
            people.grant(session, person.id, role)
    print(f"The account {username} is ready.")
    return 0


def verify_history() -> int:
    """Check every case's chain; 1 if one is broken."""
    broken = total = 0
    with uow() as session:
        for case in session.exec(select(Case).order_by(col(Case.number))):
            total += 1
            seq = history.verify(session, case)
            if seq is not None:
                broken += 1
                print(f"{case.number}: the history has been changed at event {seq}.", file=sys.stderr)
    print(f"{total - broken} of {total} cases have a whole history.")
    return 1 if broken else 0


def verify_proofs(case_number: str) -> int:
    """Compare every kept mail, its links put back, and every posted print with what was sent; 1 if one differs."""
    differing = total = 0
    with uow() as session:
        if case_number and session.exec(select(Case).where(Case.number == case_number)).first() is None:
            print(f"There is no case {case_number}.", file=sys.stderr)
            return 1
        for found in proofs.checked(session, case_number):
            total += 1
            if not found.whole:
                differing += 1
                sent = found.notice.handed_over_at
                when = i18n.format_instant(sent, "en") if sent else "never"
                print(
                    f"{found.case_number}: notice {found.notice.id} ({found.notice.kind}, {when}) is not what was sent."
                )
    print(f"{total - differing} of {total} mails and letters are kept as they were sent.")
    return 1 if differing else 0


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    while True:
        first = getpass.getpass("Password: ")
        if first == getpass.getpass("Once more: "):
            return first
        print("They are not the same.")
