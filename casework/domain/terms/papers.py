"""What is asked for and filed."""

from enum import StrEnum


class DemandKind(StrEnum):
    """What is asked for."""

    STATEMENT = "statement"
    ANSWER = "answer"


class DemandEnd(StrEnum):
    """How a demand ended."""

    ANSWERED = "answered"
    DECLINED = "declined"
    SILENT = "silent"
    RENEWED = "renewed"
    VOID = "void"


class StatementKind(StrEnum):
    """What a filed text is."""

    REQUEST = "request"
    REPORT = "report"
    STATEMENT = "statement"
    ANSWER = "answer"
    LATE = "late"
    ADDITION = "addition"


class FilingChannel(StrEnum):
    """How something reached us."""

    LINK = "link"
    TABLE = "table"
    PAPER = "paper"
    PHONE = "phone"
    ACCOUNT = "account"
