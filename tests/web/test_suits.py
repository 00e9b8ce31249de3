"""Suits in two or four colours: the reader's choice, without an account and without scripts (U22)."""

import pytest

from tests.page import PageClient


def test_suits_have_two_colours_until_four_are_chosen(client: PageClient) -> None:
    assert client.get("/hjalp").tree.get("data-suits") is None
    chosen = client.submit(client.get("/farger?back=/hjalp"), "Spara", colours="four")
    assert (chosen.path, chosen.tree.get("data-suits")) == ("/hjalp", "four")
    assert client.get("/").tree.get("data-suits") == "four"
    back = client.submit(client.get("/farger?back=/hjalp"), "Spara", colours="two")
    assert back.tree.get("data-suits") is None


def test_every_page_leads_to_the_choice_and_back(client: PageClient) -> None:
    links = client.get("/hjalp").select("footer a[href^='/farger']")
    assert [link.get("href") for link in links] == ["/farger?back=/hjalp"]
    again = client.get("/farger?back=/hjalp").select("footer a[href^='/farger']")
    assert [link.get("href") for link in again] == ["/farger?back=/hjalp"]


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example"])
def test_the_way_back_stays_here(client: PageClient, back: str) -> None:
    assert client.submit(client.get(f"/farger?back={back}"), "Spara", colours="four").path == "/"


def test_what_cannot_be_chosen_is_refused(client: PageClient) -> None:
    page = client.get("/farger")
    sent = {name: values[0] for name, values in page.values("Spara").items()} | {"colours": "seven"}
    assert client.post("/farger", sent, status=422).has(".error-summary")
