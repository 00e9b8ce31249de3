"""The procedure as data: one table per procedure, and the pure core that reads them."""

from casework.domain.terms import ProceedingKind
from casework.domain.workflow.appeal import APPEAL
from casework.domain.workflow.ruling import RULING
from casework.domain.workflow.table import Procedure

PROCEDURES: dict[ProceedingKind, Procedure] = {procedure.kind: procedure for procedure in (RULING, APPEAL)}
