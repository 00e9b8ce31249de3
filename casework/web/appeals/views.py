"""The appeal's way through the director: lodged, concurred, warned, withdrawn, forwarded; never refused (R23)."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request
from sqlmodel import Session

from casework.clock import LOCAL
from casework.domain.access import Permission
from casework.domain.errors import Missing, NotAllowed, NotNow
from casework.domain.labels import label
from casework.domain.minutes import has_run
from casework.domain.terms import ActionName, FilingChannel, ProceedingKind
from casework.domain.workflow.lodging import way_on
from casework.services import appeals, papers, readings
from casework.services.appeal_rights import window_of
from casework.services.appeals import AppealInput
from casework.services.loading import Loaded
from casework.services.readings import AppealView, PersonRow
from casework.services.snapshot import snapshot
from casework.text import Text, t
from casework.web.acting import CHECK, EDIT, FILE, acted, allowed, deadline_block, pressed, refuse_going_back, visible
from casework.web.appeals.forms import (
    AppealForm,
    ConcurForm,
    DeemForm,
    ForwardForm,
    InPlaceForm,
    RecordConcurrenceForm,
    RegisterForm,
    WarnForm,
    WithdrawForm,
    WithdrawForPartyForm,
)
from casework.web.cases.actions import leads_to
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import page
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading
from casework.web.words import words

blueprint = Blueprint("appeals", __name__, url_prefix="/arenden/<uuid:case_id>")
for action, endpoint in (
    (ActionName.LODGE_APPEAL, "appeals.lodge"),
    (ActionName.CONCUR, "appeals.concur"),
    (ActionName.RECORD_CONCURRENCE, "appeals.record_concurrence"),
    (ActionName.DEEM_CONCURRENCE, "appeals.deem_concurrence"),
    (ActionName.WARN_APPELLANT, "appeals.warn_appellant"),
    (ActionName.WITHDRAW_APPEAL, "appeals.withdraw"),
    (ActionName.FORWARD_APPEAL, "appeals.forward"),
    (ActionName.FORWARD_IN_PLACE, "appeals.forward"),
):
    leads_to(action, endpoint)


def _standing(session: Session, loaded: Loaded, *, party_id: UUID | None = None) -> list[AppealView]:
    """The appeals before a body that are neither withdrawn nor decided: of one side, or of all."""
    open_ids = {p.id for p in loaded.proceedings if p.id not in loaded.decisions}
    return [
        view
        for view in readings.appeals(session, loaded)
        if view.withdrawn_at is None and view.proceeding_id in open_ids and party_id in (None, view.party_id)
    ]


@blueprint.route("/overklaga", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def lodge(case_id: UUID) -> Response:
    """A party appeals; an official registers what a party said or sent."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.LODGE_APPEAL)
    party = readings.party_of(loaded, current_actor())
    return _lodge_own(loaded, party) if party else _register(loaded)


def _lodge_own(loaded: Loaded, party_id: UUID) -> Response:
    form, case_id = AppealForm(), loaded.case.id
    mine = {one.id for one in snapshot(loaded).against_this if one.party_id == party_id}
    if request.method == "GET" and mine:
        with reading() as session:
            first = next(one for one in readings.appeals(session, loaded) if one.id in mine)
            who, at = first.lodged_by, first.lodged_at
            refusal = NotAllowed(t("Your side has already appealed. {name} did so {at}.", name=who, at=at))
            refuse_going_back(session, loaded, [ActionName.LODGE_APPEAL], refusal)
        raise refusal
    if loaded.proceeding.kind is not ProceedingKind.RULING:
        form.ask_about_decision()
    ready = form.sent_with_files(case_id, party_id)
    if ready and pressed() == FILE:
        appeal = AppealInput(
            party_id=party_id, wants=form.wants.data, grounds=form.grounds.data, attachments=form.draft_ids
        )
        if done := _lodged(form, loaded, appeal):
            return done
        ready = False
    return _lodge_page("appeals/lodge.html", form, loaded, party_id, ready=ready)


def _register(loaded: Loaded) -> Response:
    form, case_id = RegisterForm(day=now(), clock=now()), loaded.case.id
    form.wants.label.text = t("What do they want to change?")
    if loaded.proceeding.kind is not ProceedingKind.RULING:
        form.ask_about_decision()
    people = {str(person.id): person for person in readings.members(loaded)}
    form.person.choices = options(*((key, _named(person)) for key, person in people.items()))
    who = people.get(form.person.data or "")
    party_id = who.party_id if who else None
    ready = form.sent_with_files(case_id, party_id)
    if ready:
        with form.showing_errors():
            appeals.refuse_impossible(loaded, form.clock.instant, now())
            papers.refuse_without_original(FilingChannel(form.channel.data), form.draft_ids)
        ready = not form.errors
    if ready and who and pressed() == FILE:
        appeal = AppealInput(
            party_id=who.party_id,
            wants=form.wants.data,
            grounds=form.grounds.data,
            channel=FilingChannel(form.channel.data),
            lodged_by=who.id,
            lodged_at=form.clock.instant,
            attachments=form.draft_ids,
        )
        if done := _lodged(form, loaded, appeal):
            return done
        ready = False
    return _lodge_page("appeals/register.html", form, loaded, party_id, ready=ready, who=who)


