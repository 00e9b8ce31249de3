"""What the machine itself says: how full its disk is, how long a certificate is good, whether the broker answers."""

import shutil
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from cryptography import x509

from casework import clock
from casework.adapters import broker

_BROKER_SECONDS = 10
"""How long an answer about the broker holds: who asks `/readyz` in a loop does not load it."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A certificate that the settings name and that is not there, or is none."""


def disk_percent(folder: Path) -> float:
    """How full the disk under a folder is, as `df` counts: what only root may use is full."""
    usage = shutil.disk_usage(folder)
    return 100 * usage.used / (usage.used + usage.free)


def certificate_ends(file: Path) -> datetime | Unreadable:
    """When the first of a PEM file's certificates ceases to be good: a chain is as good as its weakest link (F50)."""
    try:
        chain = x509.load_pem_x509_certificates(file.read_bytes())
    except (OSError, ValueError):
        return Unreadable()
    return min(certificate.not_valid_after_utc for certificate in chain)


def broker_error(url: str) -> str:
    """The kind of error when the broker of the settings, at `url`, is not reached, else empty; a few seconds old."""
    return _asked(url, int(clock.steady() // _BROKER_SECONDS))


@lru_cache(maxsize=1)
def _asked(_url: str, _moment: int) -> str:
    return broker.unreachable()
