"""Web, worker and clock as they run in earnest, each in a process group of its own that can be killed and begun."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Link
from casework.domain.terms import LinkPurpose
from casework.paths import PACKAGE
from casework.services import links
from casework.settings import get_settings
from tests import factories
from tests.conftest import Set
from tests.faults import servers
from tests.faults.filer import Browser, Filer
from tests.faults.office import Office, kill_group
from tests.workers.waiting import wait_until


@dataclass
class Programs:
    """Named commands, at most one process of each."""

    log: Path
    commands: dict[str, Sequence[str]]
    running: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Begin it, unless it runs."""
        if name in self.running:
            return
        command = [sys.executable, "-m", *self.commands[name]]
        environment = {**os.environ, "CASEWORK_TEST_PROCESSES": "2"}
        with self.log.open("ab") as log:
            self.running[name] = subprocess.Popen(
                command, cwd=PACKAGE.parent, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, name: str) -> None:
        """Kill it with its children."""
        if name in self.running:
            kill_group(self.running.pop(name))

    def kill_all(self) -> None:
        for name in list(self.running):
            self.kill(name)


def web_command(port: int, *, processes: int = 2) -> Sequence[str]:
    return ["casework.cli", "web", "--bind", f"127.0.0.1:{port}", "--processes", str(processes)]


@contextmanager
def serving(office: Office, settings: Set) -> Iterator[str]:
    """The web alone; gives its address."""
    port = servers.free_port()
    url = f"http://127.0.0.1:{port}"
    settings(public_base_url=url)
    programs = Programs(get_settings().data / "web.log", {"web": web_command(port)})
    programs.start("web")
    try:
        wait_until(lambda: servers.listens(port), "the web answers")
        yield url
    finally:
        programs.kill_all()


def party(there: factories.Federation, url: str) -> Filer:
    """North of a new case with a ruling, who was told at the table and has his link."""
    now = clock.now()
    case = factories.open_case(there, at=now)
    told = {there.persons[key]: now for key in factories.PLAYERS}
    factories.give_ruling(there, case, at=now, told=told)
    with uow() as session:
        mine = select(Link).where(Link.case_id == case.case_id, Link.person_id == there.persons["north"])
        link = session.exec(mine.where(Link.purpose == LinkPurpose.PARTY)).one()
        return Filer(Browser(url), f"/l/{links.link_token(link)}", case.case_id)
