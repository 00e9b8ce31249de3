"""The command `casework`."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from sqlalchemy.exc import DBAPIError

from casework.adapters import i18n
from casework.adapters.schema import Misfit, misfit
from casework.cli import boards, deadlines, doctor, running, tending, trial, units
from casework.domain.errors import CaseworkError
from casework.domain.terms import Role
from casework.settings import BadSettings

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  # argparse names no public type

_PIECE = re.compile(r"(\d+)([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. What a person can put right is one line, not a traceback."""
    options = _parser().parse_args(arguments)
    try:
        code = int(options.run(options) or 0)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads wants no more, as `head`; nor is it to be flushed at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (BadSettings, Misfit) as error:
        print(error, file=sys.stderr)
    except CaseworkError as error:
        print(i18n.render(error.reason, "en"), file=sys.stderr)
    except DBAPIError:
        if not (sentence := misfit()):
            raise
        print(sentence, file=sys.stderr)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    else:
        return code
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="casework", description="Appeals and disciplinary cases of a federation.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    up = _add(commands, "up", "bring the database up to date and run web, worker and clock together")
    up.add_argument("--demo", action="store_true", help="with an invented federation, mailboxes and a movable clock")
    up.set_defaults(run=lambda given: running.up(with_demo=given.demo))
    web = _add(commands, "web", "run the web server")
    web.add_argument("--bind", metavar="HOST:PORT", help="where to listen (127.0.0.1 and PORT, else 8000)")
    web.add_argument("--processes", type=int, default=2)
    web.set_defaults(run=lambda given: running.web(bind=given.bind, processes=given.processes))
    worker = _add(commands, "worker", "run a worker")
    worker.add_argument("--processes", type=int, default=2)
    worker.set_defaults(run=lambda given: running.worker(processes=given.processes))
    ticking = _add(commands, "clock", "run the clock that looks for what is due")
    ticking.set_defaults(run=lambda _: running.run_clock())
    drain = _add(commands, "drain", "do all that is due now, without a broker")
    drain.set_defaults(run=lambda _: running.drain())
    migrate = _add(commands, "migrate", "bring the database up to date")
    migrate.set_defaults(run=lambda _: running.migrate())
    examine = _add(commands, "doctor", "say what is configured and what is missing")
    examine.add_argument("--mail", metavar="ADDRESS", help="send a test mail there, and say how far it came")
    examine.set_defaults(run=lambda given: trial.send(given.mail) if given.mail else doctor.examine())
    systemd = _add(commands, "units", "write the systemd units of this installation into a folder")
    systemd.add_argument("folder", type=Path, metavar="FOLDER", help="/etc/systemd/system")
    systemd.set_defaults(run=lambda given: units.write(given.folder))
    _add_deadline(commands)
    _add_demo(commands)
    _add_new_user(commands)
    _add_audit(commands)
    _add_board(commands)
    _add_proof(commands)
    return parser


def duration(text: str) -> timedelta:
    """Read "8d", "3h", "20m" or "1d12h"."""
    pieces = _PIECE.findall(text)
    if not pieces or "".join(number + unit for number, unit in pieces) != text:
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 8d, 3h, 20m or 1d12h")
    return timedelta(**{_UNITS[unit]: int(number) for number, unit in pieces})


def _add_deadline(commands: Commands) -> None:
    one = _add(commands, "deadline", "reckon when a time ends, and why")
    one.add_argument("--base", required=True, metavar="INSTANT", help="2027-03-12T14:05+01:00")
    one.add_argument("--rule", required=True, help='"30 minutes", "14 days", "3 working-days" …')
    one.add_argument("--language", choices=i18n.LANGUAGES, default=i18n.LANGUAGES[0], help="of the explanation")
    one.add_argument("--more", action="append", default=[], metavar="RULE", help='given on top: "2 weeks"')
    one.add_argument("--paused", action="append", default=[], metavar="FROM/TO", help="an interval that is not counted")
    one.set_defaults(
        run=lambda given: deadlines.reckon(given.base, given.rule, given.language, more=given.more, paused=given.paused)
    )
    several = _add(commands, "deadlines", "look after all deadlines").add_subparsers(required=True, metavar="COMMAND")
    recount = _add(several, "recalc", "move what runs when a day off has come, and list each case that is moved")
    recount.add_argument("--dry-run", action="store_true", help="only list")
    recount.set_defaults(run=lambda given: deadlines.recalculate(dry_run=given.dry_run))
    query = _add(several, "rule-version", "list the rule versions, or which windows to appeal one of them closed")
    query.add_argument("version", nargs="?")
    query.set_defaults(run=lambda given: deadlines.rule_version(given.version))


def _add_demo(commands: Commands) -> None:
    demo = _add(commands, "demo", "tend the demo federation").add_subparsers(required=True, metavar="COMMAND")
    advance = _add(demo, "advance", "move the demo's clock forward")
    advance.add_argument("by", type=duration, help="how far: 8d, 3h, 20m or 1d12h")
    advance.set_defaults(run=lambda given: tending.advance(given.by))


def _add_new_user(commands: Commands) -> None:
    user = _add(commands, "new-user", "give an official an account; asks for the password")
    user.add_argument("username")
    user.add_argument("--member-number", required=True)
    user.add_argument("--given-name", required=True)
    user.add_argument("--family-name", required=True)
    user.add_argument("--email", default="")
    user.add_argument("--language", choices=i18n.LANGUAGES, default=i18n.LANGUAGES[0])
    user.add_argument("--role", action="append", type=Role, default=[], choices=list(Role), help="may be repeated")
    user.set_defaults(
        run=lambda given: tending.new_user(
            username=given.username,
            member_number=given.member_number,
            given_name=given.given_name,
            family_name=given.family_name,
            email=given.email,
            language=given.language,
            roles=given.role,
        )
    )


def _add_audit(commands: Commands) -> None:
    audit = _add(commands, "audit", "look after the cases' history").add_subparsers(required=True, metavar="COMMAND")
    verify = _add(audit, "verify", "check that nobody has changed the history of any case")
    verify.set_defaults(run=lambda _: tending.verify_history())


def _add_board(commands: Commands) -> None:
    board = _add(commands, "board", "print the boards of a PBN, LIN or USEBIO file as JSON")
    board.description = boards.HELP
    board.add_argument("file", type=Path, metavar="FILE")
    board.add_argument("--number", type=int, help="only the board with this number")
    board.set_defaults(run=lambda given: boards.show(given.file, given.number))


def _add_proof(commands: Commands) -> None:
    proof = _add(commands, "proof", "look after what was sent").add_subparsers(required=True, metavar="COMMAND")
    verify = _add(proof, "verify", "check that every mail and letter is kept as it was sent")
    verify.add_argument("case", nargs="?", default="", help="a case's number, SBF-2026-0001 (all cases)")
    verify.set_defaults(run=lambda given: tending.verify_proofs(given.case))


def _add(commands: Commands, name: str, words: str) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
