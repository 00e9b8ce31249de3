"""Frequency tables for tests: a published one, and any by Hypothesis."""

from fractions import Fraction

from hypothesis import strategies as st

from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line

SCORES = st.integers(-120, 120).map(lambda tens: tens * 10)
PERCENTS = st.sampled_from([Fraction(each) for each in (0, 40, 50, 60)])
RESULTS = st.builds(Line, SCORES, st.integers(1, 4))
ARTIFICIAL = st.builds(lambda ours, theirs: Line(percent=(ours, theirs)), PERCENTS, PERCENTS)


def tables(lines: list[Line], comparison: Comparison, missing: int) -> Frequency:
    return Frequency(tuple({(line.ns_score, line.percent): line for line in lines}.values()), comparison, missing)


FREQUENCIES = st.builds(
    lambda results, others, comparison, missing: tables([*results, *others], comparison, missing),
    st.lists(RESULTS, min_size=2, max_size=12),
    st.lists(ARTIFICIAL, max_size=2),
    st.sampled_from(Comparison),
    st.integers(0, 2),
).filter(lambda frequency: frequency.compared > 1)


def share_of(frequency: Frequency) -> Fraction:
    """What the two sides of a table get together: a top, or more in a small group (R84)."""
    return Fraction(frequency.top * (120 if frequency.is_small_group else 100), 100)


def lk_124(own: Line, comparison: Comparison = Comparison.plus_one) -> Frequency:
    """P02's table with `own` as the case's table.

    The published points tell of one result more than is listed, below −660: top 20, and −660 still beats somebody.
    """
    return Frequency(
        (
            Line(-150),
            Line(-620, 2),
            Line(-630),
            Line(-650, 3),
            Line(-660),
            Line(-690),
            Line(percent=(Fraction(60), Fraction(0))),
            own,
        ),
        comparison,
    )
