"""What both journeys begin with: a ruling, the official score, and an appeal that both partners stand by."""

from tests.browser.house import House
from tests.browser.phone import Phone

WORDS = "Resultatet ändras till 3♠ av Syd, nio stick."
FACTS = "Nord tänkte länge och passade. Syd bjöd 4♠."
TO_CHECK = "Fortsätt till kontrollen"


def fill_in(director: Phone) -> None:
    """The short form, as far as the check."""
    director.go("/domslut/ny")
    director.write("Bord", "5").write("Bricka", "18").write("Nord–Syd, nummer", "7").write("Öst–Väst, nummer", "12")
    director.write("Vad hände?", FACTS).write("Lagar", "16B1, 73C").tick("Tilldelad poäng")
    director.write("Domslutet", WORDS).tick("Ja", within="Är det ett bedömningsdomslut?")
    director.write("Skäl", "Pass var ett logiskt alternativ.").press(TO_CHECK)


def rule(director: Phone) -> None:
    """The form, the check, and the parties told."""
    fill_in(director)
    director.says("Bord 5, bricka 18", "Par 7: Birgit Ekestam, Arne Solvik", "Par 12: Olof Hägglund, Lena Tvärås")
    director.press("Meddela domslutet").says("Domslutet är meddelat")


def publish(organiser: Phone) -> None:
    """The organiser records that the official score is available now."""
    organiser.go("/tavlingar").press("Höstpokalen").press("Skriv in när resultatet visades")
    organiser.press(TO_CHECK).says("Kan överklaga till")
    organiser.press("Skriv in när resultatet visades").says("Tider för överklagande")


def appeal(party: Phone, *, wants: str, grounds: str = "", decision: str = "domslutet") -> None:
    """From the case's page through form and check to the receipt."""
    party.press(f"Överklaga {decision}").write("Vad vill du ändra?", wants).write("Varför?", grounds)
    party.press(TO_CHECK).press(f"Överklaga {decision}").says("Överklagandet är inlämnat", "Kvittonummer")


def concur(house: House) -> None:
    """The partner says himself, from a link of his own, that he stands by the appeal."""
    partner = house.by_letter("south", "Instämmer du i överklagandet?")
    partner.press("Instäm i överklagandet").tick("Jag instämmer i överklagandet").press("Instäm i överklagandet")
    partner.says("Du har instämt i överklagandet")


def forward(house: House, director: Phone) -> None:
    """The director finds the appeal among what he has to do, and forwards it."""
    house.letter("director", "Skicka vidare ett överklagande")
    director.go("/").press("Överklagande av domslut i bricka 18").press("Skicka överklagandet vidare")
    director.press("Skicka överklagandet vidare").says("Överklagandet är skickat vidare")


def no_conflict(member: Phone) -> None:
    """A member of a panel answers first of all about conflicts of interest."""
    member.press("Svara på frågan om jäv").tick("Nej, jag har inget jäv").press("Skicka svaret").says(
        "Svaret är sparat."
    )
