"""Chromium: where it is, and how it is started."""

import contextlib
import os
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from casework.setup_system import CHROMIUM, MAC_CHROMIUM

EXECUTABLE = next(
    filter(None, map(shutil.which, (os.environ.get("CASEWORK_CHROMIUM", ""), *CHROMIUM, MAC_CHROMIUM))), None
)
"""CASEWORK_CHROMIUM, else the first of the usual commands; None where there is none."""
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-smooth-scrolling",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
)
"""It opens our own pages and asks nobody for anything else."""


@contextlib.contextmanager
def started() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()
