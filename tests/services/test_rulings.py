"""From a question at the table to a ruling that every party has been told (R22, R32, R39, R43, R49-R64)."""

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event
from sqlmodel import select

from casework.adapters import database as adapter
from casework.adapters.database import uow
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.models import (
    Case,
    Consequence,
    Deadline,
    Decision,
    Event,
    Grant,
    Notice,
    OutboxJob,
    Proceeding,
    Statement,
)
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import (
    Channel,
    FilingChannel,
    Form,
    NoticeKind,
    NoticeState,
    Role,
    RulingOutcome,
    Side,
    State,
)
from casework.services import at_the_table, history, rulings
from casework.services.step import AlreadyDone, FormInstance
from tests import factories
from tests.factories import START, Federation
from tests.services.filing import FILED, PLAYERS, file_ruling, incident, rows


def test_r22_r32_the_short_form_opens_the_case_and_tells_every_member_at_once(there: Federation) -> None:
    file_ruling(there)
    (case,) = rows(Case)
    assert (case.number, case.law_edition) == ("SBF-2026-0001", LawEdition.laws_2017)
    assert [p.state for p in rows(Proceeding)] == [State.GIVEN]
    told = rows(Notice)
    assert {notice.person_id for notice in told} == {there.persons[key] for key in PLAYERS}
    assert {(n.kind, n.channel, n.state) for n in told} == {(NoticeKind.RULING, Channel.MAIL, NoticeState.DUE)}
    assert len(rows(OutboxJob, OutboxJob.kind == "mail")) == 4


def test_r32_no_window_runs_before_score_and_proof(there: Federation) -> None:
    file_ruling(there)
    windows = rows(Deadline)
    assert len(windows) == 2
    assert {(w.base, w.instant) for w in windows} == {(None, None)}


def test_r32_who_was_told_at_the_table_is_proven_told_from_then(there: Federation) -> None:
    """His window starts with the score; the other side's waits for its own proof."""
    at = FILED - timedelta(minutes=5)
    file_ruling(there, given_at=at, told={there.persons["north"]: at})
    spoken = rows(Notice, Notice.channel == Channel.SPOKEN)
    assert [(n.person_id, n.proven_at) for n in spoken] == [(there.persons["north"], at)]
    assert len(rows(Notice, Notice.channel == Channel.MAIL)) == 4
    published = FILED + timedelta(hours=1)
    factories.publish_score(there, at=published)
    ends = {w.instant for w in rows(Deadline)}
    assert ends == {published + timedelta(minutes=30), None}


def test_r32_told_after_the_score_the_window_runs_from_the_telling(there: Federation) -> None:
    """B1.3, B1.24."""
    factories.publish_score(there, at=FILED - timedelta(minutes=30), now=FILED)
    file_ruling(there, told={there.persons["east"]: FILED})
    assert {w.instant for w in rows(Deadline)} == {FILED + timedelta(minutes=30), None}


def test_a_person_without_mail_gets_a_letter_to_be_posted(database: str) -> None:
    """B2.41, B2.42."""
    there = factories.federation(without_mail=frozenset({"west"}))
    file_ruling(there)
    letters = rows(Notice, Notice.channel == Channel.LETTER)
    assert [(n.person_id, n.state) for n in letters] == [(there.persons["west"], NoticeState.TO_BE_POSTED)]


def test_given_and_recorded_both_stand(there: Federation) -> None:
    given = FILED - timedelta(minutes=40)
    file_ruling(there, given_at=given)
    (decision,) = rows(Decision)
    assert (decision.given_at, decision.recorded_at) == (given, FILED)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"given_at": FILED + timedelta(minutes=1)}, "given_at"),
        ({"given_at": START - timedelta(days=1)}, "given_at"),
    ],
)
def test_impossible_times_are_said_at_their_field(there: Federation, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refused:
        file_ruling(there, **changes)
    assert set(refused.value.fields) == {field}
    assert rows(Case) == []


@pytest.mark.parametrize("minutes", [-30, 1])
def test_nobody_is_told_before_the_ruling_or_in_the_future(there: Federation, minutes: int) -> None:
    told = {there.persons["north"]: FILED + timedelta(minutes=minutes)}
    with pytest.raises(Invalid) as refused:
        file_ruling(there, told=told)
    assert set(refused.value.fields) == {"told_at"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"operative": " "}, "Write what you have decided."),
        ({"facts": ""}, "Write what happened."),
        ({"laws": ()}, "Say which laws the ruling rests on."),
        ({"reasons": ""}, "A ruling of judgement needs its reasons."),
    ],
)
def test_r32_an_incomplete_ruling_is_refused_whole(there: Federation, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        file_ruling(there, **changes)
    assert [reason.msgid for reason in refused.value.reasons] == [words]
    assert (rows(Case), rows(Notice)) == ([], [])


def test_a_director_who_is_a_party_is_told_why_he_cannot_rule(there: Federation) -> None:
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons["north"], role=Role.DIRECTOR, tournament_id=there.tournament_id))
    with pytest.raises(NotAllowed, match="another director must rule"):
        file_ruling(there, who="north")


