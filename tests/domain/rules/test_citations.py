"""Citing laws: what is typed, what is found, and the catalogue behind it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.rules.citations import Citation, find_law, law_choices, parse_citations
from casework.domain.rules.editions import LawEdition
from casework.domain.rules.laws import LAST_SECTION, LAWS, headings
from casework.text import t

CHECKED = [LawEdition.laws_2007, LawEdition.laws_2017]
NEW = LawEdition.laws_2017


def found(typed: str, edition: LawEdition = NEW) -> Citation:
    citation = find_law(edition, typed)
    assert citation is not None, typed
    return citation


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("16", "16"),
        ("16B1", "16B1"),
        ("16 b 1", "16B1"),
        ("lag 16b1", "16B1"),
        ("Lag  16 B1", "16B1"),
        ("L16", "16"),
        ("law 16.B.1", "16B1"),
        ("§ 73", "73"),
        ("12c1b", "12C1b"),
        ("12C1(b)", "12C1b"),
        ("12 C 1 (e) (ii)", "12C1e(ii)"),
        ("80B2(i)", "80B2i"),
        ("93C3(a)", "93C3a"),
        ("45C4B", "45C4b"),
    ],
)
def test_ways_to_write_a_law(typed: str, code: str) -> None:
    """U14: case, spaces, brackets and the word "lag" do not matter."""
    assert found(typed).code == code


@pytest.mark.parametrize(
    "typed",
    ["", "0", "94", "116", "100A", "16E", "71C", "2A", "16B0", "1 6", "7.1", "16 1", "B1", "16BB", "16B1bb", "½"],
)
def test_no_such_law(typed: str) -> None:
    """A number that the edition does not have is not guessed at."""
    assert find_law(NEW, typed) is None


def test_a_part_without_a_heading_takes_the_one_above() -> None:
    """Short headings stand only where rulings cite often."""
    assert found("16B1a").heading == t("choosing among logical alternatives")
    assert found("16D2").heading == t("information from withdrawn calls and plays")
    assert found("64A1").heading == t("tricks transferred after a revoke")
    assert found("50E").heading == t("penalty card")


def test_editions_differ() -> None:
    """R43: the same number, another law."""
    assert found("23").heading == t("comparable call")
    assert found("23", LawEdition.laws_2007).heading == t("awareness of possible damage")
    assert found("12C1c", LawEdition.laws_2007).heading == t("likely and reasonable results")


def test_the_supplement_belongs_to_the_printed_laws_of_2007() -> None:
    """The federation's own rules were numbered on from 94."""
    assert found("106", LawEdition.laws_2007).heading == t("the federation's supplement")


@pytest.mark.parametrize(("typed", "code"), [("71C", "71C"), ("lag 16", "16"), ("TB 3", "TB 3")])
def test_nothing_is_checked_for_earlier_editions(typed: str, code: str) -> None:
    """R43: earlier edition, the number is typed."""
    assert found(typed, LawEdition.earlier) == Citation(LawEdition.earlier, code, None)


@pytest.mark.parametrize("typed", ["", "  ", "x" * 21])
def test_even_an_unchecked_number_is_short(typed: str) -> None:
    """A citation is a number, not a text."""
    assert find_law(LawEdition.earlier, typed) is None


def test_a_list_of_laws() -> None:
    """Each law once, in the order written; what is unknown comes back as typed."""
    known, unknown = parse_citations(NEW, "16B1, 12c1b och lag 73;99 , 16 b1,, hundra")
    assert [citation.code for citation in known] == ["16B1", "12C1b", "73"]
    assert unknown == ["99", "hundra"]


def test_a_citation_in_words() -> None:
    """Number and our own short heading; without one, the number."""
    assert found("92B").words == t("Law {code} ({heading})", code="92B", heading=t("time of appeal"))
    assert found("71C", LawEdition.earlier).words == t("Law {code}", code="71C")


@pytest.mark.parametrize("edition", CHECKED)
def test_every_law_has_a_heading(edition: LawEdition) -> None:
    """The catalogue is laws 1 to 93."""
    assert sorted(LAWS) == list(range(1, 94))
    assert all(found(str(number), edition).heading for number in LAWS)


@pytest.mark.parametrize("edition", CHECKED)
def test_everything_in_the_catalogue_can_be_cited(edition: LawEdition) -> None:
    """A part with a heading stands in a section that its law has."""
    assert {choice.code for choice in law_choices(edition)} == set(headings(edition))
    for choice in law_choices(edition):
        assert find_law(edition, choice.code) == choice


def test_the_picker_is_in_reading_order() -> None:
    """9B1 before 12A, and a law before its parts."""
    codes = [choice.code for choice in law_choices(NEW)]
    assert codes.index("9") < codes.index("9A") < codes.index("9B1") < codes.index("10")


@given(st.sampled_from(LawEdition), st.sampled_from(sorted(LAST_SECTION)), st.integers(1, 9), st.sampled_from("abc"))
def test_a_citation_survives_storage(edition: LawEdition, law: int, paragraph: int, point: str) -> None:
    """Edition and code are enough."""
    citation = found(f"{law}A{paragraph}{point}", edition)
    assert Citation.from_json(citation.to_json()) == citation


@given(st.sampled_from(LawEdition), st.text())
def test_any_text_is_a_law_or_is_not(edition: LawEdition, typed: str) -> None:
    """Whatever is typed: found, or returned as unknown, never a crash."""
    known, unknown = parse_citations(edition, typed)
    for citation in known:
        assert find_law(edition, citation.code) == citation
    for part in unknown:
        assert find_law(edition, part) is None
