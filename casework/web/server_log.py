"""Gunicorn's log, written as everybody's: its own lines quote addresses."""

from typing import Any

from gunicorn.glogging import Logger

from casework import logs


class ServerLog(Logger):
    """For `--logger-class`; made before the workers are forked, so it sets up theirs."""

    def setup(self, cfg: Any) -> None:
        """Leave the writing to the handler of all."""
        super().setup(cfg)
        logs.set_up("web")
        for own in (self.error_log, self.access_log):
            own.handlers.clear()
            own.propagate = True