def _named(person: readings.PersonRow) -> str:
    return str(words(t("{name}, {party}", name=person.name, party=person.party)))


def _lodged(form: AppealForm, loaded: Loaded, appeal: AppealInput) -> Response | None:
    return acted(
        form,
        loaded.case.id,
        lambda session: appeals.lodge_appeal(
            session, loaded.proceeding.id, current_actor(), appeal, now=now(), form=form.instance
        ),
    )


def _lodge_page(
    template: str, form: AppealForm, loaded: Loaded, party_id: UUID | None, *, ready: bool, **more: Any
) -> Response:
    window = window_of(loaded, party_id) if party_id else None
    at: datetime = getattr(getattr(form, "clock", None), "instant", None) or now()
    late = window is not None and has_run(window.instant, at)
    facts = snapshot(loaded)
    return page(
        template,
        form=form,
        loaded=loaded,
        checking=ready and pressed() in (CHECK, FILE),
        editing=pressed() == EDIT,
        late=late,
        same_day=window is not None and window.instant is not None and _same_day(window.instant, now()),
        window=window,
        deadline=deadline_block(window, t("Appeal no later than")),
        body=way_on(facts),
        of_ruling=loaded.proceeding.kind is ProceedingKind.RULING,
        fee=facts.profile.number("appeal_fee"),
        channel=_channel(form),
        **more,
    )


def _channel(form: AppealForm) -> Text | str:
    """How an official says that it came in, in words."""
    chosen = getattr(form, "channel", None)
    return label(FilingChannel(chosen.data)) if chosen is not None and chosen.data in list(FilingChannel) else ""


def _same_day(one: datetime, other: datetime) -> bool:
    return one.astimezone(LOCAL).date() == other.astimezone(LOCAL).date()


