"""From a ruling at the table to a decision of the Law Commission that cannot be appealed, each at his own phone."""

import subprocess

import pytest

from tests.browser import at_table
from tests.browser.house import House
from tests.browser.phone import Phone

pytestmark = pytest.mark.browser

FINAL = "Juryns beslut upphävs. Resultatet ändras till 4♥ av Syd, tio stick."
PARTIES = ("north", "south", "east", "west")
JURORS = ("juror_1", "juror_2", "juror_3")
NOTHING = "Jag svarar för vår sida: vi har inget att tillägga"
TITLE = "Överklagande av domslut i bricka 18"


def test_a_ruling_goes_to_the_law_commission(house: House) -> None:
    """The main job (R22-R40, R1-R31): everybody acts on a phone, told and let in by the mails that really came."""
    director, organiser = house.official("director"), house.official("organiser")
    _ruling(house, director, organiser)
    _appeal_to_jury(house, director)
    jurors = _jury(house, organiser)
    _jury_decides(house, jurors)
    _appeal_on(house, director)
    _papers(house, director)
    _law_commission(house)
    _told_for_good(house)
    _case_file(house)


def _ruling(house: House, director: Phone, organiser: Phone) -> None:
    organiser.go("/tavlingar").press("Höstpokalen").press("Registrera en ledamot")
    organiser.tick("Ulla Sandvik").press("Registrera som närvarande").says("Ledamoten är registrerad som närvarande.")
    at_table.rule(director)
    for key in PARTIES:
        text = house.letter(key, "Domslut i bricka 18").text
        assert at_table.WORDS in text
        assert "Så överklagar du" in text
        assert "Du har 30 minuter på dig. Tiden börjar när det officiella resultatet är tillgängligt" in text
        assert "Överklagandet prövas av juryn." in text
    house.later(minutes=10)
    at_table.publish(organiser)


def _appeal_to_jury(house: House, director: Phone) -> None:
    north = house.by_letter("north", "Din tid att överklaga har börjat")
    north.says("Överklaga senast", "29 minuter kvar", at_table.WORDS)
    at_table.appeal(north, wants="Ge tillbaka 4♥ jämna.", grounds="Nord tänkte inte länge.")
    assert "Motparten har överklagat" in house.letter("east", "Motparten har överklagat").subject
    at_table.concur(house)
    at_table.forward(house, director)


def _jury(house: House, organiser: Phone) -> list[Phone]:
    house.letter("organiser", "har skickats vidare")
    organiser.go("/").press(TITLE).press("Utse juryn")
    for name in ("Göran Wiklund", "Inga Bergdal", "Sten Oskarsson"):
        organiser.tick(name, within="Ledamöter")
    organiser.choose("Ordförande", "Göran Wiklund").press("Utse juryn").says("Visa koden")
    jurors = [house.by_letter(key, "Du sitter i juryn") for key in JURORS]
    for juror in jurors:
        juror.says_not(at_table.WORDS)
        at_table.no_conflict(juror)

    organiser.press("Kalla till sammanträdet").says("Ulla Sandvik")
    organiser.write("Plats", "Rum 3").write("Klockslag", "15.00").press("Kalla till sammanträdet")
    organiser.says("Kallelsen är på väg till alla som kallas.", "Lagkommissionen, får följa allt utom överläggningen")
    for key in (*PARTIES, *JURORS, "lk_1"):
        assert "lördag 28 november 2026 kl. 15.00" in house.letter(key, "Du är kallad").text
    house.later(minutes=55)
    _hearing(organiser)
    return jurors


def _hearing(organiser: Phone) -> None:
    organiser.press("Notera vilka som är på plats")
    for party in ("Birgit Ekestam", "Olof Hägglund"):
        organiser.tick("På plats", within=party)
    for member in ("Göran Wiklund (ordförande)", "Inga Bergdal (ledamot)", "Sten Oskarsson (ledamot)"):
        organiser.tick(member)
    organiser.tick("Ulla Sandvik (närvarar utan rösträtt)").press("Notera närvaron").press("Öppna sammanträdet")
    for said in ("presenterar juryn", "", "", "", "", ""):
        organiser.says(said).press("Klart, gå vidare")
    organiser.press("Avsluta sammanträdet och överlägg").says("Ledamöterna överlägger ensamma.")


def _jury_decides(house: House, jurors: list[Phone]) -> None:
    chair, second, third = jurors
    _vote(chair, "Ja, fastställ")
    _vote(second, "Ja, fastställ").says_not("Beslutet står fast")
    _vote(third, "Nej, ändra", dissent="Pass var inget alternativ.")
    chair.go(chair.path).press("Stäng omröstningen och visa rösterna").says(
        "Ändra beslutet. Pass var inget alternativ."
    )
    chair.press("Skriv beslutet").write("Vad som beslutas", "Domslutet står fast. Överklagandet avslås.")
    chair.write("Skäl", "Pass var ett logiskt alternativ.").press("Kontrollera och skriv under")
    chair.says("Parterna kan överklaga till Lagkommissionen.", "Sten Oskarsson: Pass var inget alternativ.")
    chair.press("Skriv under beslutet").says("Beslutet är undertecknat")
    for key in ("south", "east", "west"):
        text = house.letter(key, "Beslut om överklagandet").text
        assert "Domslutet står fast. Överklagandet avslås." in text
        assert "Överklagandet prövas av Lagkommissionen." in text
        assert "10 dagar" in text