def test_only_directors_of_the_tournament_file_a_ruling_there(there: Federation) -> None:
    with pytest.raises(Missing):
        file_ruling(there, who="juror_1")


def test_an_assistant_may_give_the_ruling(there: Federation) -> None:
    with uow(write=True) as session:
        session.add(
            Grant(person_id=there.persons["juror_2"], role=Role.ASSISTANT_DIRECTOR, tournament_id=there.tournament_id)
        )
    file_ruling(there, who="juror_2")
    assert [d.given_by for d in rows(Decision)] == [there.persons["juror_2"]]


def test_contestants_that_do_not_exist_are_named_by_side(there: Federation) -> None:
    wrong = incident(there, contestants={Side.NORTH_SOUTH: (99,), Side.EAST_WEST: (99,)})
    with pytest.raises(Invalid) as refused, uow(write=True) as session:
        at_the_table.file_ruling(session, wrong, there.actor("director"), factories.ruling(), now=FILED)
    assert set(refused.value.fields) == {"north_south", "east_west"}


def test_r_dbl1_the_same_form_opens_one_case(there: Federation) -> None:
    form = FormInstance(form_id=uuid4())
    file_ruling(there, form=form)
    with pytest.raises(AlreadyDone):
        file_ruling(there, form=form)
    assert len(rows(Case)) == 1


def test_r43_the_day_of_the_incident_picks_the_laws(there: Federation) -> None:
    with uow(write=True) as session:
        old = incident(there, occurred_on=date(2016, 5, 5))
        at_the_table.postpone_at_once(session, old, there.actor("director"), waits_for="spelarna", now=FILED)
    assert [case.law_edition for case in rows(Case)] == [LawEdition.laws_2007]


def test_a_ruling_that_changes_the_score_leaves_a_task_and_one_that_does_not_leaves_none(there: Federation) -> None:
    file_ruling(there)
    file_ruling(there, outcome=RulingOutcome.RESULT_STANDS)
    assert len(rows(Consequence)) == 1


def test_the_short_form_takes_few_statements(there: Federation) -> None:
    """At most 20 from BEGIN to COMMIT, people looked up before it."""
    actor = there.actor("director")
    file_ruling(there)  # The year's counter exists.
    with statements() as seen, uow(write=True) as session:
        at_the_table.file_ruling(session, incident(there), actor, factories.ruling(), now=FILED)
    assert len(seen) <= 20, seen


# Postponed, asked for, handed over


def test_r22_a_ruling_may_be_postponed_and_given_later(there: Federation) -> None:
    case = factories.open_case(there)
    director = there.actor("director")
    with uow(write=True) as session:
        rulings.postpone_ruling(session, case.proceeding_id, director, waits_for="Systemkortet.", now=FILED)
    assert [(p.state, p.waits_for) for p in rows(Proceeding)] == [(State.POSTPONED, "Systemkortet.")]
    assert {n.kind for n in rows(Notice)} == {NoticeKind.RULING_POSTPONED}
    factories.give_ruling(there, case, at=FILED + timedelta(hours=1))
    assert [p.state for p in rows(Proceeding)] == [State.GIVEN]


def test_r22_a_ruling_is_not_postponed_without_saying_what_it_waits_for(there: Federation) -> None:
    case = factories.open_case(there)
    with pytest.raises(NotAllowed, match="waited for"), uow(write=True) as session:
        rulings.postpone_ruling(session, case.proceeding_id, there.actor("director"), waits_for="  ", now=FILED)


@pytest.mark.parametrize("postponed", [False, True])
def test_r22_the_director_never_leaves_the_ruling_to_the_jury(there: Federation, *, postponed: bool) -> None:
    case = factories.open_case(there)
    director = there.actor("director")
    if postponed:
        with uow(write=True) as session:
            rulings.postpone_ruling(session, case.proceeding_id, director, waits_for="Spelarna.", now=FILED)
    with pytest.raises(NotAllowed, match="You must give a ruling before"), uow(write=True) as session:
        rulings.send_to_jury(session, case.proceeding_id, director, now=FILED)


