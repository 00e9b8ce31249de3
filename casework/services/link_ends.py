"""When a side's mail links run out: thirty days after the last time of their case (S-LINK3).

While anything in the case runs or is to come they work, however long that takes; what happens afterwards gives thirty
days more, and a case that is opened again opens them.
"""

from datetime import datetime

from casework.services.links import RENEWED
from casework.services.standing import current, ends
from casework.services.step import Step


def set_link_ends(step: Step) -> None:
    """Let the sides' links of the case end as the case now stands."""
    until = _until(step)
    for (_, party_id), link in step.loaded.links.items():
        if party_id is not None and link.revoked_at is None and link.expires_at != until:
            link.expires_at = until
            step.session.add(link)


def _until(step: Step) -> datetime | None:
    deadlines = step.loaded.deadlines
    if step.child is not None or any(d.ended is None for d in deadlines) or not ends(current(step.loaded.proceedings)):
        return None
    return max([step.now, *(d.instant for d in deadlines if d.instant is not None)]) + RENEWED
