"""Signs of life for the machine that watches."""

from datetime import datetime

from sqlmodel import Session, select

from casework.domain.models import Tick


def last_sweep(session: Session) -> datetime | None:
    """When the clock last looked for due work; None before its first time."""
    return session.exec(select(Tick.at).where(Tick.name == "sweep")).first()