@blueprint.route("/instam", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def concur(case_id: UUID) -> Response:
    """A partner or captain concurs, from his own link and with a ticked sentence (S-LINK2)."""
    form, actor = ConcurForm(), current_actor()
    with reading() as session:
        loaded = visible(session, case_id)
        party = readings.party_of(loaded, actor)
        mine = _standing(session, loaded, party_id=party) if party else []
        if not mine and any(one.party_id == party for one in loaded.appeals):
            raise NotNow(t("Your side no longer has an appeal that you can concur in."))
        if not mine:
            raise Missing
    appeal = mine[0]
    if form.sent() and (
        done := acted(
            form,
            case_id,
            lambda session: appeals.concur(
                session, appeal.proceeding_id, actor, appeal_id=appeal.id, now=now(), form=form.instance
            ),
        )
    ):
        return done
    form.has_shown(appeals.shown_appeals(appeal.id))
    return page(
        "appeals/concur.html",
        form=form,
        loaded=loaded,
        appeal=appeal,
        said=any(
            c.appeal_id == appeal.id and c.person_id == actor.person_id and not c.deemed_because
            for c in loaded.concurrences
        ),
    )


@blueprint.route("/anteckna-instammande", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def record_concurrence(case_id: UUID) -> Response:
    """Note that a partner concurs who said so at the table, by phone or on paper."""
    form = RecordConcurrenceForm()
    return _word_of_partner(
        case_id,
        ActionName.RECORD_CONCURRENCE,
        form,
        lambda view: (*view.missing, *view.deemed),
        lambda session, **about: appeals.record_concurrence(session, told_how=form.told_how.data, **about),
    )


@blueprint.route("/rakna-som-instamd", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def deem_concurrence(case_id: UUID) -> Response:
    """Let an absent partner count as concurring, with a reason."""
    form = DeemForm()
    return _word_of_partner(
        case_id,
        ActionName.DEEM_CONCURRENCE,
        form,
        lambda view: view.missing,
        lambda session, **about: appeals.deem_concurrence(session, because=form.because.data, **about),
    )


def _word_of_partner(
    case_id: UUID,
    action: ActionName,
    form: RecordConcurrenceForm | DeemForm,
    lacking: Callable[[AppealView], Iterable[PersonRow]],
    verb: Callable[..., object],
) -> Response:
    with reading() as session:
        loaded, _ = allowed(session, case_id, action)
        asked = {str(person.id): (person, view) for view in _standing(session, loaded) for person in lacking(view)}
    if request.method == "POST" and not asked:
        raise NotAllowed(t("Everybody whose word is needed has concurred."))
    form.person.choices = options(*((key, _named(person)) for key, (person, _) in asked.items()))
    if form.sent():
        person, appeal = asked[form.person.data]
        about = {"proceeding_id": appeal.proceeding_id, "appeal_id": appeal.id, "person_id": person.id}
        more = {"actor": current_actor(), "now": now(), "form": form.instance}
        if done := acted(form, case_id, lambda session: verb(session, **about, **more)):
            return done
    return page("appeals/word_of_partner.html", form=form, loaded=loaded, asked=asked)


@blueprint.route("/underratta-klaganden", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def warn_appellant(case_id: UUID) -> Response:
    """The director records that he told the appellant that the grounds look insufficient (R33); it travels on (R34)."""
    form, actor = WarnForm(day=now(), clock=now()), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.WARN_APPELLANT)
        standing = {str(view.id): view for view in _standing(session, loaded)}
    _offer(form, standing)
    if form.sent():
        appeal = standing[form.appeal.data]
        if done := acted(
            form,
            case_id,
            lambda session: appeals.warn_appellant(
                session,
                appeal.proceeding_id,
                actor,
                appeal_id=appeal.id,
                how=form.how.data,
                told_at=form.clock.instant or now(),
                now=now(),
                form=form.instance,
            ),
        ):
            return done
    return page("appeals/warn.html", form=form, loaded=loaded)


def _offer(form: WarnForm | WithdrawForPartyForm, standing: dict[str, AppealView]) -> None:
    """The appeals to choose among; the only one is chosen."""
    form.appeal.choices = options(
        *(
            (key, str(words(t("{party}, lodged by {name}", party=view.party, name=view.lodged_by))))
            for key, view in standing.items()
        )
    )
    if len(standing) == 1 and request.method == "GET":
        form.appeal.data = next(iter(standing))


@blueprint.route("/dra-tillbaka", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def withdraw(case_id: UUID) -> Response:
    """A side withdraws its own appeal; an official records that a side did."""
    actor = current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.WITHDRAW_APPEAL)
        party = readings.party_of(loaded, actor)
        standing = {str(view.id): view for view in _standing(session, loaded, party_id=party)}
    form: WithdrawForm | WithdrawForPartyForm = WithdrawForm() if party else WithdrawForPartyForm()
    if isinstance(form, WithdrawForPartyForm):
        _offer(form, standing)
    if not standing:
        raise Missing
    if form.sent():
        because = "" if isinstance(form, WithdrawForm) else form.because.data
        appeal = next(iter(standing.values())) if isinstance(form, WithdrawForm) else standing[form.appeal.data]
        if done := acted(
            form,
            case_id,
            lambda session: appeals.withdraw_appeal(
                session,
                appeal.proceeding_id,
                actor,
                appeal_id=appeal.id,
                because=because,
                now=now(),
                form=form.instance,
            ),
        ):
            return done
    form.shows(loaded.proceeding.version)
    if isinstance(form, WithdrawForm):
        form.has_shown(appeals.shown_appeals(next(iter(standing.values())).id))
    return page(
        "appeals/withdraw.html",
        form=form,
        loaded=loaded,
        standing=list(standing.values()),
        party=party,
        others=[p.name for p in readings.members(loaded) if p.party_id == party and p.id != actor.person_id],
    )


@blueprint.route("/lamna-vidare", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def forward(case_id: UUID) -> Response:
    """The director forwards to the body (R24); when he is late, another does in his place, with a reason."""
    actor = current_actor()
    with reading() as session:
        loaded, possibility = allowed(session, case_id, ActionName.FORWARD_APPEAL, ActionName.FORWARD_IN_PLACE)
        standing = _standing(session, loaded)
        due = readings.forwarding(loaded)
    form: InPlaceForm | ForwardForm = InPlaceForm() if possibility.action.override else ForwardForm()

    def verb(session: Session) -> object:
        if isinstance(form, InPlaceForm):
            return appeals.forward_in_place(
                session, loaded.proceeding.id, actor, because=form.because.data, now=now(), form=form.instance
            )
        return appeals.forward_appeal(session, loaded.proceeding.id, actor, now=now(), form=form.instance)

    if form.sent() and (done := acted(form, case_id, verb)):
        return done
    form.shows(loaded.proceeding.version)
    form.has_shown(appeals.shown_appeals(*(view.id for view in standing)))
    return page(
        "appeals/forward.html",
        form=form,
        loaded=loaded,
        standing=standing,
        body=loaded.proceeding.body,
        on_site=snapshot(loaded).on_site,
        in_place=possibility.action.override,
        deadline=deadline_block(due, t("The appeal is to be forwarded by")),
    )
