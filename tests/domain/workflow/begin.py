"""Where a test begins: a case, one at its hearing, one on paper, one before LK."""

from typing import Any
from uuid import UUID

from casework.domain.rules.editions import LawEdition
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import (
    AppealRoute,
    Body,
    Form,
    ProceedingKind,
    State,
)
from casework.domain.workflow.facts import (
    Facts,
    ProceedingFacts,
)
from tests.domain.workflow import people
from tests.domain.workflow.build import CASE, ROOT, Case
from tests.domain.workflow.people import (
    DIRECTOR,
    EW,
    NS,
    PARTIES,
    SINGLES,
    STAFF,
)


def case(
    *,
    route: AppealRoute = AppealRoute.JURY_ON_SITE,
    state: State = State.OPEN,
    lk_open: bool = True,
    director: UUID | None = DIRECTOR,
    profile: ProcedureProfile | None = None,
    present_lk: frozenset[UUID] = frozenset(),
    form: Form = Form.PAIRS,
) -> Case:
    """A case that has just been opened, with both pairs as its parties, or with four single players."""
    root = ProceedingFacts(
        id=ROOT,
        kind=ProceedingKind.RULING,
        body=Body.DIRECTOR,
        state=state,
        version=1,
        director_id=director if state is not State.REQUESTED else None,
        lk_open=lk_open,
    )
    return Case(
        Facts(
            case_id=CASE,
            law_edition=LawEdition.laws_2017,
            form=form,
            appeal_route=route,
            profile=profile or people.profile(),
            this=root,
            proceedings=(root,),
            parties=SINGLES if form is Form.INDIVIDUAL else PARTIES,
            staff=STAFF,
            present_lk=present_lk,
        )
    )


def at_hearing(**more: Any) -> Case:
    """An appeal by North–South, with the jury called and every call received."""
    opened = case(**more).ruled().told(NS, EW).published().lodged(NS).forwarded().composed().without_conflicts()
    return opened.called().arrives()


def in_writing(route: AppealRoute = AppealRoute.LAW_COMMISSION, **more: Any) -> Case:
    """An appeal by North–South that goes the written way, forwarded."""
    return case(route=route, **more).ruled().told(NS, EW).published().lodged(NS).forwarded()


def complete(**more: Any) -> Case:
    """The written way with complete papers: both have stated their views and had nothing to answer."""
    asked = in_writing(**more).reported().demanded().arrives()
    return asked.stated(NS).stated(EW).declined(NS, EW)


def before_lk(**more: Any) -> Case:
    """LK deliberates."""
    return complete(**more).sent_in().registered().without_conflicts().deliberating()
