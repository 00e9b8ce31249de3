"""The office's worker, with jobs that go wrong on demand: `python -m tests.faults.staff`.

All its duties are the product's own. Added is a kind of job that hangs, and from the environment a time limit, a
language whose ruling mail is broken, and a recipient whose mail crashes the process.
"""

import os
import signal
import threading
from dataclasses import replace
from datetime import datetime

from jinja2 import ChoiceLoader, DictLoader, Environment

from casework.adapters import mail
from casework.adapters.i18n import jinja_environment
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.terms import JobState
from casework.services import notice_words
from tests.workers.probe import mark
from workers.entry import run_worker, worker_app
from workers.handlers import DUTIES

SLOW = "slow"
LIMIT, PROCESSES = "CASEWORK_TEST_LIMIT", "CASEWORK_TEST_PROCESSES"
BROKEN_LANGUAGE, POISON = "CASEWORK_TEST_BROKEN_LANGUAGE", "CASEWORK_TEST_POISON"


def poison(address: str) -> None:
    """To write this recipient's mail crashes the process, as a library in C does."""
    build = mail.build

    def crashing(letter: mail.Letter, date: datetime) -> mail.Message:
        if letter.to_address == address:
            os.kill(os.getpid(), signal.SIGSEGV)
        return build(letter, date)

    vars(mail)[build.__name__] = crashing


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
    if os.environ.get(POISON):
        poison(os.environ[POISON])
    app = worker_app(replace(DUTIES, handlers={**DUTIES.handlers, SLOW: Handler(run=slow)}))
    if os.environ.get(LIMIT):
        app.conf.task_time_limit = float(os.environ[LIMIT])
        app.conf.task_soft_time_limit = None
    run_worker(app, processes=int(os.environ.get(PROCESSES, "1")))
