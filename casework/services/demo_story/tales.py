"""The demo's cases: one for every state. Facts of published cases, retold in our own words."""

from dataclasses import replace
from datetime import datetime, timedelta

from casework.adapters.database import uow
from casework.domain.terms import AppealOutcome, Position, RulingOutcome, Side
from casework.services.demo_story.boards import board, doubled_game, weighted_slam
from casework.services.demo_story.federation import Federation, found
from casework.services.demo_story.post import expire_all
from casework.services.demo_story.teller import COMMISSION, JURY, OFFICE, Story, Told, publish

NS, EW = Side.NORTH_SOUTH, Side.EAST_WEST

SLOW_DOUBLE = Told(
    board=22,
    table="6",
    sides=(9, 2),
    facts=(
        "Väst tänkte ungefär trettio sekunder innan han dubblade 4♥. Båda sidor är överens om pausen. "
        "Öst tog ut dubblingen i 4♠ och vann tio stick."
    ),
    operative="Resultatet ändras till 4♥ dubblat av Nord, en straff. +100 till Öst–Väst.",
    laws="16B1, 73C",
    reasons="Pausen antydde att dubblingen inte var ren. Pass var ett rimligt alternativ för Öst.",
    deal=board(22),
    score=doubled_game(),
)
MISSING_ALERT = Told(
    board=3,
    table="2",
    sides=(10, 3),
    facts="Öst–Väst alerterade varken 2♦ eller 3♠. Nord säger att ett utspel i spader hade betat kontraktet.",
    operative="Resultatet vid bordet står: 6♦ av Väst, tolv stick.",
    laws="40B, 21B",
    outcome=RulingOutcome.RESULT_STANDS,
    reasons="Färre än en av fyra tillfrågade hade spelat annorlunda med rätt upplysning.",
    deal=board(3),
)
SLOW_PASS = Told(
    board=19,
    table="11",
    sides=(4, 14),
    facts="Öst passade långsamt efter en förklaring. Nord–Syd säger att pausen var tydlig, Öst–Väst förnekar den.",
    operative="Resultatet ändras till 3♣ av Nord, hemgång. +110 till Nord–Syd.",
    laws="16B1",
    reasons="Tre av fyra som satt vid bordet uppfattade pausen. Väst hade ett rimligt alternativ i pass.",
    deal=board(19),
)
ALERT_AS_HINT = Told(
    board=23,
    table="5",
    sides=(5, 15),
    facts="3♦ alerterades först efter en stund. Förklaringen kom senare och stämde inte med Nords hand.",
    operative="Resultatet ändras till 4♠ av Syd, en straff. +100 till Öst–Väst.",
    laws="16B1, 75",
    reasons="Alerten gav Nord en upplysning som han inte fick använda.",
    deal=board(23),
)
CLAIM = Told(
    board=7,
    table="8",
    sides=(16, 8),
    facts="Spelföraren krävde resten utan att nämna den trumf som fanns kvar hos Väst.",
    operative="Ett stick går till försvaret. 3♥ av Öst, en straff. +50 till Nord–Syd.",
    laws="70C",
)
WRONG_EXPLANATION = Told(
    board=12,
    table="4",
    sides=(17, 20),
    facts="Öst och Väst gav olika förklaringar till ett höjningsbud på tredje nivån. Nord lät bli att dubbla.",
    operative="Resultatet ändras till 4♠, en straff. +50 till Nord–Syd.",
    laws="21B, 40B",
    reasons="Paret har ingen anteckning om budet. Nord hade dubblat med rätt förklaring.",
)
LATE_ROUND = Told(
    board=None,
    table="9",
    sides=(3, 11),
    facts="Bordet var fem minuter sent trots två påminnelser under ronden.",
    operative="Par 3 förlorar tio procent av en topp.",
    laws="90B, 81",
    outcome=RulingOutcome.PENALTY,
)
REVOKE = Told(
    board=14,
    table="1",
    sides=(21, 10),
    facts="Syd bekände inte hjärter i femte sticket och spelade hjärter i åttonde.",
    operative="Två stick flyttas till Öst–Väst.",
    laws="64A",
)
OUT_OF_TURN = Told(
    board=9,
    table="3",
    sides=(2, 14),
    facts="Väst bjöd 1♣ när det var Nords tur. Syd frågade om budet innan tävlingsledaren kom.",
    operative="",
    laws="",
)
TEMPO_IN_TEAMS = Told(
    board=14,
    table="Öppna rummet",
    sides=(1, 2),
    facts="Nord tänkte länge i åttonde sticket utan något att tänka på. Spelföraren gissade fel.",
    operative="Resultatet viktas: 30 procent 6♦ en straff, 70 procent 6♦ hemgång.",
    laws="73D, 12C1",
    outcome=RulingOutcome.WEIGHTED,
    reasons="En spelare får inte vilseleda med en paus. Utan pausen hade spelföraren ofta gissat rätt.",
)
RAISE_IN_TEAMS = Told(
    board=18,
    table="Slutna rummet",
    sides=(3, 4),
    facts="Öst förklarade höjningen till 3♥ som svag, Väst som inbjudande. Nord–Syd stannade i 4♣.",
    operative="Resultatet vid bordet står.",
    laws="21B",
    outcome=RulingOutcome.RESULT_STANDS,
    reasons="Nord–Syd hade inte bjudit mer med rätt förklaring.",
)
PENALTY_IN_TEAMS = Told(
    board=5,
    table="Öppna rummet",
    sides=(5, 6),
    facts="Syd fick en otillåten upplysning av en sen alert, men valde det bud han ändå hade bjudit.",
    operative="Resultatet vid bordet står: 3♥, en straff. Syds sida förlorar 1 VP för den sena alerten.",
    laws="16B1, 90A",
    outcome=RulingOutcome.PENALTY,
    reasons="Upplysningen användes inte, men alerten skulle ha kommit genast.",
)
ASKED_LATER = Told(
    board=20,
    table="Hemma hos lag 8",
    sides=(7, 8),
    facts="Lag 7 frågar om ett anspråk i bricka 20. Ingen tävlingsledare fanns på plats.",
    operative="",
    laws="",
)
JURY_FACTS = "Juryn finner att pausen var ungefär trettio sekunder och att båda sidor märkte den."
JURY_REASONS = "Pass var ett rimligt alternativ för Öst. Juryn delar tävlingsledarens bedömning."


