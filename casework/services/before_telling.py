"""What a director must know before he files a ruling: the words to read aloud, and whose time would already be over."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casework.domain.labels import contestant
from casework.domain.minutes import has_run
from casework.domain.models import Session as PlayingSession
from casework.domain.models import Tournament
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import AppealRoute, Body
from casework.services.appeal_rights import paragraphs
from casework.services.loading import Loaded
from casework.services.opening import Contestants
from casework.services.reckoning import reckoned
from casework.text import Text, t

Sides = Iterable[tuple[Text, Iterable[UUID]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """A side whose time to appeal would have run out before the ruling is filed."""

    side: Text
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeTelling:
    """The words about appealing (R32), and the sides that would have no time left."""

    words: tuple[Text, ...]
    over: tuple[Over, ...]


def before_telling(
    found: Contestants | Loaded, director: str, told: Mapping[UUID, datetime], now: datetime
) -> BeforeTelling:
    """For a question at the table (`Contestants`) or a case that is open; `told` is whom the director has told, when.

    The window runs from the later of score and telling, as it will when the ruling is filed.
    """
    tournament, playing = found.tournament, found.playing_session
    profile = ProcedureProfile.from_json(found.case.profile if isinstance(found, Loaded) else tournament.profile)
    return BeforeTelling(
        words=tuple(_words(tournament, playing, profile, director)),
        over=tuple(_over(playing, profile, told, _sides(found), now)),
    )


def _sides(found: Contestants | Loaded) -> Sides:
    if isinstance(found, Contestants):
        seated = [each for side in found.sides.values() for each in side]
        return [(each.label, [player.person_id for player in each.players]) for each in seated]
    form, members = found.tournament.form, found.party_of_member
    return [(contestant(form, p.number, p.name), [m.person_id for m in members[p.id]]) for p in found.parties]


def _words(tournament: Tournament, playing: PlayingSession, profile: ProcedureProfile, director: str) -> Iterable[Text]:
    to_lk = tournament.appeal_route is AppealRoute.LAW_COMMISSION
    span = profile.span("appeal_window").words
    return paragraphs(
        Body.LAW_COMMISSION if to_lk else Body.JURY,
        tournament.form,
        profile.number("appeal_fee"),
        director,
        t("You have {span} from now.", span=span)
        if playing.published_at
        else t("You have {span} from when the official score is available.", span=span),
    )


def _over(
    playing: PlayingSession, profile: ProcedureProfile, told: Mapping[UUID, datetime], sides: Sides, now: datetime
) -> Iterable[Over]:
    for label, persons in sides:
        first = min((told[person] for person in persons if person in told), default=None)
        if first is None or playing.published_at is None:
            continue
        base = max(first, playing.published_at)
        ends = reckoned(base, profile.span("appeal_window"), label).instant
        if has_run(ends, now):
            yield Over(side=label, since=ends)
