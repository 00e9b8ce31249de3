"""What all tables share: names of constraints, ids, and the column types that keep values honest."""

from enum import StrEnum
from secrets import token_hex
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import JSON, ForeignKey, String, Uuid
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from casework.text import Text

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """A table row with a random id. Table models do not validate: only services build them, from checked input."""

    id: UUID = Field(default_factory=uuid4, primary_key=True)

    def __repr__(self) -> str:
        """Never a field's content: rows hold personal data and end up in logs."""
        return f"<{type(self).__name__} {self.id}>"


class _EnumText(TypeDecorator[StrEnum]):
    impl = String(40)
    cache_ok = True

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        return None if value is None else self.kind(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.kind(value)


class _TextJson(TypeDecorator[Text]):
    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Text | None, dialect: Dialect) -> Any:
        return None if value is None else value.to_json()

    def process_result_value(self, value: Any, dialect: Dialect) -> Text | None:
        return None if value is None else Text.from_json(value)


def enum_text(kind: type[StrEnum]) -> Any:
    """`Field(sa_type=enum_text(State))`: stored as its value, refused and validated on load if unknown."""
    return _EnumText(kind)


def text_json() -> Any:
    """`Field(sa_type=text_json())`: a `Text` as msgid and parameters."""
    return _TextJson(none_as_null=True)


def ref(target: str, *, index: bool = True, primary_key: bool = False) -> Any:
    """A foreign key to `target` ("cases.id").

    Checked at COMMIT, so that a step may write its rows in any order, each table once.
    """
    return Field(
        sa_type=Uuid,
        sa_column_args=[ForeignKey(target, deferrable=True, initially="DEFERRED")],
        index=index,
        primary_key=primary_key,
    )


def maybe_ref(target: str, *, index: bool = True) -> Any:
    """`ref`, or nothing."""
    return Field(
        default=None,
        nullable=True,
        sa_type=Uuid,
        sa_column_args=[ForeignKey(target, deferrable=True, initially="DEFERRED")],
        index=index,
    )


class Filed(Row):
    """A row that somebody filed: the chain holds a commitment to its content, the salt stands here (S-AUD6)."""

    salt: str = Field(default_factory=lambda: token_hex(16), max_length=32)


def json() -> Any:
    """`Field(sa_type=json())`: plain JSON; reassign it, a change inside is not seen."""
    return JSON(none_as_null=True)


__all__ = ["Filed", "Row", "enum_text", "json", "maybe_ref", "ref", "text_json"]
