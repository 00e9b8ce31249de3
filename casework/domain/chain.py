"""The hash chain of a case's history, and commitments to what stands outside it (S-AUD1, S-AUD6)."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any
from unicodedata import normalize
from uuid import UUID

_DOMAIN = b"casework event 1"


def canonical(value: Any) -> Any:
    """A value as JSON types that read back the same on every database: NFC text, UTC microseconds, sorted keys."""
    if isinstance(value, Mapping):
        return {str(canonical(key)): canonical(value[key]) for key in value}
    if isinstance(value, list | tuple | set | frozenset):
        return [canonical(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, str):
        return normalize("NFC", str(value))
    if isinstance(value, date | UUID):
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def event_hash(prev: str, fields: Mapping[str, Any]) -> str:
    """The hash of an event: every field with its length before it, after the hash of the event before."""
    digest = sha256()
    for part in (_DOMAIN, prev.encode(), *(_encoded(key, fields[key]) for key in sorted(fields))):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def commitment(salt: str, content: Mapping[str, Any]) -> str:
    """What the chain holds of a filed text: without salt and content it says nothing."""
    return sha256(salt.encode() + _encoded("content", content)).hexdigest()


def _encoded(key: str, value: Any) -> bytes:
    return json.dumps([key, canonical(value)], sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
