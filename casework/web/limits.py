"""How often somebody may try: per address and name, wide enough for a hall behind one address (S-RATE3)."""

from hashlib import sha256

from flask import Flask, request
from flask_limiter import Limiter

from casework.settings import get_settings


def address() -> str:
    """Where the request came from."""
    return request.remote_addr or "unknown"


def address_and_name() -> str:
    """Where the request came from and for which account: nobody can shut somebody else out."""
    return f"{address()} {request.form.get('username', '').strip().lower()}"


def link_itself() -> str:
    """The link itself, whoever has it; hashed, as the counts and their log lie outside the database (S-LINK3)."""
    return sha256(str((request.view_args or {}).get("token")).encode()).hexdigest()


def asked_for() -> str:
    """Whose link is asked for, from wherever, known or not."""
    return sha256(request.form.get("asked_for", "").strip().lower().encode()).hexdigest()


limiter = Limiter(key_func=address)


def init_app(app: Flask) -> None:
    """Count in Redis where it is the broker, else in this process's memory (S-RATE2)."""
    broker = get_settings().broker_url
    app.config["RATELIMIT_STORAGE_URI"] = broker if broker.startswith("redis") else "memory://"
    limiter.init_app(app)
