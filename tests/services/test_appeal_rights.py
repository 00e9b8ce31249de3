"""That a party is told how to appeal is seen to when a notice is written (R32)."""

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import ActionName, NoticeKind, Part, Side
from casework.domain.workflow.ruling import RULING
from casework.domain.workflow.table import Changes, Telling
from casework.services import notifying
from casework.services.appeal_rights import NoAppealRights
from casework.services.loading import load
from casework.services.snapshot import snapshot
from casework.services.step import Step
from tests import factories


@pytest.mark.parametrize("side", [Side.NORTH_SOUTH, None])
def test_a_notice_that_lacks_the_way_to_appeal_is_never_written(sqlite: str, side: Side | None) -> None:
    """R32: it could never be sent, so the step that would write it does not stand."""
    there = factories.federation()
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    told = Telling(
        kind=NoticeKind.RULING,
        person_id=there.persons["north"],
        party_id=case.party_ids[side] if side else None,
    )
    with uow(write=True) as session:
        loaded = load(session, case.proceeding_id, lock=True)
        loaded.deadlines = []
        step = Step(
            session=session,
            loaded=loaded,
            facts=snapshot(loaded),
            changes=Changes(action=RULING.action(ActionName.GIVE_RULING), part=Part.DIRECTOR, tellings=(told,)),
            actor=there.actor("director"),
            now=factories.START,
            data={},
            subject_id=None,
            party_id=None,
        )
        before = session.exec(select(Notice.id)).all()
        with pytest.raises(NoAppealRights):
            notifying.prepare(step)
        assert session.exec(select(Notice.id)).all() == before
