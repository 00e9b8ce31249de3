"""Giving duties to a Celery application: tasks are plain functions, here they get their names."""

from celery import Celery
from celery.signals import setup_logging

from casework.adapters import broker
from workers.duties import Duties


def worker_app(duties: Duties) -> Celery:
    """The application that a worker runs."""
    app = broker.application()
    app.task(duties.run_job, name=broker.RUN_JOB)
    app.task(duties.ring_due, name=broker.SWEEP)
    return app


@setup_logging.connect
def _leave_logging_alone(**_: object) -> None:
    """Celery's own set-up would print arguments and repeat what the command line has set up."""
