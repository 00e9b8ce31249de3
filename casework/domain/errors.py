"""What can go wrong for a person: each error has an HTTP status and words."""

from collections.abc import Mapping, Sequence

from casework.text import Text, t


class CaseworkError(Exception):
    """A refusal with its reason in words; `status` is the HTTP status the web answers with."""

    status = 400

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.msgid)
        self.reason = reason


class NotAllowed(CaseworkError):
    """The procedure or the policy says no; `reasons` lists all that stands in the way.

    `answers` names for each reason the answer that it is about, in what was typed; empty where it is about none.
    """

    status = 403

    def __init__(self, *reasons: Text, answers: Sequence[str] = ()) -> None:
        super().__init__(reasons[0])
        self.reasons = reasons
        self.answers = tuple(answers) or ("",) * len(reasons)


class NotNow(NotAllowed):
    """The case no longer stands, or not yet, where the step can be taken: the page names what moved it (R-TWO1)."""


class Conflict(CaseworkError):
    """Somebody was there first; what was typed is kept and shown beside what happened."""

    status = 409


class Overtaken(Conflict):
    """A conflict whose own words say who was there first, when and why."""


class Invalid(CaseworkError):
    """Bad input; `fields` maps a form field's name to what is wrong with it."""

    status = 422

    def __init__(self, fields: Mapping[str, Text]) -> None:
        super().__init__(next(iter(fields.values())))
        self.fields = fields


class Missing(CaseworkError):
    """There is no such thing, or the person may not know of it: the same answer."""

    status = 404

    def __init__(self) -> None:
        super().__init__(t("The page does not exist, or you may not see it."))
