"""The worker's entry: `celery --app workers.app`."""

from workers.entry import worker_app
from workers.handlers import DUTIES

app = worker_app(DUTIES)
