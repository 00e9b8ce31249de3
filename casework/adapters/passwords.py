"""Password hashing with argon2id."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from casework.settings import get_settings


def hash_password(password: str) -> str:
    """The text to store. Slow by intent: call it before a write unit is opened."""
    return _hasher(testing=get_settings().testing).hash(password)


def verify_password(password: str, stored: str | None) -> bool:
    """Whether the password is right. `None`, for an unknown account, takes as long and is never right."""
    try:
        _hasher(testing=get_settings().testing).verify(_dummy() if stored is None else stored, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def needs_rehash(stored: str) -> bool:
    """Whether the hash was made with weaker parameters than today's."""
    return _hasher(testing=get_settings().testing).check_needs_rehash(stored)


@cache
def _hasher(*, testing: bool) -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1) if testing else PasswordHasher()


@cache
def _dummy() -> str:
    return hash_password("the account that nobody has")
