"""Passwords: argon2id, and no way to tell an unknown account from a wrong password."""

import pytest

from casework.adapters.passwords import hash_password, needs_rehash, verify_password
from tests.conftest import Set


def test_a_password_opens_with_itself_only() -> None:
    stored = hash_password("rätt häst batteri")
    assert stored.startswith("$argon2id$")
    assert verify_password("rätt häst batteri", stored)
    assert not verify_password("fel häst batteri", stored)


@pytest.mark.parametrize("stored", [None, "", "no hash"])
def test_an_account_that_is_none_is_never_opened(stored: str | None) -> None:
    assert not verify_password("the account that nobody has", stored)


def test_a_weak_hash_is_made_anew(settings: Set) -> None:
    weak = hash_password("rätt häst batteri")
    assert not needs_rehash(weak)
    settings(testing=0, demo=1)
    assert needs_rehash(weak)
    assert verify_password("rätt häst batteri", weak)
