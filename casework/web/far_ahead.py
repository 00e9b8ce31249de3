"""Asking whether a time far ahead is meant, before it is stored: a question and no refusal."""

from datetime import datetime

import wtforms

from casework.domain.errors import Invalid
from casework.domain.far_ahead import far_ahead
from casework.text import t
from casework.web.forms import Form


class AsksFarAhead(Form):
    """A form whose time may be mistyped; show the field `far` where `asked`."""

    far = wtforms.BooleanField(t("Yes, the day is right"))
    asked = False

    def asks(self, at: datetime, now: datetime, *, on_site: bool) -> bool:
        """Whether the page must be shown once more, with the question: nobody has said yet that it is meant."""
        question = far_ahead(at, now, on_site=on_site)
        self.asked = question is not None
        if question is None or self.far.data:
            return False
        self.refused(Invalid({"far": question}))
        return True
