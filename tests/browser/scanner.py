"""A mail system's scanner (S-LINK2): it follows every link of a mail and of what it finds there, and presses all."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, Route

FIRST = re.compile(r"/(?:l|kalender)/[\w-]+")
SENDS = "button => button.type === 'submit' && button.form !== null"
PATIENCE = 20_000.0


class Scanner:
    """A browser with JavaScript that reads, clicks, and types nothing. `pages` are the addresses that it came to."""

    def __init__(self, browser: Browser, base: str) -> None:
        self._base = base
        self._context = browser.new_context(base_url=base)
        self._context.set_default_timeout(PATIENCE)
        self._context.route(re.compile(r"\.(woff2|png|svg|css)(\?|$)"), _unread)
        self._page: Page = self._context.new_page()
        self._entry = ""
        self.pages: dict[str, int] = {}

    def scan(self, addresses: Iterable[str]) -> None:
        """Go through all that a mail leads to."""
        waiting = [address for address in addresses if self._ours(address)]
        for address in waiting:
            if FIRST.match(urlsplit(address).path):
                self._entry = address
            waiting += [found for found in self._press_all(address) if found not in waiting]

    def close(self) -> None:
        self._context.close()

    def _press_all(self, address: str) -> list[str]:
        """Press each button of a page, each time on a fresh page; gives the addresses that it leads to."""
        self._open(address)
        path = self._path
        if path in self.pages:
            return []
        found = self._links()
        self.pages[path] = buttons = self._buttons().count()
        for number in range(buttons):
            self._open(address)
            if self._buttons().count() <= number:
                continue
            self._press(self._buttons().nth(number))
            found += [self._page.url, *self._links()]
        return [one for one in dict.fromkeys(found) if self._ours(one)]

    def _press(self, button: Locator) -> None:
        if button.evaluate(SENDS):
            with self._page.expect_event("load"):
                button.evaluate("button => button.click()")
        else:
            button.evaluate("button => button.click()")

    def _open(self, address: str) -> None:
        """A scanner that has pressed the button that signs out comes in again as it came in first."""
        self._page.goto(address)
        if self._path == "/logga-in" and self._entry:
            self._page.goto(self._entry)
            self._press(self._buttons().first)
            self._page.goto(address)

    def _links(self) -> list[str]:
        return [str(one) for one in self._page.eval_on_selector_all("a[href]", "all => all.map(one => one.href)")]

    def _buttons(self) -> Locator:
        return self._page.locator("button")

    @property
    def _path(self) -> str:
        return urlsplit(self._page.url).path

    def _ours(self, address: str) -> bool:
        parts = urlsplit(address)
        return address.startswith(self._base) and not parts.fragment and "." not in parts.path


def _unread(route: Route) -> None:
    route.abort()
