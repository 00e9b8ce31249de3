"""A test client that reads every page as strictly as a reader with assistive technology needs it.

`PageClient(app)` wraps Flask's test client. `get` parses and lints, `submit` posts a form as a browser would,
redirects are followed and linted too. A page that breaks a rule of the house fails the test that opened it.
"""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Self
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element

import cssselect2
import html5lib
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Upload = tuple[io.BytesIO, str]
Value = str | bool | Upload | list[str] | list[Upload]

NOT_FILLED = {"hidden", "submit", "button", "image", "reset"}


@dataclass(frozen=True)
class Page:
    """An answer: its status, the path it came from after redirects, and the parsed document."""

    status: int
    path: str
    html: str
    tree: Element
    response: TestResponse

    def select(self, selector: str) -> list[Element]:
        """The elements that a CSS selector names, in document order."""
        wanted = _compiled(selector)
        return [wrapper.etree_element for wrapper in self._wrapped if any(one.test(wrapper) for one in wanted)]

    @cached_property
    def _wrapped(self) -> list[Any]:
        """All elements as the selectors want them: wrapping them for each selector took a fifth of a test."""
        return list(cssselect2.ElementWrapper.from_html_root(self.tree).iter_subtree())

    def one(self, selector: str) -> Element:
        """The only element that a CSS selector names."""
        found = self.select(selector)
        assert len(found) == 1, f"{self.path}: {len(found)} elements match {selector!r}"
        return found[0]

    def text(self, selector: str = "body") -> str:
        """The words of the only element that matches, with white space made single."""
        return words(self.one(selector))

    @property
    def title(self) -> str:
        """The document's title."""
        return self.text("head > title")

    @property
    def h1(self) -> str:
        """The heading of the page."""
        return self.text("h1")

    def has(self, selector: str) -> bool:
        """Whether anything matches."""
        return bool(self.select(selector))

    def form(self, which: str) -> Element:
        """The only form that matches a CSS selector, or that has a button with this name to read."""
        if not re.match(r"form\b|[#.\[]", which):
            return self._form_of_button(which)[0]
        return self.one(which)

    def button(self, which: str) -> Element | None:
        """The button to press for `submit(page, which)`: the named one, or the form's first."""
        if not re.match(r"form\b|[#.\[]", which):
            return self._form_of_button(which)[1]
        return next(iter(self._buttons(self.one(which))), None)

    def values(self, which: str) -> dict[str, list[str]]:
        """What the form would send if nothing were changed (its buttons left out)."""
        sent: dict[str, list[str]] = {}
        for control in self.controls(self.form(which)):
            for value in _successful(control):
                sent.setdefault(control.get("name", ""), []).append(value)
        return sent

    def controls(self, form: Element) -> list[Element]:
        """The form's named and enabled controls, those outside it with a `form` attribute too."""
        parents = {child: parent for parent in self.tree.iter() for child in parent}
        found = []
        for element in self.tree.iter():
            if element.tag not in {"input", "select", "textarea"} or not element.get("name"):
                continue
            above = list(_ancestors(element, parents))
            owner = element.get("form")
            inside = owner == form.get("id") if owner else form in above
            off = "disabled" in element.attrib or any(
                node.tag == "fieldset" and "disabled" in node.attrib for node in above
            )
            if inside and not off:
                found.append(element)
        return found

    def _buttons(self, form: Element) -> list[Element]:
        outside = [] if not form.get("id") else self.select(f'button[form="{form.get("id")}"]')
        buttons = [node for node in form.iter() if _is_submit(node) and not node.get("form")]
        return buttons + outside

    def _form_of_button(self, label: str) -> tuple[Element, Element]:
        matches = [
            (form, button)
            for form in self.select("form")
            for button in self._buttons(form)
            if label in {words(button), button.get("value") if button.tag == "input" else None}
        ]
        assert len(matches) == 1, f"{self.path}: {len(matches)} buttons read {label!r}"
        return matches[0]