def tell_all(federation: Federation, now: datetime) -> None:
    """Bring the demo's cases into every state; the newest lie minutes back, the oldest five weeks."""
    _pairs(federation, now)
    _teams(federation, now)
    _district(federation, now)


def _pairs(federation: Federation, now: datetime) -> None:
    """Today's pairs, with a jury on site. The official score came fifty minutes ago."""

    def story(**ago: float) -> Story:
        return Story(federation, federation.pairs, now - timedelta(**ago))

    story(hours=4).rule(LATE_ROUND, tell=True)
    story(hours=3, minutes=30).rule(REVOKE, tell=True).appeal(NS, "Vi vill att bara ett stick flyttas.").later(
        minutes=10
    ).withdraw(NS)
    upheld = story(hours=3).rule(SLOW_DOUBLE).later(minutes=20)
    upheld.appeal(EW, "Resultatet vid bordet ska stå.", "Öst hade sex spader och skulle alltid ta ut.").forward()
    upheld.compose().declare().call("Rum 2, en trappa upp").hear().vote(Position.CONFIRM, JURY)
    upheld.decide(
        AppealOutcome.REJECTED,
        "Överklagandet avslås. Tävlingsledarens domslut står fast.",
        JURY_FACTS,
        JURY_REASONS,
        "16B1",
        chair=JURY[0],
    )
    to_lk = story(hours=2, minutes=50).rule(ALERT_AS_HINT).later(minutes=15)
    to_lk.appeal(NS, "Resultatet vid bordet ska stå.").forward().compose().declare().call("Rum 2").hear()
    to_lk.vote(Position.CONFIRM, JURY).decide(
        AppealOutcome.REJECTED,
        "Överklagandet avslås.",
        "Alerten kom sent och Nord ändrade sin plan.",
        "Nord fick inte använda upplysningen.",
        "16B1",
        chair=JURY[0],
    )
    to_lk.later(minutes=40).appeal(NS, "Juryn har inte prövat om Syd hade bjudit 4♥ ändå.")
    waiting_to_be_closed = [
        story(hours=2)
        .rule(SLOW_PASS)
        .later(minutes=20)
        .appeal(EW, "Vi vill ha resultatet vid bordet.")
        .warn("Muntligt"),
        story(hours=1, minutes=50).rule(CLAIM, tell=True),
    ]
    publish(federation.pairs, federation, now - timedelta(minutes=50))
    for told in waiting_to_be_closed:
        told.later(minutes=1)
    heard = story(minutes=48).rule(_at(MISSING_ALERT, 17, 20)).appeal(NS, "Vi vill ha 6♦ en straff.").forward()
    heard.compose().declare().call("Rum 2").hear(close=False)
    voting = story(minutes=47).rule(_at(SLOW_PASS, 8, 15)).appeal(EW, "Pausen fanns inte.").forward()
    voting.compose().declare().call("Rum 3").hear().vote(Position.CONFIRM, JURY[:2])
    story(minutes=40).rule(_at(WRONG_EXPLANATION, 21, 9)).appeal(EW, "Förklaringen var rätt.").forward().compose().call(
        "Rum 2"
    )
    story(minutes=30).rule(_at(CLAIM, 4, 16)).appeal(EW, "Anspråket var riktigt.").forward()
    story(minutes=25).rule(_at(ALERT_AS_HINT, 11, 5)).appeal(NS, "Alerten kom i tid.", concurred=False)
    story(minutes=12).rule(_at(SLOW_DOUBLE, 12, 7))
    story(minutes=8).open(_at(REVOKE, 13, 6)).postpone("Syds deklarationskort hämtas från hotellet.")
    story(minutes=4).open(OUT_OF_TURN)
    expire_all(now)


