"""Signs of life for the machine that watches."""

from datetime import datetime

from sqlmodel import Session, select

from casework.domain.models import Tick
from casework.services import clockwork


def last_sweep(session: Session) -> datetime | None:
    """When the clock last looked for due work; None before its first time."""
    return session.exec(select(Tick.at).where(Tick.name == "sweep")).first()


def stopped(session: Session) -> bool:
    """Whether nothing goes out because the clock jumped and nobody has confirmed it yet (F25)."""
    return clockwork.stop(session) is not None