class PageClient:
    """Flask's test client for pages: strict reading, forms as a browser sends them."""

    def __init__(self, app: Flask, *, base_url: str = "http://127.0.0.1:8000") -> None:
        """Keep cookies between requests; `base_url` is the address that people use."""
        self.app = app
        self.base_url = base_url
        self.client: FlaskClient = app.test_client()
        self.titles: dict[str, str] = {}

    def get(self, url: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Page:
        """Open a page and lint it; redirects are followed, `status` is that of the last answer."""
        return self._page(self._open("GET", url, headers=headers), status)

    def raw(self, url: str, **options: Any) -> TestResponse:
        """An answer as it is, for downloads and JSON; redirects are not followed."""
        return self.client.open(url, base_url=self.base_url, **options)

    def post(self, url: str, data: Mapping[str, Any], *, status: int = 200, **options: Any) -> Page:
        """Post fields without a form: for what a browser would never send."""
        return self._page(self._open("POST", url, data=data, **options), status)

    def submit(self, page: Page, which: str, *, status: int = 200, **fields: Value) -> Page:
        """Fill in and send a form, named by a CSS selector (`form…`, `#id`, `.class`) or by its button's words.

        Hidden and prefilled fields are kept. A field that is not in the form, or an option that it does not
        offer, fails the test. `True` and `False` tick and untick; a list answers a field of many; a file is
        `(BytesIO(…), "name.pdf")`.
        """
        form, button = page.form(which), page.button(which)
        target = urljoin(
            page.path, (button.get("formaction") if button is not None else None) or form.get("action") or ""
        )
        sent = page.values(which) | filled_in(page, form, fields)
        if button is not None and button.get("name"):
            sent[button.get("name", "")] = [button.get("value") or ""]
        if (form.get("method") or "get").lower() == "get":
            return self._page(self._open("GET", target, query_string=sent), status)
        multipart = form.get("enctype") == "multipart/form-data"
        uploads = [name for name, values in sent.items() if any(isinstance(value, tuple) for value in values)]
        assert multipart or not uploads, f"{page.path}: the form sends only the names of the files {uploads}"
        kind = "multipart/form-data" if multipart else "application/x-www-form-urlencoded"
        return self._page(self._open("POST", target, data=sent, content_type=kind), status)

    def signed_in_copy(self) -> Self:
        """Another tab of the same browser: the same cookies, its own history of titles."""
        copy = type(self)(self.app, base_url=self.base_url)
        copy.client = self.client
        return copy

    def _open(self, method: str, url: str, **options: Any) -> TestResponse:
        answer = self.client.open(url, method=method, base_url=self.base_url, **options)
        for _ in range(5):
            if answer.status_code not in {301, 302, 303, 307, 308}:
                return answer
            where = urljoin(answer.request.url, answer.headers["Location"])
            assert where.startswith(self.base_url + "/"), f"A redirect leaves the site: {where}"
            path = urlsplit(where)
            answer = self.client.get(path.path, query_string=path.query, base_url=self.base_url)
        raise AssertionError(f"{url}: more than five redirects")

    def _page(self, answer: TestResponse, status: int) -> Page:
        path = answer.request.full_path.rstrip("?")
        html = answer.get_data(as_text=True)
        assert answer.status_code == status, f"{path}: {answer.status_code}, not {status}\n{_gist(html)}"
        assert answer.mimetype == "text/html", f"{path}: {answer.mimetype}"
        page = Page(status, path, html, parse(html, path), answer)
        lint(page)
        if answer.status_code == 200 and answer.request.method == "GET":
            self._title_is_its_own(page)
        return page

    def _title_is_its_own(self, page: Page) -> None:
        """Two different views may not be told apart by nothing."""
        endpoint = self.app.url_map.bind("").match(urlsplit(page.path).path)[0]
        other = self.titles.setdefault(page.title, str(endpoint))
        assert other == endpoint, f"{page.path}: the title {page.title!r} is also that of {other}"


@cache
def _compiled(selector: str) -> list[Any]:
    return list(cssselect2.compile_selector_list(selector))


def parse(html: str, path: str) -> Element:
    """The document's tree; any error of HTML syntax fails."""
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    try:
        root: Element = parser.parse(html)
    except html5lib.html5parser.ParseError as error:
        line, column = parser.errors[-1][0]
        near = html.splitlines()[line - 1] if line else ""
        raise AssertionError(f"{path}: line {line}, column {column}: {error}\n{near.strip()}") from error
    return root


def lint(page: Page) -> None:
    """The rules that every page keeps."""
    faults = [fault for rule in RULES for fault in rule(page)]
    assert not faults, f"{page.path}:\n  " + "\n  ".join(faults)


def _document(page: Page) -> list[str]:
    faults = []
    if page.tree.get("lang") not in {"sv", "en"}:
        faults.append(f"<html lang={page.tree.get('lang')!r}>")
    titles = [words(title) for title in page.tree.iterfind("head/title")]
    if len(titles) != 1 or not titles[0]:
        faults.append(f"titles: {titles}")
    headings = [int(node.tag[1]) for node in page.tree.iter() if re.fullmatch(r"h[1-6]", str(node.tag))]
    if headings.count(1) != 1:
        faults.append(f"{headings.count(1)} h1 headings")
    faults += [f"h{a} is followed by h{b}" for a, b in pairwise(headings) if b > a + 1]
    if len(page.select("main")) != 1:
        faults.append("not exactly one <main>")
    return faults


def _names(page: Page) -> list[str]:
    ids = [node.get("id") for node in page.tree.iter() if node.get("id")]
    faults = [f"the id {name!r} stands twice" for name in {name for name in ids if ids.count(name) > 1}]
    for node in page.tree.iter():
        for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "form", "list"):
            faults += [
                f"{attribute}={name!r} names nothing" for name in (node.get(attribute) or "").split() if name not in ids
            ]
        target = node.get("href") or ""
        if target.startswith("#") and target != "#" and target[1:] not in ids:
            faults.append(f"href={target!r} leads nowhere")
        if node.tag == "img" and node.get("alt") is None:
            faults.append(f"the image {node.get('src')} has no alt")
        if node.tag in {"a", "button"} and not (words(node) or node.get("aria-label") or _has_alt(node)):
            faults.append(f"<{node.tag}> without words: {node.attrib}")
    return faults


