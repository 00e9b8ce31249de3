"""Where the files that are not Python stand: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
STATIC = PACKAGE / "static"
TRANSLATIONS = PACKAGE / "translations"
SYSTEMD = PACKAGE / "systemd"


def _data(name: str) -> Path:
    """The wheel carries `templates` and `migrations` as `casework/_templates` and `casework/_migrations`."""
    in_wheel = PACKAGE / f"_{name}"
    return in_wheel if in_wheel.is_dir() else PACKAGE.parent / name


TEMPLATES = _data("templates")
MIGRATIONS = _data("migrations")
