"""Turning loaded rows into the frozen facts that the procedure judges by."""

from datetime import datetime
from uuid import UUID

from casework.domain.labels import contestant
from casework.domain.models import Appeal, Notice, Panel, PartyMember, Proceeding
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import HearingStep, Role
from casework.domain.workflow.facts import (
    AppealFacts,
    DeadlineFacts,
    DemandFacts,
    Facts,
    MemberFacts,
    PanelFacts,
    PartyFacts,
    ProceedingFacts,
    ProofFacts,
    SeatFacts,
    StatementFacts,
)
from casework.domain.workflow.hearing_guards import steps_that_stand
from casework.services.loading import Loaded


def snapshot(loaded: Loaded) -> Facts:
    """The facts of a case around the loaded proceeding."""
    return Facts(
        case_id=loaded.case.id,
        law_edition=loaded.case.law_edition,
        form=loaded.tournament.form,
        appeal_route=loaded.tournament.appeal_route,
        profile=ProcedureProfile.from_json(loaded.case.profile),
        this=_proceeding(loaded, loaded.proceeding),
        published_at=loaded.playing_session.published_at,
        proceedings=tuple(_proceeding(loaded, p) for p in loaded.proceedings),
        parties=tuple(_party(loaded, party.id) for party in loaded.parties),
        appeals=tuple(_appeal(loaded, appeal) for appeal in loaded.appeals),
        demands=tuple(
            DemandFacts(
                id=d.id,
                proceeding_id=d.proceeding_id,
                party_id=d.party_id,
                kind=d.kind,
                about=frozenset(UUID(late) for late in d.about),
                ended=d.ended,
            )
            for d in loaded.demands
        ),
        statements=tuple(
            StatementFacts(
                id=s.id,
                proceeding_id=s.proceeding_id,
                kind=s.kind,
                party_id=s.party_id,
                received_at=s.received_at,
                opened=s.opened_at is not None,
                left_out=s.left_out_at is not None,
            )
            for s in loaded.statements
        ),
        panels=tuple(_panel(loaded, panel) for panel in loaded.panels),
        deadlines=_deadlines(loaded),
        proofs=_proofs(loaded),
        staff=frozenset((person, Role(held)) for person, held in loaded.staff),
        present_lk=frozenset(loaded.present),
        director_reachable=loaded.proceeding.director_id not in loaded.unreachable_staff,
    )


def _proceeding(loaded: Loaded, row: Proceeding) -> ProceedingFacts:
    decision = loaded.decision(row.id)
    return ProceedingFacts(
        id=row.id,
        kind=row.kind,
        body=row.body,
        state=row.state,
        version=row.version,
        parent_id=row.parent_id,
        tries_id=row.tries_id,
        director_id=row.director_id,
        lk_open=row.lk_open,
        taken_up=bool(row.taken_up_because),
        decision_id=decision.id if decision else None,
        decided_by=decision.given_by if decision else None,
        decided_at=decision.given_at if decision else None,
    )


def _party(loaded: Loaded, party_id: UUID) -> PartyFacts:
    party = next(p for p in loaded.parties if p.id == party_id)
    return PartyFacts(
        id=party.id,
        side=party.side,
        label=contestant(loaded.tournament.form, party.number, party.name),
        members=tuple(_member(loaded, member) for member in loaded.party_of_member[party.id]),
    )


def _member(loaded: Loaded, member: PartyMember) -> MemberFacts:
    contact = loaded.contacts.get(member.person_id)
    return MemberFacts(
        person_id=member.person_id,
        captain=member.captain,
        at_table=member.at_table,
        reachable_on_paper=bool(contact and contact.street and contact.phone),
    )


def _appeal(loaded: Loaded, appeal: Appeal) -> AppealFacts:
    return AppealFacts(
        id=appeal.id,
        decision_id=appeal.decision_id,
        proceeding_id=appeal.proceeding_id,
        party_id=appeal.party_id,
        lodged_by=appeal.lodged_by,
        lodged_at=appeal.lodged_at,
        in_time=appeal.in_time,
        warned=appeal.warned_at is not None,
        withdrawn_at=appeal.withdrawn_at,
        concurred=frozenset(c.person_id for c in loaded.concurrences if c.appeal_id == appeal.id),
        deemed=frozenset(c.person_id for c in loaded.concurrences if c.appeal_id == appeal.id and c.deemed_because),
    )


def _panel(loaded: Loaded, panel: Panel) -> PanelFacts:
    ballots = (ballot for ballot in loaded.ballots if ballot.panel_id == panel.id)
    ballot = max(ballots, key=lambda ballot: ballot.opened_at, default=None)
    votes = [vote for vote in loaded.votes if ballot is not None and vote.ballot_id == ballot.id]
    seats = [seat for seat in loaded.seats if seat.panel_id == panel.id]
    return PanelFacts(
        id=panel.id,
        proceeding_id=panel.proceeding_id,
        quorum=panel.quorum,
        seats=tuple(
            SeatFacts(
                id=seat.id,
                person_id=seat.person_id,
                role=seat.role,
                called=seat.called_at is not None,
                attended=seat.attended,
                conflict=seat.conflict,
            )
            for seat in seats
        ),
        parties_called=panel.parties_called_at is not None,
        hearing_at=panel.hearing_at,
        steps=frozenset(standing_steps(loaded, panel)),
        attendance={a.party_id: a.present for a in loaded.attendances if a.panel_id == panel.id},
        first_vote_at=min((vote.cast_at for vote in votes), default=None),
        ballot_closed=ballot is not None and ballot.closed_at is not None,
        votes={vote.seat_id: vote.position for vote in votes},
    )


def standing_steps(loaded: Loaded, panel: Panel) -> dict[HearingStep, datetime]:
    """The steps of a hearing that stand, with their times."""
    appealing = frozenset(a.party_id for a in loaded.appeals if a.proceeding_id == panel.proceeding_id)
    return steps_that_stand(
        {HearingStep(step): datetime.fromisoformat(at) for step, at in panel.steps.items()},
        arrived={a.party_id: a.noted_at for a in loaded.attendances if a.panel_id == panel.id and a.present},
        appealing=appealing,
    )


def _deadlines(loaded: Loaded) -> tuple[DeadlineFacts, ...]:
    return tuple(
        DeadlineFacts(
            id=d.id,
            proceeding_id=d.proceeding_id,
            kind=d.kind,
            party_id=d.party_id,
            demand_id=d.demand_id,
            appeal_id=d.appeal_id,
            base=d.base,
            told_base=d.told_base,
            instant=d.instant,
            ended=d.ended,
            overdue=d.overdue_at is not None,
            halted=d.halted_at is not None,
        )
        for d in loaded.deadlines
    )


def _proofs(loaded: Loaded) -> tuple[ProofFacts, ...]:
    return tuple(proof_of(notice) for notice in loaded.proofs if notice.proven_at is not None)


def proof_of(notice: Notice, *, at: datetime | None = None) -> ProofFacts:
    """What a notice proves, since when it is recorded or `at`; ValueError if it proves nothing."""
    since = at or notice.proven_at
    if since is None:
        raise ValueError("this notice proves nothing")
    return ProofFacts(
        kind=notice.kind,
        person_id=notice.person_id,
        party_id=notice.party_id,
        decision_id=notice.decision_id,
        demand_id=notice.demand_id,
        at=since,
    )
