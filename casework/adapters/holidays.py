"""Swedish holidays, from the `holidays` package; pinned, as upgrades have moved the eves between categories."""

from datetime import date
from functools import lru_cache

from holidays import DE_FACTO, PUBLIC, country_holidays


@lru_cache
def swedish_holidays(first_year: int, last_year: int) -> frozenset[date]:
    """Public holidays and the eves of Midsummer, Christmas and New Year, both years included."""
    years = range(first_year, last_year + 1)
    return frozenset(country_holidays("SE", years=years, categories=(PUBLIC, DE_FACTO)))
