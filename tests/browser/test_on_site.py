"""A jury at the tournament whose decision nobody appeals, entered by its chair at one laptop."""

import pytest

from tests.browser import at_table
from tests.browser.house import House
from tests.browser.phone import DESKTOP, Phone

pytestmark = pytest.mark.browser

DECISION = "Domslutet står fast. Överklagandet avslås."
PARTIES = ("north", "south", "east", "west")
MEMBERS = ("Göran Wiklund", "Inga Bergdal", "Sten Oskarsson")


def test_a_jury_on_site_decides_for_good(house: House) -> None:
    """R25-R26, R36-R38: one person enters all of it; when the time has run out the clock makes the decision final."""
    director, organiser = house.official("director"), house.official("organiser")
    at_table.rule(director)
    for key in PARTIES:
        assert at_table.WORDS in house.letter(key, "Domslut i bricka 18").text
    house.later(minutes=5)
    at_table.publish(organiser)
    north = house.by_letter("north", "Din tid att överklaga har börjat")
    at_table.appeal(north, wants="Ge tillbaka 4♥ jämna.")
    at_table.concur(house)
    at_table.forward(house, director)
    _appoint(organiser)
    laptop = house.by_letter("juror_1", "Du sitter i juryn", house.phone(width=DESKTOP))
    _hear(house, laptop)
    _decide(laptop)
    _becomes_final(house, director)


def _appoint(organiser: Phone) -> None:
    organiser.go("/").press("Överklagande av domslut i bricka 18").press("Utse juryn")
    for name in MEMBERS:
        organiser.tick(name, within="Ledamöter")
    organiser.choose("Ordförande", MEMBERS[0]).press("Utse juryn")


def _hear(house: House, laptop: Phone) -> None:
    at_table.no_conflict(laptop)
    for name in MEMBERS[1:]:
        laptop.press(f"Skriv in svaret om jäv {name}").tick("Nej, inget jäv").press("Spara svaret")
        laptop.says("Svaret är sparat.")
    laptop.press("Kalla till sammanträdet").write("Plats", "Rum 3").write("Klockslag", "14.30")
    laptop.press("Kalla till sammanträdet")
    house.later(hours=3)
    laptop.press("Notera vilka som är på plats")
    laptop.tick("På plats", within="Birgit Ekestam").tick("Saknas", within="Olof Hägglund")
    laptop.write("Om en part saknas: vad har gjorts för att nå den?", "Ringt två gånger, inget svar.")
    for name, role in zip(MEMBERS, ("ordförande", "ledamot", "ledamot"), strict=True):
        laptop.tick(f"{name} ({role})")
    laptop.press("Notera närvaron").says("Ringt två gånger, inget svar.").press("Öppna sammanträdet")
    for _ in range(6):
        laptop.press("Klart, gå vidare")
    laptop.press("Avsluta sammanträdet och överlägg")


def _decide(laptop: Phone) -> None:
    laptop.press("Till överläggningen").press("Skriv in rösterna från rummet")
    for name, position in zip(MEMBERS, ("Ja, fastställ", "Ja, fastställ", "Nej, ändra"), strict=True):
        laptop.tick(position, within=f"Så röstade {name}")
    laptop.write("Skiljaktig mening från Sten Oskarsson", "Pass var inget alternativ.").press("Spara rösterna")
    laptop.says("Ändra beslutet. Pass var inget alternativ.").press("Skriv beslutet")
    laptop.write("Vad som beslutas", DECISION).write("Skäl", "Pass var ett logiskt alternativ.")
    laptop.press("Kontrollera och skriv under").press("Skriv under beslutet").says("Beslutet är undertecknat")


def _becomes_final(house: House, director: Phone) -> None:
    for key in PARTIES:
        assert DECISION in house.letter(key, "Beslut om överklagandet").text
    house.later(days=12)
    for key in PARTIES:
        text = house.letter(key, "slutgiltig").text
        assert DECISION in text
        assert "Så överklagar du" not in text
    house.official("director", director).go("/arenden").press("Överklagande av domslut i bricka 18")
    director.says("Beslutet är slutgiltigt", "Inget återstår att göra", "Pass var ett logiskt alternativ.")
