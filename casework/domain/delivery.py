"""How far a mail came on its way to a server."""

from enum import StrEnum


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