def _at(told: Told, north_south: int, east_west: int) -> Told:
    """The same facts at another table."""
    return replace(told, table=str(north_south), sides=(north_south, east_west))


def _teams(federation: Federation, now: datetime) -> None:
    """Team matches without a director at the table, with 48 hours to appeal to a jury that meets later."""
    publish(federation.teams, federation, federation.teams.starts_at + timedelta(hours=4))

    def appealed(told: Told, side: Side, wants: str, **ago: float) -> Story:
        tale = Story(federation, federation.teams, now - timedelta(**ago)).rule(told)
        return tale.later(hours=2).appeal(side, wants)

    weighted = replace(TEMPO_IN_TEAMS, score=weighted_slam())
    appealed(RAISE_IN_TEAMS, EW, "Vi vill ha 11 IMP.", days=3)
    preparing = appealed(weighted, NS, "Vi vill ha 50 procent av varje resultat.", days=6).later(hours=3).forward()
    preparing.later(days=1).report(TEMPO_IN_TEAMS).later(days=1).state(NS, "Pausen var fem sekunder, inte tjugo.")
    Story(federation, federation.teams, now - timedelta(days=1)).open(ASKED_LATER, requested_by=OFFICE)
    expire_all(now)


def _district(federation: Federation, now: datetime) -> None:
    """A district event whose appeals go straight to LK in writing; the rulings came by mail, after the event."""
    publish(federation.district, federation, federation.district.starts_at + timedelta(hours=4))

    def collected(told: Told, side: Side, wants: str, **ago: float) -> Story:
        tale = Story(federation, federation.district, now - timedelta(**ago)).rule(told).later(minutes=15)
        tale.appeal(side, wants).later(hours=2).forward().later(hours=20).report(told)
        tale.later(days=2).state(EW, "Vi står fast vid vad vi sade till tävlingsledaren.")
        return tale.later(days=1).state(NS, "Vi har förklarat budet på samma sätt i hela tävlingen.")

    collected(_at(WRONG_EXPLANATION, 1, 8), NS, "Vi vill ha resultatet ändrat.", days=5)
    collected(_at(TEMPO_IN_TEAMS, 2, 9), EW, "Vikten är fel.", days=9).nothing_to_add()
    sent = collected(_at(PENALTY_IN_TEAMS, 3, 10), NS, "Straffet ska tas bort.", days=12).nothing_to_add()
    sent.later(hours=5).send_in()
    registered = collected(_at(ALERT_AS_HINT, 4, 11), NS, "Vi vill ha resultatet ändrat.", days=16).nothing_to_add()
    registered.later(hours=5).send_in().later(days=1).register()
    trying = collected(_at(SLOW_DOUBLE, 5, 12), EW, "Domslutet är för hårt.", days=22).nothing_to_add()
    trying.later(hours=5).send_in().later(days=1).register().later(days=1).deliberate()
    trying.vote(Position.CHANGE, COMMISSION[:1])
    final = collected(_at(PENALTY_IN_TEAMS, 6, 13), NS, "Straffet ska tas bort.", days=34).nothing_to_add()
    final.later(hours=5).send_in().later(days=2).register().later(days=2).deliberate().vote(Position.CHANGE, COMMISSION)
    final.later(days=1).decide(
        AppealOutcome.PARTLY,
        "Straffet tas bort. I övrigt står domslutet fast: 3♥, en straff, +100 till Öst–Väst.",
        "Syd fick upplysningen men använde den inte.",
        "Ett straff förutsätter att spelaren har gjort mer än att svara sent på en oväntad fråga.",
        "16B1, 90A",
        chair=COMMISSION[0],
    )
    expire_all(now)


def fill(now: datetime) -> None:
    """Make the federation and tell its stories; on an empty database."""
    with uow(write=True) as session:
        federation = found(session, now)
    tell_all(federation, now)
