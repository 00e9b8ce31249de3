<%!
    def plain(text):
        return "\n".join(line for line in text.splitlines() if "# ###" not in line).strip()
%>\
"""${message}"""

# ruff: noqa: PLR0915

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass" | plain}


def downgrade() -> None:
    ${downgrades if downgrades else "pass" | plain}
