"""What the README promises exists."""

import re

from casework.settings import CalendarSettings, Settings
from tests.architecture.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_and_nothing_else() -> None:
    table = README.partition("| Setting |")[2]
    every = {*Settings.model_fields, *CalendarSettings.model_fields}
    assert set(re.findall(r"`CASEWORK_([A-Z_]+)`", table)) == {name.upper() for name in every}


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)) <= targets


def test_every_picture_that_is_shown_exists() -> None:
    assert [name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README) if not (ROOT / name).is_file()] == []
