"""What panels and directors may see beside a board, as advice: what the sides can make."""

from uuid import UUID

from casework.domain.bridge.double_dummy import DoubleDummy
from casework.services import double_dummy
from casework.web.permission import parts
from casework.web.sessions import current_actor
from casework.web.units import reading


def advice(case_id: UUID) -> DoubleDummy | None:
    """The advice that this page's reader may see, None where there is none for him."""
    with reading() as session:
        return double_dummy.advice(session, case_id, current_actor(), parts())
