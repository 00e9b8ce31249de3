"""Finds Swedish personal identity numbers in prose, so that nobody files one by mistake (P4)."""

import re

NUMBER = re.compile(r"(?<![\d-])(?:\d\d)?(\d\d)(\d\d)(\d\d)[-+]?(\d{4})(?![\d-])")


def has_identity_number(text: str) -> bool:
    """Whether a date of birth with four figures and a right check figure stands in the text."""
    return any(_is_one(*match.groups()) for match in NUMBER.finditer(text))


def _is_one(year: str, month: str, day: str, last: str) -> bool:
    """Coordination numbers have 60 added to the day."""
    return 1 <= int(month) <= 12 and 1 <= int(day) % 60 <= 31 and _check_figure_fits(year + month + day + last)


def _check_figure_fits(figures: str) -> bool:
    doubled = (int(figure) * (2 if place % 2 == 0 else 1) for place, figure in enumerate(figures))
    return sum(part // 10 + part % 10 for part in doubled) % 10 == 0