def test_r22_a_player_asks_an_organiser_appoints_and_the_director_rules(there: Federation) -> None:
    with uow(write=True) as session:
        step = at_the_table.request_ruling(
            session, incident(there), there.actor("north"), text="Fel förklaring av 2♣.", now=FILED
        )
        proceeding_id = step.proceeding.id
    assert [(s.author_id, s.channel, s.entered_by) for s in rows(Statement)] == [
        (there.persons["north"], FilingChannel.ACCOUNT, None)
    ]
    asked = rows(Notice)
    assert {(n.kind, n.person_id) for n in asked} == {
        (NoticeKind.RULING_ASKED, there.persons["organiser"]),
        (NoticeKind.RULING_ASKED, there.persons["office"]),
    }
    with uow(write=True) as session:
        rulings.appoint_director(
            session, proceeding_id, there.actor("organiser"), director_id=there.persons["director"], now=FILED
        )
        rulings.give_ruling(session, proceeding_id, there.actor("director"), factories.ruling(), now=FILED)
    assert [p.state for p in rows(Proceeding)] == [State.GIVEN]
    assert there.persons["director"] in {n.person_id for n in rows(Notice, Notice.kind == NoticeKind.TO_RULE)}


def test_a_request_is_part_of_the_chain(there: Federation) -> None:
    with uow(write=True) as session:
        at_the_table.request_ruling(session, incident(there), there.actor("north"), text="Fel förklaring.", now=FILED)
    with uow() as session:
        case = session.exec(select(Case)).one()
        (opening,) = session.exec(select(Event))
        assert len(opening.data["filed"]) == 1
        assert history.verify(session, case) is None


def test_the_office_enters_what_a_captain_asked_by_phone(there: Federation) -> None:
    with uow(write=True) as session:
        at_the_table.request_ruling(
            session,
            incident(there),
            there.actor("office"),
            text="Lag 12 begär domslut.",
            asked_by=there.persons["west"],
            channel=FilingChannel.PHONE,
            now=FILED,
        )
    assert [(s.author_id, s.entered_by, s.channel) for s in rows(Statement)] == [
        (there.persons["west"], there.persons["office"], FilingChannel.PHONE)
    ]


def test_a_request_is_entered_only_for_somebody_who_played(there: Federation) -> None:
    with pytest.raises(Invalid) as refused, uow(write=True) as session:
        at_the_table.request_ruling(
            session, incident(there), there.actor("office"), text="?", asked_by=there.persons["juror_1"], now=FILED
        )
    assert set(refused.value.fields) == {"asked_by"}


def test_a_stranger_asks_for_no_ruling(there: Federation) -> None:
    with pytest.raises(Invalid), uow(write=True) as session:
        at_the_table.request_ruling(session, incident(there), there.actor("lk_1"), text="?", now=FILED)


def test_a_ruling_is_handed_over_but_never_to_a_party(there: Federation) -> None:
    case = factories.open_case(there)
    with pytest.raises(NotAllowed, match="another director must rule"), uow(write=True) as session:
        rulings.hand_over_ruling(
            session, case.proceeding_id, there.actor("director"), director_id=there.persons["west"], now=FILED
        )
    with uow(write=True) as session:
        rulings.hand_over_ruling(
            session, case.proceeding_id, there.actor("director"), director_id=there.persons["chief"], now=FILED
        )
    assert [p.director_id for p in rows(Proceeding)] == [there.persons["chief"]]


def test_teams_know_who_did_not_sit_at_the_table(database: str) -> None:
    there = factories.federation(form=Form.TEAMS)
    with uow(write=True) as session:
        absent = incident(there, absent=frozenset({there.persons["north"]}))
        step = at_the_table.file_ruling(session, absent, there.actor("director"), factories.ruling(), now=FILED)
        seated = {member.person_id: member.at_table for member in step.loaded.members}
    assert seated == {there.persons[key]: key != "north" for key in PLAYERS}


def statements() -> "Counted":
    """Collects the SQL that runs within it."""
    return Counted()


class Counted:
    """The statements of the engine between enter and exit."""

    def __enter__(self) -> list[str]:
        self.seen: list[str] = []
        event.listen(adapter.engine(), "before_cursor_execute", self._note)
        return self.seen

    def __exit__(self, *_: object) -> None:
        event.remove(adapter.engine(), "before_cursor_execute", self._note)

    def _note(self, _c: object, _k: object, statement: str, *_: object) -> None:
        if not statement.startswith("PRAGMA"):
            self.seen.append(statement)