def _labels(page: Page) -> list[str]:
    labelled = {label.get("for") for label in page.select("label[for]")}
    wrapped = {control for label in page.select("label") if words(label) for control in label.iter()}
    faults = []
    for control in page.select("input, select, textarea"):
        if control.get("type") in NOT_FILLED:
            continue
        named = control.get("aria-label") or control.get("aria-labelledby")
        if not (named or control.get("id") in labelled or control in wrapped):
            faults.append(f"<{control.tag} name={control.get('name')!r}> has no label")
    for fieldset in page.select("fieldset"):
        first = next(iter(fieldset), None)
        if first is None or first.tag != "legend" or not words(first):
            faults.append(f"fieldset {fieldset.get('id')!r} does not begin with a legend")
    return faults


def _security(page: Page) -> list[str]:
    policy = page.response.headers.get("Content-Security-Policy", "")
    faults = []
    if "default-src" not in policy or "unsafe" in policy:
        faults.append(f"Content-Security-Policy: {policy!r}")
    for node in page.tree.iter():
        if node.get("style") is not None or node.tag == "style":
            faults.append(f"inline style on <{node.tag}>")
        if node.tag == "script" and not node.get("src"):
            faults.append("inline script")
        faults += [f"{name} on <{node.tag}>" for name in node.attrib if re.match(r"on|hx-on", name)]
        for attribute in ("href", "src", "action", "formaction"):
            if re.match(r"\s*(javascript|data:text)", node.get(attribute) or "", re.IGNORECASE):
                faults.append(f"{attribute}={node.get(attribute)!r}")
    for form in page.select("form"):
        token = next((c.get("value") for c in page.controls(form) if c.get("name") == "csrf_token"), None)
        posts = (form.get("method") or "get").lower() == "post"
        if posts and not token:
            faults.append(f"the form to {form.get('action')!r} has no csrf_token")
        if token and not posts:
            faults.append(f"the form to {form.get('action')!r} puts its csrf_token in the address")
    return faults


RULES = (_document, _names, _labels, _security)


def filled_in(page: Page, form: Element, fields: Mapping[str, Value]) -> dict[str, list[Any]]:
    """What a person's answers make of the form's fields; an answer that the form does not take fails."""
    controls = page.controls(form)
    sent: dict[str, list[Any]] = {}
    for name, value in fields.items():
        mine = [control for control in controls if control.get("name") == name]
        known = sorted({control.get("name", "") for control in controls})
        assert mine, f"{page.path}: the form has no field {name!r}, but {known}"
        offered = _offered(mine)
        if isinstance(value, bool):
            assert mine[0].get("type") == "checkbox", f"{page.path}: {name!r} is not a tick box"
            sent[name] = [mine[0].get("value") or "on"] if value else []
            continue
        answers: list[Any] = list(value) if isinstance(value, list) else [value]
        wrong = [answer for answer in answers if offered is not None and answer not in offered]
        assert not wrong, f"{page.path}: {name!r} does not offer {wrong}, but {offered}"
        sent[name] = answers
    return sent


def _offered(controls: list[Element]) -> list[str] | None:
    """The values that can be chosen, or None where anything can be typed."""
    first = controls[0]
    if first.tag == "select":
        return [_option_value(option) for option in first.iter("option") if "disabled" not in option.attrib]
    if first.get("type") in {"radio", "checkbox"}:
        return [control.get("value") or "on" for control in controls]
    return None


def _successful(control: Element) -> list[str]:
    """The values that an untouched control sends."""
    if control.tag == "textarea":
        return ["".join(control.itertext())]
    if control.tag == "select":
        options = list(control.iter("option"))
        chosen = [option for option in options if "selected" in option.attrib]
        if not chosen and "multiple" not in control.attrib:
            chosen = [option for option in options if "disabled" not in option.attrib][:1]
        return [_option_value(option) for option in chosen]
    kind = control.get("type") or "text"
    if kind in {"submit", "button", "image", "reset", "file"}:
        return []
    if kind in {"radio", "checkbox"}:
        return [control.get("value") or "on"] if "checked" in control.attrib else []
    return [control.get("value") or ""]


def words(element: Element) -> str:
    """An element's text with white space made single."""
    return " ".join("".join(element.itertext()).split())


def _option_value(option: Element) -> str:
    value = option.get("value")
    return words(option) if value is None else value


def _is_submit(node: Element) -> bool:
    if node.tag == "button":
        return (node.get("type") or "submit") == "submit"
    return node.tag == "input" and node.get("type") in {"submit", "image"}


def _has_alt(node: Element) -> bool:
    return any(child.get("alt") or child.get("aria-label") or child.tag == "title" for child in node.iter())


def _ancestors(element: Element, parents: Mapping[Element, Element]) -> list[Element]:
    found = []
    while element in parents:
        element = parents[element]
        found.append(element)
    return found


def _gist(html: str) -> str:
    """What a wrong page says, without its markup."""
    body = re.sub(r"(?s)<head.*?</head>|<[^>]+>", " ", html)
    return " ".join(body.split())[:1500]
