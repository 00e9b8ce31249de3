"""A process that dies at any point of sending loses no notice and doubles none (F01–F05)."""

import pytest

from casework.adapters.failpoints import arm
from casework.domain.terms import NoticeState
from tests.faults import pairs
from tests.faults.office import Office, kill_group, lease_and_sweep
from tests.workers.waiting import wait_until

PHASES = [
    pytest.param("F01", "after_claim", 0, id="F01"),
    pytest.param("F02", "after_rcpt", 0, id="F02"),
    pytest.param("F03", "after_dot", 1, id="F03"),
    pytest.param("F04", "after_reply", 1, id="F04"),
]


@pytest.mark.fault(bites=pairs.EMBEDDED)
@pytest.mark.parametrize(("fault", "point", "unsure"), PHASES)
def test_a_process_killed_while_it_sends(office: Office, fault: str, point: str, unsure: int) -> None:
    """X30: before the message has gone out it is sent again, once; after that a person looks."""
    arm(point)
    office.rule()
    office.open()
    wait_until(lambda: office.mails(NoticeState.HANDED_OVER), "somebody is told")
    office.settle()
    assert len(office.mails(NoticeState.UNSURE)) == len(office.attention(NoticeState.UNSURE)) == unsure
    office.jump(days=2)
    office.settle()
    office.report(fault, within=lease_and_sweep(), note=f"{unsure} unsure" if unsure else "")


@pytest.mark.fault(bites=pairs.FULL)
def test_a_power_cut(office: Office) -> None:
    """F05: everything dies at once in the middle of a batch, and begins again."""
    office.rule(2)
    worker = office.open()
    wait_until(lambda: office.sink.messages, "the first mail is taken")
    kill_group(worker)
    office.work()
    office.settle()
    unsure = len(office.mails(NoticeState.UNSURE))
    assert unsure <= 1
    office.report("F05", within=lease_and_sweep(), note=f"{unsure} unsure" if unsure else "")
