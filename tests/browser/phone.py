"""A person's browser: what he presses and writes, by the words that he sees."""

import re
from pathlib import Path
from typing import Self

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Response

from tests.workers.waiting import wait_until

PHONE, SMALLEST, DESKTOP = 390, 320, 1280
"""Widths in CSS pixels."""
HEIGHT = 844
PATIENCE = 20_000.0
"""Milliseconds: a busy machine is slow, and a page that never comes is told all the same."""
OPTIONAL = r"(\s*\(frivilligt\))?"
DRAWN = """() => { const main = document.querySelector("main").cloneNode(true);
  for (const hidden of main.querySelectorAll(".vh")) hidden.remove(); return main.textContent; }"""
"""What is drawn, without the words that are only read aloud."""
TEXT_SUIT = "\ufe0e"
"""Follows a suit so that it is drawn as text."""


class Phone:
    """One browser of its own, without JavaScript unless it is asked for.

    After every step the page must have come without an error, without anything refused by the content security
    policy, and must not scroll sideways.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        width: int = PHONE,
        javascript: bool = False,
        touch: bool = False,
        scale: float = 1,
    ) -> None:
        self.context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": HEIGHT},
            java_script_enabled=javascript,
            device_scale_factor=scale,
            has_touch=touch,
            locale="sv-SE",
        )
        self.context.set_default_timeout(PATIENCE)
        self.touch = touch
        self.keys: list[str] = []
        """Keys that were pressed on a keyboard; words that are dictated or pasted press none."""
        if javascript:
            self.context.expose_function("keyPressed", self._key)
            self.context.add_init_script("addEventListener('keydown', (event) => keyPressed(event.key), true)")
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.status = 0
        self.page.on("console", self._console)
        self.page.on("response", self._response)

    def go(self, path: str, *, status: int = 200) -> Self:
        """Open an address."""
        self.page.goto(path)
        return self._looked(status)

    def press(self, words: str, *, status: int = 200) -> Self:
        """Press the one button or link whose words these are; hidden words after them say only which."""
        begins = re.compile(rf"^{re.escape(words)}(\s|$)")
        exact = self._pressable(words)
        pressed = exact if exact.count() else self._pressable(begins)
        assert pressed.count() == 1, f"{self.path} has {pressed.count()} of {words!r}:\n{self.text}"
        with self.page.expect_event("load"):  # going-back.js makes a step within the page first
            self._touched(pressed)
        return self._looked(status)

    def unfold(self, words: str) -> Self:
        """Open a folded part by its words."""
        self._touched(self.page.locator("summary:visible").filter(has_text=re.compile(f"^{re.escape(words)}$")))
        return self

    def tap(self, *words: str, within: str = "") -> Self:
        """Tap keys with a finger, in the group of keys with this name; hidden words say which suit a key has."""
        group = self.page.get_by_role("group", name=within, exact=True) if within else self.page.get_by_role("main")
        for one in words:
            group.get_by_role("button", name=re.compile(rf"^\s*{re.escape(one)}(\s|$)")).tap()
        return self

    def write(self, label: str, text: str) -> Self:
        """Fill in the field with this label."""
        self._field(label).fill(text)
        return self

    def tick(self, label: str, *, within: str = "") -> Self:
        """Tick or choose, in the question whose words begin so."""
        place = self.page.get_by_role("group", name=re.compile(f"^{re.escape(within)}")) if within else self.page
        found = place.get_by_label(label, exact=True)
        if self.touch:
            found.tap()
        else:
            found.check()
        return self

    def choose(self, label: str, option: str) -> Self:
        """Choose in a list."""
        self._field(label).select_option(label=option)
        return self

    def attach(self, label: str, name: str, content: bytes) -> Self:
        """Choose a file."""
        self._field(label).set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
        return self

    def download(self, words: str) -> Path:
        """The file behind a link."""
        with self.page.expect_download() as coming:
            self._pressable(words).click()
        return Path(coming.value.path())

    def until(self, words: str) -> Self:
        """Load the page again until it says this: another process is at work."""
        wait_until(lambda: words in self.text or self._again(), f"{self.page.url} says {words!r}")
        return self

    @property
    def text(self) -> str:
        """What the page's content says, folded parts too; each run of white space is one space."""
        return " ".join(str(self.page.evaluate(DRAWN)).replace(TEXT_SUIT, "").split())

    @property
    def path(self) -> str:
        """The page's address without host."""
        return re.sub(r"^https?://[^/]+", "", self.page.url)

    def says(self, *words: str) -> Self:
        """The page says all of this."""
        for one in words:
            assert one in self.text, f"{self.path} does not say {one!r}:\n{self.text}"
        return self

    def says_not(self, *words: str) -> Self:
        """The page says nothing of this."""
        for one in words:
            assert one not in self.text, f"{self.path} says {one!r}"
        return self

    def overflow(self) -> int:
        """How many pixels the page is wider than its window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return wide

    def close(self) -> None:
        """Put the browser away."""
        self.context.close()

    def _key(self, name: str) -> None:
        self.keys.append(name)

    def _touched(self, place: Locator) -> None:
        if self.touch:
            place.tap()
        else:
            place.click()

    def _pressable(self, words: str | re.Pattern[str]) -> Locator:
        exact = isinstance(words, str)
        main = self.page.get_by_role("main")
        return main.get_by_role("button", name=words, exact=exact).or_(
            main.get_by_role("link", name=words, exact=exact)
        )

    def _field(self, label: str) -> Locator:
        return self.page.get_by_label(re.compile(f"^{re.escape(label)}{OPTIONAL}$"))

    def _again(self) -> bool:
        self.page.reload()
        self._looked()
        return False

    def _looked(self, status: int = 200) -> Self:
        assert self.status == status, f"{self.path} came with {self.status}:\n{self.text}"
        assert self.overflow() <= 0, f"{self.path} is {self.overflow()} px wider than the window"
        assert not self.wrong, f"{self.path}: {self.wrong}"
        return self

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.wrong.append(message.text)

    def _response(self, response: Response) -> None:
        if response.request.is_navigation_request():
            self.status = response.status
        elif response.status >= 400:
            self.wrong.append(f"{response.status} {response.url}")
