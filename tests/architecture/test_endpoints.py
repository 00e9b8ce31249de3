"""Every endpoint declares who may open it, every POST asks for its token, the web writes through one door."""

import ast
from collections.abc import Iterator
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import event
from werkzeug.routing import Rule

from casework.adapters import database
from casework.app import create_app
from casework.domain.access import Permission
from tests.architecture.sources import trees
from tests.conftest import Set
from tests.page import PageClient

NO_VIEW = {"static"}
DOORS = {"casework/web/units.py", "casework/web/sessions.py"}
"""Where the web opens units of work."""


@pytest.fixture
def app(sqlite: str, settings: Set) -> Flask:
    """The application with all its pages."""
    settings(demo=1)
    return create_app()


def rules(app: Flask) -> Iterator[Rule]:
    """Every address but those of static files."""
    return (rule for rule in app.url_map.iter_rules() if rule.endpoint not in NO_VIEW)


def address(app: Flask, rule: Rule) -> str:
    """An address of the rule with ids that name nothing."""
    values = {name: UUID(int=7) if "uuid" in repr(rule._converters[name]).lower() else "x" for name in rule.arguments}
    return str(app.url_map.bind("127.0.0.1").build(rule.endpoint, values, method=min(rule.methods or [""])))


def test_every_endpoint_declares_its_permission(app: Flask) -> None:
    bare = [
        rule.endpoint
        for rule in rules(app)
        if not isinstance(getattr(app.view_functions[rule.endpoint], "permission", None), Permission)
    ]
    assert bare == []


def test_no_post_without_its_token_writes(app: Flask) -> None:
    """A form that our page did not make is shown again or refused; nothing is begun."""
    client = PageClient(app)
    begun: list[str] = []
    event.listen(database.engine(), "commit", lambda connection: begun.append(str(connection.get_execution_options())))
    posts = [rule for rule in rules(app) if "POST" in (rule.methods or ())]
    assert posts
    for rule in posts:
        answer = client.raw(address(app, rule), method="POST", data={"username": "x", "person": "x", "by": "1d"})
        assert answer.status_code >= 400, rule.endpoint
    assert [options for options in begun if "'write': True" in options] == []


def test_the_web_opens_units_of_work_in_one_place() -> None:
    elsewhere = [
        f"{path}:{node.lineno}"
        for path, tree in trees("casework")
        if path.startswith("casework/web/") and path not in DOORS
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("uow")
    ]
    assert elsewhere == []
