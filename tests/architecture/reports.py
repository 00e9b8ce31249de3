"""What users of systems like this one have reported, as far as it can happen here; each has a test that carries its id.

B1: deadlines and calendars. B2: notices. X: queues, sending and time. `test_reports.py` holds this list against the
tests: a test carries an id in its docstring or its name.
"""

from dataclasses import dataclass

NOWHERE: frozenset[str] = frozenset()
"""Nothing is stored and nothing sent: arithmetic, or what the project's own files say."""
DATABASES = frozenset({"sqlite", "postgres"})
"""No broker has a part in it: the step, the page or the clock's round is the same with any."""
BROKERS = DATABASES | {"file", "rabbitmq", "redis"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One kind of fault. `on`: where one of its tests must run; `not_here`: what of it cannot happen, and why."""

    id: str
    about: str
    on: frozenset[str] = DATABASES
    not_here: str = ""


REPORTS = (
    Report(id="B1.1", about="the page says 23.59 and the guard closes earlier"),
    Report(id="B1.2", about="a last day ends at midnight, reckoned in one place"),
    Report(id="B1.3", about="counted from today instead of from the ruling"),
    Report(id="B1.4", about="after the last moment nothing can be filed any more"),
    Report(id="B1.7", about="more time counted from the day that was moved already"),
    Report(id="B1.10", about="a new day off leaves what runs as it was"),
    Report(
        id="B1.14",
        about="a corrected start leaves the end as it was",
        not_here="More time that was given is never taken back, so nothing is to be counted again without it.",
    ),
    Report(id="B1.15", about="Easter and Sundays do not move a last day"),
    Report(id="B1.24", about="run out on the day it began, from a wrong start"),
    Report(id="B1.25", about="what is long overdue is skipped for ever, or made anew again and again"),
    Report(id="B1.28", about="a hearing on the day before, by another zone's clock"),
    Report(id="B1.30", about="due today is shown as overdue"),
    Report(id="B1.32", about="one time, told differently by page, mail and calendar"),
    Report(id="B1.33", about="a body's time to decide is neither shown nor enforced"),
    Report(id="B1.35", about="wrong by a day at the turn of the year, and by the unit of what is given on top"),
    Report(
        id="B1.40",
        about="Swedish days off change with a library",
        on=NOWHERE,
        not_here="Nothing changes under a running case: each time keeps the version it was reckoned by (B1.10).",
    ),
    Report(id="B2.41", about="sent anew whenever somebody acts; tried for ever without a recipient", on=BROKERS),
    Report(
        id="B2.42",
        about="told twice, or to an empty address",
        on=BROKERS,
        not_here="Nobody can turn the calendar file of a notice off, so none waits for it.",
    ),
    Report(id="B2.44", about="two persons with one address get everything twice"),
    Report(id="B2.48", about="could not be sent, and counts as told"),
    Report(id="B2.50", about="nobody sees what came back; a delay is taken for it"),
    Report(id="B2.51", about="reminded twice, or after the answer"),
    Report(id="B2.57", about="work put on a broker for later is done again and again", on=BROKERS),
    Report(id="B2.58", about="two rows for one cause", on=DATABASES),
    Report(id="B2.59", about="the work begins before the step is stored", on=BROKERS),
    Report(id="B2.60", about="a decision is sent without the way to appeal it; no proof that it was"),
    Report(id="B2.63", about="a scanner uses up the link in a mail"),
    Report(
        id="X29",
        about="filing waits for a broker that is away",
        on=frozenset({"postgres", "rabbitmq"}),
        not_here="The file broker is a folder beside the database: it is there or nothing is.",
    ),
    Report(id="X30", about="sent, not recorded, and sent again"),
    Report(id="X31", about="a slow answer is taken for none, and all is sent again"),
    Report(id="X32", about="one recipient's trouble sends the others' again", on=BROKERS),
    Report(id="X33", about="two send what waits, at once", on=BROKERS),
    Report(id="X34", about="tried for ever, or stuck in the middle"),
    Report(id="X35", about="given out again before its time has come", on=BROKERS),
    Report(id="X36", about="the same, by every release of the library", on=NOWHERE),
    Report(
        id="X37",
        about="a task that hangs shuts the worker out, and nobody sees it",
        on=frozenset({"postgres", "rabbitmq"}),
        not_here="Only RabbitMQ shuts out a worker that is slow to acknowledge.",
    ),
    Report(id="X38", about="a second try as late as the broker's own", on=NOWHERE),
    Report(id="X39", about="what kills its worker is tried without end"),
    Report(id="X68", about="two clocks do everything twice"),
    Report(id="X70", about="a worker that lives and does nothing"),
    Report(id="X71", about="a database connection of another process, or of a server that is gone"),
    Report(
        id="X84",
        about="a time that is set and does not hold",
        on=NOWHERE,
        not_here="Of the brokers only Redis has one; its test asks a Redis for it.",
    ),
    Report(id="X85", about="what a worker had fetched is lost when it stops", on=BROKERS),
)
