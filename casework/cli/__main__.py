"""`python -m casework.cli`: how the supervisor starts its children."""

import sys

from casework.cli import main

sys.exit(main())
