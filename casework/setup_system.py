"""What the machine must have before Python packages are installed: probed, installed by apt-get, or named.

`python casework/setup_system.py [--tests]` runs before there is a virtual environment, so it uses the standard
library only. It never asks for a password: apt-get is run as root or through `sudo -n`, else one line per
platform says what to install and the exit status is 1.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

LIBRARY_FOLDERS = ("", "/opt/homebrew/lib/", "/usr/local/lib/")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_CHROMIUM = "/Applications/Chromium.app/Contents/MacOS/Chromium"


@dataclass(frozen=True, slots=True)
class Need:
    """One thing the machine must have, and the package that brings it on each platform ("" is: nothing to do)."""

    name: str
    present: Callable[[], bool]
    debian: str
    fedora: str
    brew: str
    for_tests: bool = False
    only_faster: bool = False


def library(linux: str, mac: str) -> Callable[[], bool]:
    """A probe that loads a shared library the way WeasyPrint does."""

    def present() -> bool:
        for name in (linux, *(folder + mac for folder in LIBRARY_FOLDERS)):
            try:
                ctypes.CDLL(name)
            except OSError:
                continue
            return True
        return False

    return present


def module(name: str) -> Callable[[], bool]:
    """A probe for a part of the standard library that distributions package apart."""
    return lambda: importlib.util.find_spec(name) is not None


def command(*names: str) -> Callable[[], bool]:
    """A probe for a program, under any of its names."""
    return lambda: any(shutil.which(name) for name in names if name)


def dovecot() -> str | None:
    """Where the IMAP server is; an ordinary user's PATH has no "sbin"."""
    return shutil.which("dovecot", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


NEEDS = (
    Need("Python venv", module("ensurepip"), "python3-venv", "python3", "python@3.11"),
    Need("Pango", library("libpango-1.0.so.0", "libpango-1.0.dylib"), "libpango-1.0-0", "pango", "pango"),
    Need("PangoFT2", library("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib"), "libpangoft2-1.0-0", "pango", "pango"),
    Need("HarfBuzz", library("libharfbuzz.so.0", "libharfbuzz.0.dylib"), "libharfbuzz0b", "harfbuzz", "harfbuzz"),
    Need(
        "HarfBuzz subset",
        library("libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib"),
        "libharfbuzz-subset0",
        "harfbuzz",
        "harfbuzz",
        only_faster=True,
    ),
    Need(
        "Fontconfig",
        library("libfontconfig.so.1", "libfontconfig.1.dylib"),
        "libfontconfig1",
        "fontconfig",
        "fontconfig",
    ),
    Need(
        "Chromium",
        command(os.environ.get("CASEWORK_CHROMIUM", ""), *CHROMIUM, MAC_CHROMIUM),
        "chromium",
        "chromium",
        "--cask chromium",
        for_tests=True,
    ),
    Need(
        "Poppler tools",
        lambda: command("pdftoppm")() and command("pdftotext")(),
        "poppler-utils",
        "poppler-utils",
        "poppler",
        for_tests=True,
    ),
    Need("Dovecot", lambda: dovecot() is not None, "dovecot-imapd", "dovecot", "dovecot", for_tests=True),
    Need(
        "systemd-analyze",
        lambda: sys.platform != "linux" or command("systemd-analyze")(),
        "systemd",
        "systemd",
        "",
        for_tests=True,
    ),
)


def missing(*, tests: bool) -> list[Need]:
    """What is not there, in the order of `NEEDS`."""
    return [need for need in NEEDS if (tests or not need.for_tests) and not need.present()]


def apt_get() -> list[str] | None:
    """How apt-get can be run here without a password, or None."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    if shutil.which("sudo") is None:
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    return ["sudo", "-n", "apt-get"] if allowed else None


def install(apt: Sequence[str], needs: Iterable[Need]) -> None:
    """Install Debian packages; a failure is left for the next probe to find."""
    packages = _packages(need.debian for need in needs)
    print("Installing", *packages, flush=True)
    subprocess.run([*apt, "-q", "update"], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
    subprocess.run(
        [*apt, "-q", "-y", "--no-install-recommends", "install", *packages],
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def instructions(needs: Sequence[Need]) -> str:
    """One line per platform with what to install."""
    return "\n".join(
        (
            f"Missing on this machine: {', '.join(need.name for need in needs)}. Install with",
            f"  Debian or Ubuntu: sudo apt-get install {' '.join(_packages(need.debian for need in needs))}",
            f"  Fedora: sudo dnf install {' '.join(_packages(need.fedora for need in needs))}",
            f"  macOS: brew install {' '.join(_packages(need.brew for need in needs))}",
        )
    )


def main(arguments: Sequence[str]) -> int:
    """Probe, install where that is allowed, probe again; 1 if something that is needed is still missing."""
    tests = "--tests" in arguments
    gaps = missing(tests=tests)
    if gaps and (apt := apt_get()):
        install(apt, gaps)
        gaps = missing(tests=tests)
    if gaps:
        print(instructions(gaps), file=sys.stderr)
    return int(any(not need.only_faster for need in gaps))


def _packages(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, names)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
