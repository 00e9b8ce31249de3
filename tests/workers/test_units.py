"""The systemd units: sound, hardened, and what each starts does its work and stops in time (R-DEPLOY1)."""

import configparser
import http.client
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.cli import main
from casework.domain.models import Tick
from casework.services import health
from tests import support
from tests.browser.programs import free_port
from tests.conftest import Set
from tests.workers.conftest import kill_group
from tests.workers.waiting import wait_until

SERVICES = ("casework-web", "casework-worker", "casework-clock")
STOP_SECONDS = 20


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units as they are written for this installation."""
    folder = tmp_path / "units"
    folder.mkdir()
    assert main(["units", str(folder)]) == 0
    return folder


def unit(folder: Path, name: str) -> configparser.SectionProxy:
    """What a service unit says; a setting that stands twice has its last value."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their capitals
    parser.read(folder / f"{name}.service")
    return parser["Service"]


def test_systemd_finds_nothing_wrong(units: Path) -> None:
    support.need("systemd-analyze", reachable=shutil.which("systemd-analyze") is not None)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(map(str, units.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_a_folder_that_is_not_there_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["units", str(tmp_path / "missing")]) == 1
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_unit_starts_may_next_to_nothing(units: Path, name: str) -> None:
    service = unit(units, name)
    asked = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes"}
    asked |= {"CapabilityBoundingSet": "", "User": "casework", "TimeoutStopSec": str(STOP_SECONDS)}
    assert {key: service[key] for key in asked} == asked


class Services:
    """The processes that the units start, with the settings of the test."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        environment = os.environ | {"PORT": str(self.port), "CASEWORK_SWEEP_SECONDS": "0.5"}
        self.processes = {
            name: subprocess.Popen(
                shlex.split(unit(folder, name)["ExecStart"]), env=environment, start_new_session=True
            )
            for name in SERVICES
        }

    def ready(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            with connection.getresponse() as answer:
                return answer.status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        for process in self.processes.values():
            kill_group(process)


@pytest.fixture
def services(sqlite: str, units: Path, settings: Set) -> Iterator[Services]:
    settings(sweep_seconds=0.5)
    started = Services(units)
    yield started
    started.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")
def test_each_exec_start_works_and_stops(services: Services) -> None:
    """`/readyz` is 200 when the web answers, the clock ticks and a worker has heard its bell."""
    wait_until(services.ready, "all three do their work")
    with uow() as session:
        assert set(session.exec(select(Tick.name))) >= {health.SWEEP, health.WORKER}
    for process in services.processes.values():
        process.send_signal(signal.SIGTERM)
    for name, process in services.processes.items():
        assert process.wait(STOP_SECONDS) == 0, name
