"""Secret addresses (S-LINK3): made of a row's id and a key outside the database when they are needed, kept nowhere."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from uuid import UUID

from casework.settings import get_settings

_ID, _MAC = 16, 32


def secret_of(kind: str, row_id: UUID, state: str) -> str:
    """The secret of a row. `kind` is what it opens; with another `state` of the row it is another one."""
    return urlsafe_b64encode(row_id.bytes + digest_of(kind, row_id, state)).decode().rstrip("=")


def name_of(kind: str, row_id: UUID, state: str) -> UUID:
    """What is called so cannot be known without the key; the same row in the same state is called the same."""
    return UUID(bytes=digest_of(kind, row_id, state)[:_ID])


def row_named(secret: str) -> UUID | None:
    """Which row a secret names; it proves nothing yet."""
    raw = _raw(secret)
    return UUID(bytes=raw[:_ID]) if raw else None


def fits(secret: str, kind: str, row_id: UUID, state: str) -> bool:
    """Whether it is the row's secret in this state, compared in constant time."""
    raw = _raw(secret)
    return raw is not None and hmac.compare_digest(raw, row_id.bytes + digest_of(kind, row_id, state))


def digest_of(kind: str, row_id: UUID, state: str) -> bytes:
    """What nobody can make without the key: 32 bytes."""
    key = get_settings().link_key.get_secret_value().encode()
    return hmac.digest(key, f"casework {kind}\0".encode() + row_id.bytes + state.encode(), "sha256")


def _raw(secret: str) -> bytes | None:
    try:
        raw = urlsafe_b64decode(secret.encode("ascii") + b"=" * (-len(secret) % 4))
    except (NotBase64, UnicodeEncodeError, ValueError):
        return None
    return raw if len(raw) == _ID + _MAC else None
