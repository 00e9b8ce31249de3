"""Giving duties to a Celery application: tasks are plain functions, here they get their names."""

import gc
import warnings

from celery import Celery
from celery.apps import worker as program
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging

from casework.adapters import broker, i18n
from workers.duties import Duties


def worker_app(duties: Duties) -> Celery:
    """The application that a worker runs."""
    app = broker.application()
    app.task(duties.answer, name=broker.RUN_JOB)
    app.task(duties.ring_due, name=broker.SWEEP)
    return app


def run_worker(app: Celery, *, processes: int) -> None:
    """Run until SIGTERM. The pool forks, for only that can put an end to a job that hangs."""
    program.safe_say = _say_nothing
    _read_ahead()
    # Celery warns root of messages that are code; ours are an id in JSON.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    arguments = ["--quiet", "worker", "--pool", "prefork", "--concurrency", str(processes), "--loglevel", "WARNING"]
    app.worker_main([*arguments, "--without-gossip", "--without-mingle", "--without-heartbeat"])


def _say_nothing(*_: object) -> None:
    """Celery would tell somebody at the terminal that it stops, in the midst of a log that machines read."""


def _read_ahead() -> None:
    """Every child is born with the catalogues, and looks none of what it is born with over for what could be freed."""
    for language in i18n.LANGUAGES:
        i18n.jinja_environment(language)
    gc.freeze()


@setup_logging.connect
def _leave_logging_alone(**_: object) -> None:
    """Celery's own set-up would print arguments and repeat what the command line has set up."""
