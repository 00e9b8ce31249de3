"""A party at a browser: files over real HTTP, and tries again like a person when the server does not answer."""

import http.client
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any, cast
from uuid import UUID

import html5lib
from werkzeug.test import TestResponse

from tests.faults.invariants import Receipt
from tests.page import Page

AWAY = (OSError, http.client.HTTPException)
"""What a browser shows as "the site cannot be reached"."""
PAUSE = 0.2
FILE, CHECK, OPEN = "Överklaga domslutet", "Fortsätt till kontrollen", "Fortsätt"
FILED = "Överklagandet är inlämnat"


class GaveUpError(AssertionError):
    """Time ran out and nothing was filed: no receipt, no promise."""


@dataclass
class Browser:
    """Keeps cookies; follows redirects, as browsers do."""

    base: str
    _jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    @property
    def cookies(self) -> CookieJar:
        return self._jar

    def get(self, path: str) -> Page:
        return self._page(path)

    def press(self, page: Page, button: str, **values: str) -> Page:
        """Send the button's form with what it holds, changed by `values`."""
        form, pressed = page.form(button), page.button(button)
        sent: dict[str, Any] = page.values(button) | values
        if pressed is not None and pressed.get("name"):
            sent[str(pressed.get("name"))] = pressed.get("value", "")
        target = (pressed.get("formaction") if pressed is not None else None) or form.get("action") or page.path
        where = urllib.parse.urljoin(urllib.parse.urljoin(self.base, page.path), target)
        data = urllib.parse.urlencode(sent, doseq=True).encode()
        return self._page(where, data)

    def _page(self, path: str, data: bytes | None = None) -> Page:
        where = urllib.parse.urljoin(self.base, path)
        headers = {"Origin": self.base, "Referer": where}
        request = urllib.request.Request(where, data, headers)  # noqa: S310  # this machine's own server
        try:
            with self._opener.open(request, timeout=15) as answer:
                status, url, html = answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                status, url, html = refused.code, refused.url, refused.read().decode()
        tree = html5lib.parse(html, namespaceHTMLElements=False)
        path = urllib.parse.urlsplit(url).path
        return Page(status, path, html, tree, cast("TestResponse", None))


@dataclass
class Filer:
    """One party's appeal in one case; `link` is the path in its mail. `refusals` are the error pages it met."""

    browser: Browser
    link: str
    case_id: UUID
    stop: threading.Event = field(default_factory=threading.Event)
    """Set when patience is over."""
    words: str = "Vi vill ha tillbaka bordsresultatet, fyra hjärter jämna."
    refusals: list[Page] = field(default_factory=list)
    tries: int = 0
    came_in: bool = False

    def prepare(self) -> Page:
        """Follow the link, fill the form in, and come to the page with the last button."""
        return self._until(self._prepared, lambda page: FILE in page.html)

    def file(self, page: Page) -> Receipt:
        """Press the last button, the same one again until there is a receipt."""
        form_id = UUID(page.values(FILE)["form_id"][0])
        receipt = self._until(lambda: self.browser.press(page, FILE), lambda answer: FILED in answer.html)
        return Receipt(form_id, receipt.text(".number"))

    def _prepared(self) -> Page:
        if not self.came_in:
            opened = self.browser.get(self.link)
            self.came_in = opened.status == 200 and self.browser.press(opened, OPEN).status == 200
        form = self.browser.get(f"/arenden/{self.case_id}/overklaga")
        if CHECK not in form.html:  # the link's button met an error: back to the mail
            self.came_in = False
            return form
        return self.browser.press(form, CHECK, wants=self.words, grounds="Ingen paus.")

    def _until(self, deed: Callable[[], Page], well: Callable[[Page], bool]) -> Page:
        while True:
            self.tries += 1
            try:
                page = deed()
            except AWAY:
                pass
            else:
                if page.status == 200 and well(page):
                    return page
                self.refusals.append(page)
            if self.stop.wait(PAUSE):
                raise GaveUpError