def _vote(member: Phone, position: str, *, dissent: str = "") -> Phone:
    member.go(f"/arenden/{member.path.split('/')[2]}").press("Rösta").tick(position)
    member.write("Dina skäl, om de andra beslutar något annat", dissent)
    return member.press("Lägg din röst").says("Din röst är")


def _appeal_on(house: House, director: Phone) -> None:
    north = house.by_letter("north", "Beslut om överklagandet")
    north.says("Överklaga senast", "tisdag 8 december 2026 kl. 23.59")
    at_table.appeal(north, wants="Ändra juryns beslut.", decision="beslutet")
    at_table.concur(house)
    at_table.forward(house, director)


def _papers(house: House, director: Phone) -> None:
    director.press("Till ärendet").press("Lämna in rapporten").press(at_table.TO_CHECK).says(at_table.FACTS)
    director.press("Lämna in rapporten").says("Rapporten är inlämnad")
    director.press("Till ärendet").press("Begär yttranden av parterna")
    director.write("Är det något särskilt de ska svara på?", "Hur lång var pausen?")
    director.press("Begär yttrandena").says("Parterna är tillfrågade")

    north, east = (house.by_letter(key, "Yttra dig om överklagandet") for key in ("north", "east"))
    east.press("Yttra dig").says("Hur lång var pausen?", "Tävlingsledarens rapport")
    east.attach("Bilder eller filer", "anteckning.txt", "Protokoll från bordet.".encode())
    _state(east, "Pausen var tjugo sekunder.").says("anteckning.txt", "SHA-256")
    _state(north.press("Yttra dig").says_not("tjugo sekunder"), "Pausen var kort.")

    north, east = (house.by_letter(key, "Läs de andras yttranden") for key in ("north", "east"))
    for party in (north, east):
        party.press("Yttra dig").says("Pausen var kort.", "Pausen var tjugo sekunder.")
        party.press("Jag har inget att tillägga").tick(NOTHING).press("Meddela att du inte har något att tillägga")
        party.says("Du har sagt att du inte har något att tillägga")
    director.press("Till ärendet").until("Skicka in handlingarna").press("Skicka in handlingarna").says(
        "Poängen är inte uträknad ännu."
    )
    director.press("Skicka in handlingarna").says("Handlingarna är inskickade")


def _state(party: Phone, text: str) -> Phone:
    party.write("Ditt yttrande", text).press(at_table.TO_CHECK).press("Lämna in yttrandet")
    return party.says("Ditt yttrande är inlämnat")


def _law_commission(house: House) -> None:
    house.later(days=20)
    house.letter("lk_chair", "är inskickade")
    chair = house.official("lk_chair").press(TITLE).press("Registrera ärendet")
    chair.says("Ulla Sandvik", "Möjligt jäv: kallades till juryns sammanträde.")
    chair.write("Varför får instansen pröva ärendet?", "Överklagat beslut av juryn.").press("Registrera ärendet")
    house.letter("north", "är registrerat")
    for key in ("lk_chair", "lk_1", "lk_2"):
        house.letter(key, "Du sitter i Lagkommissionen")
    chair.press("Till ärendet")
    attended, other = (house.official(key).press(TITLE) for key in ("lk_1", "lk_2"))
    for member in (chair, attended, other):
        at_table.no_conflict(member)

    chair.go("/").press(TITLE).press("Avgör en fråga om jäv").press("Avgör frågan om jäv")
    chair.tick("Ja, ledamoten är jävig och deltar inte").write("Skäl", "Hon var med vid juryns sammanträde.")
    chair.press("Avgör frågan").says("Jäviga, deltar inte: Ulla Sandvik.", "Eskil Norling")
    reserve = house.official("lk_reserve").press(TITLE)
    at_table.no_conflict(reserve)

    chair.go("/").press(TITLE).press("Börja överläggningen").press("Börja överläggningen")
    for member in (chair, other, reserve):
        _vote(member, "Nej, ändra")
    chair.go(chair.path).press("Stäng omröstningen och visa rösterna")
    chair.press("Skriv beslutet").write("Vad som beslutas", FINAL)
    chair.tick("Bifallet").choose("Resultatet på brickan", "Tilldelad poäng")
    chair.write("Det här för arrangören in i resultatlistan", "4♥ av Syd, tio stick.")
    chair.write("Skäl", "Pausen var inte bevisad.")
    chair.press("Kontrollera och skriv under").says("Beslutet är slutgiltigt och kan inte överklagas.")
    chair.press("Skriv under beslutet").says("Beslutet är undertecknat")


def _told_for_good(house: House) -> None:
    """LK's notices are held for a while, in which they can be stopped."""
    house.later(minutes=5)
    for key in ("north", "south", "west"):
        text = house.letter(key, "Beslut om överklagandet").text
        assert FINAL in text
        assert "Lagkommissionens beslut är slutgiltigt och går inte att överklaga." in text
        assert "Så överklagar du" not in text


def _case_file(house: House) -> None:
    party = house.by_letter("east", "Beslut om överklagandet").says("Beslutet är slutgiltigt")
    party.says_not("Överklaga beslutet")
    party.press("Hämta hela akten som PDF").press("Gör akten").until("Hämta akten")
    pdf = party.download("Hämta akten")
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True, text=True).stdout
    pages = text.split("\f")[:-1]
    for number, page in enumerate(pages, start=1):
        assert f"{number} ({len(pages)})" in page
    said = " ".join(text.split())
    for words in (at_table.WORDS, FINAL, "Ge tillbaka 4♥ jämna.", "Pausen var tjugo sekunder.", "anteckning.txt"):
        assert words in said
    for contact in ("@lindvalla.example", "08-000 00", "Provgatan"):
        assert contact not in said
