"""Whether a side can be given more time to appeal, said before it is given."""

from datetime import datetime

from casework.domain.errors import Invalid
from casework.domain.models import Deadline
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.guards import longer_than_before
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot


def refuse_prolonging(loaded: Loaded, deadline: Deadline, *, until: datetime, now: datetime) -> None:
    """Say at the field what the guard says of the whole step: raise Invalid for a time that cannot be given."""
    ask = Ask(
        person_id=None,
        parts=frozenset(),
        now=now,
        data={"until": until},
        subject_id=deadline.id,
        party_id=deadline.party_id,
    )
    if reason := longer_than_before(snapshot(loaded), ask):
        raise Invalid({"until": reason})
