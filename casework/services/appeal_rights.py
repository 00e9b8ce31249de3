"""What everybody who gets a decision is told about appealing it: that, how, until when, to which body (R23, R32, R38).

One text for the mail, the letter, the case page and the director who reads it aloud; on paper it says the ways that a
reader without mail has. It is computed, never typed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casework.domain.calendar import Span, Unit
from casework.domain.labels import label
from casework.domain.minutes import has_run
from casework.domain.models import Deadline
from casework.domain.terms import Body, DeadlineEnd, DeadlineKind, Form, NoticeKind, ProceedingKind
from casework.domain.workflow.facts import Facts
from casework.domain.workflow.guards import is_being_tried
from casework.domain.workflow.lodging import way_on
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.services.times_ahead import why
from casework.services.waiting import body_name
from casework.settings import get_settings
from casework.text import Text, sentences, t

WITH_RIGHTS = frozenset({NoticeKind.RULING, NoticeKind.DECISION, NoticeKind.WINDOW_OPEN, NoticeKind.WINDOW_PROLONGED,
                         NoticeKind.WINDOW_MOVED})  # fmt: skip
"""Notices that tell a party of something that can be appealed (R32)."""


class NoAppealRights(Exception):
    """A decision can be appealed, and the party's window is not there: nothing about it is written or sent (R32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealRights:
    """The block: a heading and its paragraphs. `window` is the party's own; none where nobody can appeal any more."""

    title: Text
    paragraphs: tuple[Text, ...]
    window: Deadline | None = None


def appeal_rights(loaded: Loaded, party_id: UUID, now: datetime, *, paper: bool = False) -> AppealRights:
    """What a party is told about appealing the loaded proceeding's decision; at `now` its time may have run out.

    `paper`: its reader gets a letter, and has neither page nor link.

    Raises:
        NoAppealRights: the decision can be appealed, but the party has no window.
    """
    facts = snapshot(loaded)
    body = way_on(facts)
    if body is None:
        return _final(facts)
    window = window_of(loaded, party_id)
    if window is None:
        raise NoAppealRights
    if is_being_tried(facts):
        return _tried(facts, body)
    director = loaded.proceeding.director_id
    named = loaded.persons.get(director) if director else None
    return AppealRights(
        title=t("How to appeal"),
        paragraphs=tuple(
            paragraphs(
                body,
                facts.form,
                facts.profile.number("appeal_fee"),
                named.name if named else "",
                _when(loaded, window, now, paper=paper),
                paper=paper,
            )
        ),
        window=window,
    )


def has_rights(loaded: Loaded, facts: Facts, party_id: UUID | None) -> bool:
    """Whether it is known what a party is to be told about appealing, by what `appeal_rights` would say."""
    return party_id is not None and (way_on(facts) is None or window_of(loaded, party_id) is not None)


def window_of(loaded: Loaded, party_id: UUID) -> Deadline | None:
    """A party's time to appeal the loaded proceeding's decision, as it now stands."""
    windows = (
        deadline
        for deadline in loaded.deadlines
        if deadline.proceeding_id == loaded.proceeding.id
        and deadline.kind is DeadlineKind.APPEAL_WINDOW
        and deadline.party_id == party_id
        and deadline.ended is not DeadlineEnd.MOVED
    )
    return max(windows, key=lambda deadline: deadline.opened_at, default=None)


def _tried(facts: Facts, body: Body) -> AppealRights:
    """No appeal is taken in any more, not even a late one."""
    ruling = facts.this.kind is ProceedingKind.RULING
    return AppealRights(
        title=t("The ruling is appealed already") if ruling else t("The decision is appealed already"),
        paragraphs=(
            t("{body} has begun to decide on an appeal of it, so it is too late to appeal it now.",
              body=body_name(body)),
        ),
    )  # fmt: skip


def _final(facts: Facts) -> AppealRights:
    if facts.this.body is Body.LAW_COMMISSION:
        why = t("The Law Commission's decision is final and cannot be appealed.")
    else:
        why = t("In this tournament the jury's decision is final.")
    return AppealRights(title=t("The decision is final"), paragraphs=(why,))


def paragraphs(body: Body, form: Form, fee: int, director: str, when: Text, *, paper: bool = False) -> Iterator[Text]:
    """The block's own words; `when` says until when."""
    yield t("You have the right to appeal. The appeal is tried by {body}.", body=label(body))
    yield when
    yield _way_by_post(director) if paper else _way(director)
    yield t("Say what you want changed, and on what grounds.")
    if form is Form.PAIRS:
        yield _partner_by_post() if paper else _partner()
    elif form is Form.TEAMS:
        yield t("The captain of the team must stand behind the appeal.")
    if fee:
        yield t("The fee for an appeal is {fee} kronor.", fee=fee)
    yield t("If you are late you can still appeal. Then {body} decides whether the appeal is tried.", body=label(body))


def _way(director: str) -> Text:
    if not director:
        return t("You appeal through the director: with the button on the case's page, or in person.")
    return t(
        "You appeal through the director: with the button on the case's page, or in person to {director}.",
        director=director,
    )


def _way_by_post(director: str) -> Text:
    """An official registers it for him, from when it was said or came in (R23)."""
    return t(
        "You appeal through the director. Tell {director}, or call the federation's office on {phone}: it enters the "
        "appeal for you. You can also write to one of them. The appeal counts from when you say it, or from when what "
        "you write arrives.",
        director=director or label(Body.DIRECTOR),
        phone=get_settings().help_phone,
    )


def _partner() -> Text:
    return t("Both players of the pair must stand behind the appeal: your partner concurs through a separate link.")


def _partner_by_post() -> Text:
    return t(
        "Both players of the pair must stand behind the appeal: your partner concurs by telling the director or the "
        "office, or through a separate link if your partner has got one."
    )


def exact_time(*, paper: bool) -> Text:
    """Where a party sees until when, once a time that has not begun does."""
    if not paper:
        return t("The exact time then stands on the case's page.")
    phone = get_settings().help_phone
    return t("If no letter tells you the exact time, the federation's office does, on {phone}.", phone=phone)


def _when(loaded: Loaded, window: Deadline, now: datetime, *, paper: bool) -> Text:
    """Until when, in the very words that the page shows (one instant and one explanation everywhere)."""
    if window.instant is not None and has_run(window.instant, now):
        return t("The time to appeal ran out {instant}. {why}", instant=window.instant, why=window.explanation)
    if window.instant is not None:
        return t("Appeal no later than {instant}. {why}", instant=window.instant, why=window.explanation)
    return sentences((_not_begun(loaded, window), exact_time(paper=paper)))


def _not_begun(loaded: Loaded, window: Deadline) -> Text:
    if window.halted_at is not None:
        return window.explanation
    span = Span(window.span_value, Unit(window.span_unit)).words
    waits = why(loaded, window, mine=True)
    if loaded.playing_session.published_at is None:
        return t("You have {span}. {why}", span=span, why=waits)
    if loaded.tournament.form is Form.INDIVIDUAL:
        return t(
            "You have {span}. {why} If you have not been told before, this notice is what counts: the time runs from "
            "when it reaches you.",
            span=span,
            why=waits,
        )
    return t(
        "You have {span}. {why} If nobody on your side has been told before, this notice is what counts: the time runs "
        "from when it reaches you.",
        span=span,
        why=waits,
    )
