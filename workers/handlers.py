"""Job kind → what is done, by the services."""

from casework.services import deadlines, documents, notices
from workers import mailing, papers
from workers.duties import Duties

MAIL = "mail"
PDF = "pdf"

DUTIES = Duties(
    handlers={MAIL: mailing.handler(notices), PDF: papers.handler(documents)},
    passed=deadlines.due,
    expire=deadlines.expire,
)
