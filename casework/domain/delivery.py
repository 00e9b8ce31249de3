"""How far a mail came on its way to a server, and what must be true before it goes."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class SmtpPhase(StrEnum):
    """How far the handing over of a mail came."""

    WORDS = "words"
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


class OurReason(StrEnum):
    """Why a mail did not go where no mail server has said it: so it is kept, and people read its label."""

    NO_ANSWER = "no answer from the mail server"
    NO_SERVER = "no mail server in the settings (CASEWORK_SMTP_HOST)"
    NOT_OFFERED = "the mail server does not offer what the settings demand (STARTTLS, or a way to sign in)"
    NOT_SAFE = "the line is not safe"
    LETTERS = "the mail server does not take an address with these letters"
    TOO_LARGE = "the mail server does not take so large a message"
    NOT_WRITTEN = "the words of the message could not be made"
    NO_ADDRESS = "the address cannot be mailed"
    WORKER_DIED = "the worker died while the message went out"
    GAVE_UP = "given up after repeated errors"
    WRONG_CLOCK = "written while the clock was wrong"
    NOT_NEEDED = "what it asked for was done or over before it was sent"


class Waits(StrEnum):
    """Why a mail has not gone yet."""

    HELD = "held"
    NOT_ENCRYPTED = "not_encrypted"
    NOT_TAKEN = "not_taken"


def our_reason(phase: SmtpPhase, reply: str) -> OurReason | None:
    """What stands for an answer that no server gave; None where the line is a server's own, which is evidence."""
    if phase in (SmtpPhase.ACCEPTED, SmtpPhase.RETURNED) or re.match(r"[2-5][0-9]{2}\b", reply):
        return None
    otherwise = OurReason.NOT_SAFE if phase is SmtpPhase.TLS else OurReason.NO_ANSWER
    return next((reason for reason in OurReason if reason in reply), otherwise)


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


class NotWritten(Exception):
    """The words of a notice cannot be made from what is in the case: trying again does not help."""


class NotNeeded(Exception):
    """A notice asks for what is done, or reminds of what is over: it is not sent (`services.late_mails`)."""


class Outdated(Exception):
    """What a mail says of a deadline does not hold any more: it must be written anew before it goes."""
