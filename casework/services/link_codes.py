"""The code that stands beside a mail link, for mail systems whose scanners press buttons (S-LINK2).

Like the link's token it is made of the key outside the database and kept nowhere, not even as a hash: so a kept mail
can still be proven to be what was sent (R-PROOF1).
"""

import hmac
from uuid import UUID

from casework.services.secret_addresses import digest_of, secret_of
from casework.settings import get_settings

MOST_WRONG = 10
"""So many wrong codes, and the link's holder needs a new link: a guess hits one of 32^6."""
LENGTH = 6

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: no two letters look alike, and no word comes of them."""
_ALIKE = str.maketrans("OIL", "011")


def asked_for() -> bool:
    """Whether a browser that is new to a link is asked for its code."""
    return get_settings().link_codes


def code_of(link_id: UUID, state: str) -> str:
    """The code in a link's mails, as "7K3-M9Q"; with another `state` of the row it is another one."""
    number = int.from_bytes(digest_of("code", link_id, state)[:8])
    code = "".join(_ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))
    return f"{code[:3]}-{code[3:]}"


def tidy(typed: str) -> str:
    """What was meant: without case, spaces and dashes, and O for 0, I or L for 1."""
    return "".join(letter for letter in typed.upper().translate(_ALIKE) if letter in _ALPHABET)


def same(typed: str, code: str) -> bool:
    """Whether somebody typed the code."""
    return hmac.compare_digest(tidy(typed), tidy(code))


def device_mark(link_id: UUID, state: str) -> str:
    """What a browser keeps to show that the code was typed in it."""
    return secret_of("device", link_id, state)
