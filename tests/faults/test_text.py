"""Text that no keyboard writes: it is stored as people read it or refused at its field, and never breaks (F49)."""

from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as run_with
from hypothesis import strategies as st
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import PanelNote
from tests import factories
from tests.juries import JuryCase, heard
from tests.page import PageClient
from tests.web import panels

ODD = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x00\ud800\udfff\u202e\u200d\u200b\ufeff\uffff\u0085\u2028𝄞👩‍👩‍👧é♠"),
    ),
    min_size=1,
    max_size=60,
)


@pytest.fixture
def room(database: str) -> tuple[PageClient, JuryCase]:
    """A juror at his notes."""
    clock.advance(factories.START + panels.AGO - clock.now())
    case = heard(factories.federation())
    return panels.by_link(case, "juror_2"), case


@run_with(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=ODD)
@example(text="a\x00b")
@example(text="a\ud800b")
@example(text="\u202eabc\u202c")
@example(text="👩‍👩‍👧 𝄞 é")
@example(text="שלום مرحبا")
@example(text="<script>alert(1)</script>{{ 7*7 }}%s")
def test_f49_any_text_is_stored_or_refused_at_its_field(room: tuple[PageClient, JuryCase], text: str) -> None:
    """F49: NUL, lone surrogates, four bytes, right to left, joined emoji; what comes back is what was kept."""
    member, case = room
    place = panels.at(case, "overlaggning")
    values = member.get(place).values("Spara anteckningen")
    before = stored()
    body = "&".join(f"{name}={quote(value[0])}" for name, value in values.items() if name != "own_note")
    body += "&own_note=" + quote(text.encode("utf-8", "surrogatepass"))
    answer = member.raw(
        f"{place}/egen-anteckning", method="POST", data=body, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in {303, 422}, answer.status_code
    if answer.status_code == 422:
        assert stored() == before
        return
    (new,) = set(stored()) - set(before) or {""}
    assert "\x00" not in new
    new.encode()
    assert member.get(place).status == 200


def stored() -> list[str]:
    """The notes as they are kept."""
    with uow() as session:
        return [note.text for note in session.exec(select(PanelNote))]


def test_f49_any_address_is_answered(database: str) -> None:
    """F49: what is searched for reaches the database too."""
    office = panels.browser(factories.federation(), "office")
    for path in ("/arenden?q=", "/utskick?q=", "/arenden?visa=", "/utskick?sida=", "/l/", "/sprak?lang=", "/?back="):
        for text in ("a\x00b", "\ud800", "%", "\u202e", "'", "9" * 30):
            answer = office.raw(path + quote(text.encode("utf-8", "surrogatepass")))
            assert answer.status_code < 500, f"{path}{text!r}"
