"""A notice in words: its mail, and the same on paper.

`templates/mail/<kind>/words.txt` says each thing once; the text half, the HTML half and the letter show it, so they
cannot differ in what they say.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlmodel import Session, select

from casework.adapters.i18n import jinja_environment
from casework.adapters.mail import Letter, message_id, thread_root
from casework.domain.models import Contact, Link, Notice
from casework.services.links import link_url
from casework.services.mail_context import context_of
from casework.settings import get_settings

_WORDS = ("subject", "first", "action", "parts")
_RARE = ("lead", "drawn")
_EMPTY_LINES = re.compile(r"\n{3,}")
_TOKEN = 64
"""Letters of a link's token: its id and its HMAC in base64url."""
_KEPT_LINK = re.compile(r"\{link:([0-9a-f-]{36})\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLetter:
    """A notice for the post: who gets it, and its body as HTML. `address` is empty where the register has none."""

    notice_id: UUID
    language: str
    case_number: str
    subject: str
    recipient: str
    address: tuple[str, ...]
    body: str


def message_for(session: Session, notice_id: UUID) -> Letter:
    """The mail of a notice, in its recipient's language. Needs no more than a read unit.

    Raises:
        NoAppealRights: a decision that can be appealed, without the window of its recipient: it is never sent (R32).
    """
    notice = session.get_one(Notice, notice_id)
    context = _said(session, notice, paper=False)
    settings = get_settings()
    return Letter(
        sender=settings.mail_from,
        sender_name=settings.federation_name,
        reply_to=settings.mail_reply_to,
        to_address=notice.address,
        to_name=context["name"],
        subject=context["subject"],
        text=_EMPTY_LINES.sub("\n\n", _render("mail/layout.txt", notice, context)),
        html=_render("mail/layout.html", notice, context),
        message_id=message_id(notice.id),
        case_number=context["case_number"],
        references=thread_root(notice.case_id),
    )


def letter_for(session: Session, notice_id: UUID) -> PaperLetter:
    """The same notice for the post, without what opens the case: others make, fetch and post it (R37).

    Raises as `message_for`.
    """
    notice = session.get_one(Notice, notice_id)
    context = _said(session, notice, paper=True)
    contact = session.exec(select(Contact).where(Contact.person_id == notice.person_id)).first()
    town = f"{contact.postal_code} {contact.city}".strip() if contact else ""
    return PaperLetter(
        notice_id=notice.id,
        language=notice.language,
        case_number=context["case_number"],
        subject=context["subject"],
        recipient=context["name"],
        address=tuple(line for line in (contact.street, town) if line) if contact else (),
        body=_render("mail/body.html", notice, context),
    )


def without_capability(mime: bytes, link_id: UUID | None) -> bytes:
    """A sent message without what opens the case: the token's address becomes `{link:ID}`, wherever lines were cut."""
    base = f"{get_settings().public_base_url.rstrip('/')}/l/"
    cut = rb"(?:=\r?\n)?"
    letters = cut.join(re.escape(letter.encode()) for letter in base)
    token = rb"(?:" + cut + rb"[A-Za-z0-9_-]){%d}" % _TOKEN
    return re.sub(letters + token, f"{{link:{link_id}}}".encode(), mime)


def with_links(session: Session, text: str) -> str:
    """A kept message's text with the links as they are now: for the demo's mailboxes only."""

    def url(found: re.Match[str]) -> str:
        link = session.get(Link, UUID(found[1]))
        return link_url(link) if link else found[0]

    return _KEPT_LINK.sub(url, text)


def _said(session: Session, notice: Notice, *, paper: bool) -> dict[str, Any]:
    """The context of the frames: the case's rows, and the words of this kind of notice."""
    context = {**context_of(session, notice), "paper": paper} | ({"url": ""} if paper else {})
    template = jinja_environment(notice.language).get_template(f"mail/{notice.kind}/words.txt")
    words = template.make_module(context)
    rare = {name: getattr(words, name, "") for name in _RARE}
    return context | rare | {name: getattr(words, name) for name in _WORDS}


def _render(name: str, notice: Notice, context: Mapping[str, Any]) -> str:
    return jinja_environment(notice.language).get_template(name).render(context).strip() + "\n"
