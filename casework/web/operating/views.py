"""For the machines that watch: whether the installation works, and its measures."""

import hmac
from datetime import timedelta

from flask import Blueprint, Response, jsonify, request

from casework.adapters.database import DatabaseAway
from casework.clock import now
from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.operation import AlarmKind, Readings, alarms, overdue
from casework.domain.terms import NoticeState
from casework.services import health
from casework.settings import get_settings
from casework.web.operating.metrics import CONTENT_TYPE, exposition
from casework.web.permission import permission
from casework.web.units import reading

blueprint = Blueprint("operating", __name__)
_WAITING = (NoticeState.DUE, NoticeState.UNSURE, NoticeState.FAILED, NoticeState.CALLED_BACK)


@blueprint.get("/readyz")
@permission(Permission.ANYONE)
def readyz() -> Response:
    """200 when nothing is beyond its limit, else 503; no personal data."""
    try:
        with reading() as session:
            if not health.up_to_date(session):  # what else there is may not be readable
                return _answer([AlarmKind.SCHEMA], {"database": True, "up_to_date": False})
            here = health.read(session, now())
    except DatabaseAway:
        return _answer([AlarmKind.DATABASE], {"database": False})
    return _answer(alarms(here, health.limits()), {"database": True, **_shown(here)})


@blueprint.get("/metrics")
@permission(Permission.ANYONE)
def metrics() -> Response:
    """For Prometheus, read from the database at each scrape: whichever process answers, the answer is the same.

    The way in is a secret, not the address that asks: behind a proxy everybody seems to come from this machine.
    """
    token = get_settings().metrics_token.get_secret_value()
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not token or not hmac.compare_digest(shown.encode(), token.encode()):
        raise Missing
    try:
        with reading() as session:
            here, took = health.read(session, now()), health.durations(session)
    except DatabaseAway:
        here, took = None, []
    return Response(exposition(here, took, health.limits()), content_type=CONTENT_TYPE)


def _answer(red: list[AlarmKind], shown: dict[str, object]) -> Response:
    answer = jsonify({"status": "red" if red else "ready", "red": [kind.value for kind in red], **shown})
    answer.status_code = 503 if red else 200
    return answer


def _shown(here: Readings) -> dict[str, object]:
    ages = {state: here.oldest.get(state) for state in _WAITING}
    return {
        "up_to_date": here.up_to_date,
        **{f"oldest_{state}_seconds": _seconds(age) for state, age in ages.items()},
        "bounced_decisions": here.bounced_decisions,
        "sweep_age_seconds": _seconds(here.sweep_age),
        "worker_age_seconds": _seconds(here.worker_age),
        "periodic_overdue": [work.value for work in overdue(here, health.limits())],
        "clock_believed": here.clock_believed,
        "clock_ahead_of_database_seconds": here.clock_skew.total_seconds(),
        "mail_server_down_seconds": _seconds(here.mail_down),
        "broker": not here.broker,
        "red_steps": here.red_steps,
        "disk_percent": round(here.disk_percent, 1),
        "certificate_days": here.certificate.days if here.certificate is not None else None,
    }


def _seconds(age: timedelta | None) -> float | None:
    return None if age is None else age.total_seconds()
