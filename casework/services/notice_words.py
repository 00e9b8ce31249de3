"""A notice in words: its mail, and the same on paper.

`templates/mail/<kind>/words.txt` says each thing once; the text half, the HTML half and the letter show it, so they
cannot differ in what they say.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlmodel import Session, select

from casework.adapters.i18n import jinja_environment
from casework.adapters.mail import CalendarPart, Letter, message_id, return_path, thread_root
from casework.domain.delivery import NamedStart
from casework.domain.models import Contact, Notice
from casework.domain.terms import NoticeKind
from casework.paths import TEMPLATES, TRANSLATIONS
from casework.services.links import links_in, secrets_of
from casework.services.mail_context import context_of
from casework.services.reminder_choice import stop_secrets, stop_url
from casework.settings import get_settings

_WORDS = ("subject", "first", "action", "parts")
_RARE = ("lead", "drawn", "counted")
_EMPTY_LINES = re.compile(r"\n{3,}")


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


def message_for(session: Session, notice_id: UUID, now: datetime) -> Letter:
    """The mail of a notice that goes out now, in its recipient's language. Needs no more than a read unit.

    Raises:
        NoAppealRights: a decision that can be appealed, without the window of its recipient: it is never sent (R32).
    """
    notice = session.get_one(Notice, notice_id)
    context = _said(session, notice, now, paper=False)
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
        return_path=return_path(notice.id),
        template=template_version(notice.kind, notice.language),
        stop_url=stop_url(notice),
        secrets=_secrets(context, notice) | stop_secrets(notice),
        calendar=_calendar(context),
        starts=_starts(context),
    )


def letter_for(session: Session, notice_id: UUID, now: datetime) -> PaperLetter:
    """The same notice for the post, without what opens the case: others make, fetch and post it (R37).

    Raises as `message_for`.
    """
    notice = session.get_one(Notice, notice_id)
    context = _said(session, notice, now, paper=True)
    contact = session.exec(select(Contact).where(Contact.person_id == notice.person_id)).first()
    return PaperLetter(
        notice_id=notice.id,
        language=notice.language,
        case_number=context["case_number"],
        subject=context["subject"],
        recipient=context["name"],
        address=postal_address(contact) if contact else (),
        body=_render("mail/body.html", notice, context),
    )


def postal_address(contact: Contact) -> tuple[str, ...]:
    """Street and town, as they are written on a letter."""
    town = f"{contact.postal_code} {contact.city}".strip()
    return tuple(line for line in (contact.street, town) if line)


def with_links(session: Session, notice_id: UUID, text: str) -> str:
    """A kept message's text with the links as they are now: for the demo's mailboxes only."""
    secrets = [secrets_of(link, notice_id) for link in links_in(session, notice_id)]
    for each in (*secrets, stop_secrets(session.get_one(Notice, notice_id))):
        for mark, secret in each.items():
            text = text.replace(mark, secret)
    return text


@cache
def template_version(kind: NoticeKind, language: str) -> str:
    """Which words a notice is made of: its kind, and a hash of its templates and its language's catalogue."""
    shared = [path for path in (TEMPLATES / "mail").iterdir() if path.is_file()]
    own = [*(TEMPLATES / "mail" / kind).iterdir(), *(TRANSLATIONS / language).rglob("*.po")]
    digest = sha256(b"".join(path.read_bytes() for path in [*sorted(shared), *sorted(own)]))
    return f"{kind} {language} {digest.hexdigest()[:12]}"


def _said(session: Session, notice: Notice, now: datetime, *, paper: bool) -> dict[str, Any]:
    """The context of the frames: the case's rows, and the words of this kind of notice."""
    context = {**context_of(session, notice, now, paper=paper), "paper": paper}
    template = jinja_environment(notice.language).get_template(f"mail/{notice.kind}/words.txt")
    words = template.make_module(context)
    rare = {name: getattr(words, name, "") for name in _RARE}
    return context | rare | {name: getattr(words, name) for name in _WORDS}


def _secrets(context: Mapping[str, Any], notice: Notice) -> dict[str, str]:
    links = [way.link for way in context["ways"] if way.link]
    return {mark: secret for link in links for mark, secret in secrets_of(link, notice.id).items()}


def _starts(context: Mapping[str, Any]) -> tuple[NamedStart, ...]:
    return tuple(
        NamedStart(row.id, row.proceeding_id, row.told_base, row.changes, row.changed_at) for row in context["started"]
    )


def _calendar(context: Mapping[str, Any]) -> CalendarPart | None:
    found = context["calendar"]
    return CalendarPart(found["name"], found["file"], found["method"]) if found else None


def _render(name: str, notice: Notice, context: Mapping[str, Any]) -> str:
    return jinja_environment(notice.language).get_template(name).render(context).strip() + "\n"
