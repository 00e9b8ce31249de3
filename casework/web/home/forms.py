"""What a reader chooses about how pages look."""

import wtforms

from casework.text import t
from casework.web.forms import Form, options


class SuitsForm(Form):
    """Two colours as on most packs, or one for each suit."""

    colours = wtforms.RadioField(
        t("How shall the suits be coloured?"),
        choices=options(("two", t("Two colours: ♠ ♣ black, ♥ ♦ red")), ("four", t("Four colours: one for each suit"))),
    )
