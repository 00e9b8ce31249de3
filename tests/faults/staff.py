"""The office's worker, with jobs that go wrong on demand: `python -m tests.faults.staff`.

All its duties are the product's own. Added are two kinds of jobs, and from the environment a time limit and a
language whose ruling mail is broken.
"""

import os
import signal
import threading
from dataclasses import replace

from jinja2 import ChoiceLoader, DictLoader, Environment

from casework.adapters.i18n import jinja_environment
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.terms import JobState
from casework.services import notice_words
from tests.workers.probe import mark
from workers.entry import run_worker, worker_app
from workers.handlers import DUTIES

POISON, SLOW = "poison", "slow"
LIMIT, BROKEN_LANGUAGE, PROCESSES = "CASEWORK_TEST_LIMIT", "CASEWORK_TEST_BROKEN_LANGUAGE", "CASEWORK_TEST_PROCESSES"


def poison(claim: Claim) -> Ending:
    """Crash as a library in C does, whenever it is tried."""
    os.kill(os.getpid(), signal.SIGSEGV)
    return Ending(JobState.DONE)


def slow(claim: Claim) -> Ending:
    """Hang at the first try, and be quick at the second."""
    with mark("slow").open("a") as tries:
        tries.write(f"{claim.attempts}\n")
    if claim.attempts == 1:
        threading.Event().wait(600)
    return Ending(JobState.DONE)


def break_language(language: str) -> None:
    """The ruling's mail can no longer be written in one language."""

    def broken(wanted: str) -> Environment:
        environment = jinja_environment(wanted)
        if wanted != language or environment.loader is None:
            return environment
        wrong = DictLoader({"mail/ruling/words.txt": "{% if %}"})
        return environment.overlay(loader=ChoiceLoader([wrong, environment.loader]))

    vars(notice_words)[jinja_environment.__name__] = broken


if __name__ == "__main__":
    if os.environ.get(BROKEN_LANGUAGE):
        break_language(os.environ[BROKEN_LANGUAGE])
    app = worker_app(
        replace(DUTIES, handlers={**DUTIES.handlers, POISON: Handler(run=poison), SLOW: Handler(run=slow)})
    )
    if os.environ.get(LIMIT):
        app.conf.task_time_limit = float(os.environ[LIMIT])
        app.conf.task_soft_time_limit = None
    run_worker(app, processes=int(os.environ.get(PROCESSES, "1")))
