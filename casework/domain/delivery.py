"""How far a mail came on its way to a server, and what must be true before it goes."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class SmtpPhase(StrEnum):
    """How far the handing over of a mail came."""

    ADDRESS = "address"
    CONNECT = "connect"
    TLS = "tls"
    LOGIN = "login"
    SENDER = "sender"
    RECIPIENT = "recipient"
    DATA = "data"
    FINAL_DOT = "final_dot"
    ACCEPTED = "accepted"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class NamedStart:
    """The start of a deadline that a mail names (`bases`): it is fixed with the deadline before the mail goes.

    `change` is which change of the deadline's end the mail tells; `made_at` is when the mail was written.
    """

    deadline_id: UUID
    proceeding_id: UUID
    at: datetime
    change: int
    made_at: datetime


class Outdated(Exception):
    """What a mail says of a deadline does not hold any more: it must be written anew before it goes."""
