"""`casework units`: the systemd units of this installation."""

import sys
from pathlib import Path

from casework.paths import SYSTEMD

_WHERE = "/opt/casework/bin/casework"
"""Where the units in the package say that the program stands."""


def write(folder: Path) -> int:
    """Write the units with this installation's program; what stands there is written over."""
    program = Path(sys.executable).parent / "casework"
    try:
        for unit in sorted(SYSTEMD.iterdir()):
            target = folder / unit.name
            target.write_text(unit.read_text(encoding="utf-8").replace(_WHERE, str(program)), encoding="utf-8")
            print(target)
    except OSError as error:
        print(f"{folder}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
