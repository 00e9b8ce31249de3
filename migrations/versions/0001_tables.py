"""tables"""

# ruff: noqa: PLR0915

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

from casework.adapters.append_only import keep_history

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("began_at", UTCDateTime(), nullable=False),
        sa.Column("tried_at", UTCDateTime(), nullable=True),
        sa.Column("mailed_at", UTCDateTime(), nullable=True),
        sa.Column("mails", sa.Integer(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarms")),
    )
    with op.batch_alter_table("alarms", schema=None) as batch_op:
        batch_op.create_index(
            "uq_alarms_open",
            ["kind"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "case_counters",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_counters")),
        sa.UniqueConstraint("year", name=op.f("uq_case_counters_year")),
    )
    op.create_table(
        "checkpoints",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("heads", sa.String(length=64), nullable=False),
        sa.Column("prev", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkpoints")),
        sa.UniqueConstraint("seq", name=op.f("uq_checkpoints_seq")),
    )
    op.create_table(
        "durations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("work", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("bound", sa.Float(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_durations")),
        sa.UniqueConstraint("work", "kind", "bound", name=op.f("uq_durations_work_kind_bound")),
    )
    op.create_table(
        "link_requests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("asked_for", sa.String(length=254), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_requests")),
    )
    op.create_table(
        "persons",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("member_number", sa.String(length=20), nullable=False),
        sa.Column("given_name", sa.String(length=80), nullable=False),
        sa.Column("family_name", sa.String(length=80), nullable=False),
        sa.Column("club", sa.String(length=80), nullable=False),
        sa.Column("district", sa.String(length=80), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
        sa.UniqueConstraint("member_number", name=op.f("uq_persons_member_number")),
    )
    op.create_table(
        "ticks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticks")),
        sa.UniqueConstraint("name", name=op.f("uq_ticks_name")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("organiser", sa.String(length=120), nullable=False),
        sa.Column("place", sa.String(length=120), nullable=False),
        sa.Column("form", sa.String(length=40), nullable=False),
        sa.Column("scoring", sa.String(length=20), nullable=False),
        sa.Column("above_club_level", sa.Boolean(), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("appeal_route", sa.String(length=40), nullable=False),
        sa.Column("lk_open", sa.Boolean(), nullable=False),
        sa.Column("profile", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("username", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("disabled_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_accounts_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("username", name=op.f("uq_accounts_username")),
    )
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_accounts_person_id"), ["person_id"], unique=False)

    op.create_table(
        "contacts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("phone", sa.String(length=40), nullable=False),
        sa.Column("street", sa.String(length=120), nullable=False),
        sa.Column("postal_code", sa.String(length=12), nullable=False),
        sa.Column("city", sa.String(length=80), nullable=False),
        sa.Column("reminders_stopped_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_contacts_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contacts")),
        sa.UniqueConstraint("person_id", name=op.f("uq_contacts_person_id")),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_entries_tournament_id_tournaments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_entries_tournament_id_number")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entries_tournament_id"), ["tournament_id"], unique=False)

    op.create_table(
        "grants",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_grants_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_grants_tournament_id_tournaments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grants")),
        sa.UniqueConstraint("person_id", "role", "tournament_id", name=op.f("uq_grants_person_id_role_tournament_id")),
    )
    with op.batch_alter_table("grants", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_grants_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_grants_tournament_id"), ["tournament_id"], unique=False)

    op.create_table(
        "interruptions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("began_at", UTCDateTime(), nullable=False),
        sa.Column("found_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.Column("words", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("skew_seconds", sa.Float(), nullable=False),
        sa.Column("confirmed_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["confirmed_by"],
            ["persons.id"],
            name=op.f("fk_interruptions_confirmed_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interruptions")),
        sa.UniqueConstraint("seq", name=op.f("uq_interruptions_seq")),
    )
    with op.batch_alter_table("interruptions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_interruptions_ended_at"), ["ended_at"], unique=False)

    op.create_table(
        "presences",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("registered_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_presences_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_presences_tournament_id_tournaments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_presences")),
        sa.UniqueConstraint("tournament_id", "person_id", name=op.f("uq_presences_tournament_id_person_id")),
    )
    with op.batch_alter_table("presences", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_presences_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_presences_tournament_id"), ["tournament_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("starts_at", UTCDateTime(), nullable=False),
        sa.Column("ends_at", UTCDateTime(), nullable=True),
        sa.Column("published_at", UTCDateTime(), nullable=True),
        sa.Column("publication_recorded_at", UTCDateTime(), nullable=True),
        sa.Column("publication_recorded_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["publication_recorded_by"],
            ["persons.id"],
            name=op.f("fk_sessions_publication_recorded_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_sessions_tournament_id_tournaments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_tournament_id"), ["tournament_id"], unique=False)

    op.create_table(
        "entry_members",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("entry_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("captain", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["entries.id"],
            name=op.f("fk_entry_members_entry_id_entries"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_entry_members_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry_members")),
        sa.UniqueConstraint("entry_id", "person_id", name=op.f("uq_entry_members_entry_id_person_id")),
    )
    with op.batch_alter_table("entry_members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entry_members_entry_id"), ["entry_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_entry_members_person_id"), ["person_id"], unique=False)

    op.create_table(
        "incidents",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("table", sa.String(length=20), nullable=False),
        sa.Column("board", sa.Integer(), nullable=True),
        sa.Column("occurred_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_incidents_session_id_sessions"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_incidents_tournament_id_tournaments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incidents")),
    )
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_incidents_session_id"), ["session_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_incidents_tournament_id"), ["tournament_id"], unique=False)

    op.create_table(
        "cases",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("incident_id", sa.Uuid(), nullable=False),
        sa.Column("law_edition", sa.String(length=40), nullable=False),
        sa.Column("profile", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("opened_by", sa.Uuid(), nullable=False),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["incident_id"],
            ["incidents.id"],
            name=op.f("fk_cases_incident_id_incidents"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["opened_by"],
            ["persons.id"],
            name=op.f("fk_cases_opened_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
        sa.UniqueConstraint("number", name=op.f("uq_cases_number")),
    )
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_cases_incident_id"), ["incident_id"], unique=False)

    op.create_table(
        "access_log",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("what", sa.String(length=80), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_access_log_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_access_log_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_log")),
    )
    with op.batch_alter_table("access_log", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_access_log_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_access_log_person_id"), ["person_id"], unique=False)

    op.create_table(
        "board_records",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("filed_at", UTCDateTime(), nullable=False),
        sa.Column("filed_by", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("board", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"],
            ["cases.id"],
            name=op.f("fk_board_records_case_id_cases"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["filed_by"],
            ["persons.id"],
            name=op.f("fk_board_records_filed_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board_records")),
    )
    with op.batch_alter_table("board_records", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_board_records_case_id"), ["case_id"], unique=False)

    op.create_table(
        "form_receipts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=True),
        sa.Column("subject_id", sa.Uuid(), nullable=True),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("written", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"],
            ["cases.id"],
            name=op.f("fk_form_receipts_case_id_cases"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_form_receipts_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_form_receipts")),
    )
    op.create_table(
        "outbox_jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("dedupe_key", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", UTCDateTime(), nullable=False),
        sa.Column("claimed_by", sa.String(length=80), nullable=False),
        sa.Column("claimed_until", UTCDateTime(), nullable=True),
        sa.Column("error", sa.String(length=500), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("done_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_outbox_jobs_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox_jobs")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_outbox_jobs_dedupe_key")),
    )
    with op.batch_alter_table("outbox_jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_jobs_case_id"), ["case_id"], unique=False)
        batch_op.create_index("ix_outbox_jobs_due", ["state", "next_at"], unique=False)

    op.create_table(
        "parties",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("entry_id", sa.Uuid(), nullable=False),
        sa.Column("side", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_parties_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["entries.id"],
            name=op.f("fk_parties_entry_id_entries"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parties")),
        sa.UniqueConstraint("case_id", "entry_id", name=op.f("uq_parties_case_id_entry_id")),
    )
    with op.batch_alter_table("parties", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_parties_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_parties_entry_id"), ["entry_id"], unique=False)

    op.create_table(
        "proceedings",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("body", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("tries_id", sa.Uuid(), nullable=True),
        sa.Column("director_id", sa.Uuid(), nullable=True),
        sa.Column("lk_open", sa.Boolean(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("forwarded_at", UTCDateTime(), nullable=True),
        sa.Column("sent_in_at", UTCDateTime(), nullable=True),
        sa.Column("registered_at", UTCDateTime(), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.Column("waits_for", sa.String(length=2000), nullable=False),
        sa.Column("taken_up_because", sa.String(length=10000), nullable=False),
        sa.Column("jurisdiction", sa.String(length=2000), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_proceedings_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["director_id"],
            ["persons.id"],
            name=op.f("fk_proceedings_director_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["proceedings.id"],
            name=op.f("fk_proceedings_parent_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["tries_id"],
            ["decisions.id"],
            name=op.f("fk_proceedings_tries_id_decisions"),
            initially="DEFERRED",
            deferrable=True,
            use_alter=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proceedings")),
    )
    with op.batch_alter_table("proceedings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_proceedings_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_proceedings_director_id"), ["director_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_proceedings_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_proceedings_tries_id"), ["tries_id"], unique=False)

    op.create_table(
        "adjustment_records",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("filed_at", UTCDateTime(), nullable=False),
        sa.Column("filed_by", sa.Uuid(), nullable=False),
        sa.Column("score", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("at_table", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("differs_because", sa.String(length=2000), nullable=False),
        sa.Column("board_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["board_id"],
            ["board_records.id"],
            name=op.f("fk_adjustment_records_board_id_board_records"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"],
            ["cases.id"],
            name=op.f("fk_adjustment_records_case_id_cases"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["filed_by"],
            ["persons.id"],
            name=op.f("fk_adjustment_records_filed_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_adjustment_records_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjustment_records")),
    )
    with op.batch_alter_table("adjustment_records", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_adjustment_records_proceeding_id"), ["proceeding_id"], unique=False)

    op.create_table(
        "board_advices",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("board_record_id", sa.Uuid(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("solved_at", UTCDateTime(), nullable=True),
        sa.Column("tricks", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["board_record_id"],
            ["board_records.id"],
            name=op.f("fk_board_advices_board_record_id_board_records"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board_advices")),
        sa.UniqueConstraint("board_record_id", name=op.f("uq_board_advices_board_record_id")),
    )
    op.create_table(
        "demands",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("asked_by", sa.Uuid(), nullable=True),
        sa.Column("question", sa.String(length=10000), nullable=False),
        sa.Column("about", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ended", sa.String(length=40), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["asked_by"],
            ["persons.id"],
            name=op.f("fk_demands_asked_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_demands_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_demands_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_demands_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_demands")),
    )
    with op.batch_alter_table("demands", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_demands_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_demands_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_demands_proceeding_id"), ["proceeding_id"], unique=False)

    op.create_table(
        "events",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=True),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("prev", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["persons.id"], name=op.f("fk_events_actor_id_persons"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_events_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_events_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("case_id", "prev", name=op.f("uq_events_case_id_prev")),
        sa.UniqueConstraint("case_id", "seq", name=op.f("uq_events_case_id_seq")),
    )
    op.create_table(
        "panels",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("quorum", sa.Integer(), nullable=False),
        sa.Column("composed_at", UTCDateTime(), nullable=False),
        sa.Column("hearing_place", sa.String(length=200), nullable=False),
        sa.Column("hearing_at", UTCDateTime(), nullable=True),
        sa.Column("parties_called_at", UTCDateTime(), nullable=True),
        sa.Column("unsure_since", UTCDateTime(), nullable=True),
        sa.Column("opened_at", UTCDateTime(), nullable=True),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
        sa.Column("steps", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_panels_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_panels")),
        sa.UniqueConstraint("proceeding_id", name=op.f("uq_panels_proceeding_id")),
    )
    op.create_table(
        "party_members",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("captain", sa.Boolean(), nullable=False),
        sa.Column("at_table", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_party_members_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_party_members_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_party_members")),
        sa.UniqueConstraint("party_id", "person_id", name=op.f("uq_party_members_party_id_person_id")),
    )
    with op.batch_alter_table("party_members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_party_members_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_party_members_person_id"), ["person_id"], unique=False)

    op.create_table(
        "remarks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("override", sa.Boolean(), nullable=False),
        sa.Column("text", sa.String(length=10000), nullable=False),
        sa.Column("written_by", sa.Uuid(), nullable=True),
        sa.Column("written_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_remarks_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_remarks_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["written_by"],
            ["persons.id"],
            name=op.f("fk_remarks_written_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_remarks")),
    )
    with op.batch_alter_table("remarks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_remarks_case_id"), ["case_id"], unique=False)

    op.create_table(
        "attendances",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("panel_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=False),
        sa.Column("present", sa.Boolean(), nullable=False),
        sa.Column("note", sa.String(length=2000), nullable=False),
        sa.Column("noted_at", UTCDateTime(), nullable=False),
        sa.Column("noted_by", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["noted_by"],
            ["persons.id"],
            name=op.f("fk_attendances_noted_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["panel_id"],
            ["panels.id"],
            name=op.f("fk_attendances_panel_id_panels"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_attendances_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attendances")),
        sa.UniqueConstraint("panel_id", "party_id", name=op.f("uq_attendances_panel_id_party_id")),
    )
    with op.batch_alter_table("attendances", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attendances_panel_id"), ["panel_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_attendances_party_id"), ["party_id"], unique=False)

    op.create_table(
        "ballots",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("panel_id", sa.Uuid(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
        sa.Column("in_room", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["panel_id"], ["panels.id"], name=op.f("fk_ballots_panel_id_panels"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ballots")),
    )
    with op.batch_alter_table("ballots", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ballots_panel_id"), ["panel_id"], unique=False)
        batch_op.create_index(
            "uq_ballots_open",
            ["panel_id"],
            unique=True,
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        )

    op.create_table(
        "decisions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("operative", sa.String(length=10000), nullable=False),
        sa.Column("facts", sa.String(length=20000), nullable=False),
        sa.Column("facts_agreed", sa.String(length=20000), nullable=False),
        sa.Column("facts_disputed", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reasons", sa.String(length=20000), nullable=False),
        sa.Column("laws", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("dissent", sa.String(length=10000), nullable=False),
        sa.Column("of_judgement", sa.Boolean(), nullable=False),
        sa.Column("given_at", UTCDateTime(), nullable=False),
        sa.Column("given_by", sa.Uuid(), nullable=False),
        sa.Column("recorded_at", UTCDateTime(), nullable=False),
        sa.Column("recorded_by", sa.Uuid(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("replaced_by_id", sa.Uuid(), nullable=True),
        sa.Column("adjustment_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["adjustment_id"],
            ["adjustment_records.id"],
            name=op.f("fk_decisions_adjustment_id_adjustment_records"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_decisions_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["given_by"],
            ["persons.id"],
            name=op.f("fk_decisions_given_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_decisions_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by"],
            ["persons.id"],
            name=op.f("fk_decisions_recorded_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["replaced_by_id"],
            ["decisions.id"],
            name=op.f("fk_decisions_replaced_by_id_decisions"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    with op.batch_alter_table("decisions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_decisions_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_decisions_proceeding_id"), ["proceeding_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_decisions_replaced_by_id"), ["replaced_by_id"], unique=False)
        batch_op.create_index(
            "uq_decisions_in_force",
            ["proceeding_id"],
            unique=True,
            sqlite_where=sa.text("replaced_by_id IS NULL"),
            postgresql_where=sa.text("replaced_by_id IS NULL"),
        )

    op.create_table(
        "seats",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("panel_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("seated_at", UTCDateTime(), nullable=False),
        sa.Column("called_at", UTCDateTime(), nullable=True),
        sa.Column("called_how", sa.String(length=200), nullable=False),
        sa.Column("attended", sa.Boolean(), nullable=True),
        sa.Column("conflict", sa.String(length=40), nullable=False),
        sa.Column("suggestion", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("conflict_reason", sa.String(length=2000), nullable=False),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("replaces_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["decided_by"],
            ["persons.id"],
            name=op.f("fk_seats_decided_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["panel_id"], ["panels.id"], name=op.f("fk_seats_panel_id_panels"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_seats_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["replaces_id"],
            ["seats.id"],
            name=op.f("fk_seats_replaces_id_seats"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("panel_id", "person_id", name=op.f("uq_seats_panel_id_person_id")),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_panel_id"), ["panel_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seats_person_id"), ["person_id"], unique=False)

    op.create_table(
        "statements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("demand_id", sa.Uuid(), nullable=True),
        sa.Column("party_id", sa.Uuid(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("entered_by", sa.Uuid(), nullable=True),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("text", sa.String(length=50000), nullable=False),
        sa.Column("parts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("signed_at", UTCDateTime(), nullable=False),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=True),
        sa.Column("left_out_at", UTCDateTime(), nullable=True),
        sa.Column("left_out_by", sa.Uuid(), nullable=True),
        sa.Column("left_out_because", sa.String(length=10000), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["persons.id"],
            name=op.f("fk_statements_author_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_statements_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["demand_id"],
            ["demands.id"],
            name=op.f("fk_statements_demand_id_demands"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["entered_by"],
            ["persons.id"],
            name=op.f("fk_statements_entered_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["left_out_by"],
            ["persons.id"],
            name=op.f("fk_statements_left_out_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_statements_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_statements_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statements")),
    )
    with op.batch_alter_table("statements", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_statements_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_statements_demand_id"), ["demand_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_statements_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_statements_proceeding_id"), ["proceeding_id"], unique=False)

    op.create_table(
        "appeals",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("decision_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=False),
        sa.Column("lodged_at", UTCDateTime(), nullable=False),
        sa.Column("lodged_by", sa.Uuid(), nullable=False),
        sa.Column("received_by", sa.Uuid(), nullable=True),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("wants", sa.String(length=10000), nullable=False),
        sa.Column("grounds", sa.String(length=20000), nullable=False),
        sa.Column("in_time", sa.Boolean(), nullable=True),
        sa.Column("found_in_time", sa.Boolean(), nullable=True),
        sa.Column("warned_at", UTCDateTime(), nullable=True),
        sa.Column("warned_by", sa.Uuid(), nullable=True),
        sa.Column("warned_how", sa.String(length=2000), nullable=False),
        sa.Column("withdrawn_at", UTCDateTime(), nullable=True),
        sa.Column("withdrawn_by", sa.Uuid(), nullable=True),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("without_merit", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_appeals_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["decision_id"],
            ["decisions.id"],
            name=op.f("fk_appeals_decision_id_decisions"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["lodged_by"],
            ["persons.id"],
            name=op.f("fk_appeals_lodged_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_appeals_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_appeals_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["received_by"],
            ["persons.id"],
            name=op.f("fk_appeals_received_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["warned_by"],
            ["persons.id"],
            name=op.f("fk_appeals_warned_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["withdrawn_by"],
            ["persons.id"],
            name=op.f("fk_appeals_withdrawn_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeals")),
    )
    with op.batch_alter_table("appeals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_appeals_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_appeals_decision_id"), ["decision_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_appeals_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_appeals_proceeding_id"), ["proceeding_id"], unique=False)
        batch_op.create_index(
            "uq_appeals_in_force",
            ["decision_id", "party_id"],
            unique=True,
            sqlite_where=sa.text("withdrawn_at IS NULL"),
            postgresql_where=sa.text("withdrawn_at IS NULL"),
        )

    op.create_table(
        "consequences",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("decision_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("explanation", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("detail", sa.String(length=2000), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_consequences_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["decision_id"],
            ["decisions.id"],
            name=op.f("fk_consequences_decision_id_decisions"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consequences")),
    )
    with op.batch_alter_table("consequences", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_consequences_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_consequences_decision_id"), ["decision_id"], unique=False)

    op.create_table(
        "links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=True),
        sa.Column("seat_id", sa.Uuid(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("wrong_codes", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=True),
        sa.Column("revoked_at", UTCDateTime(), nullable=True),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_links_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["party_id"], ["parties.id"], name=op.f("fk_links_party_id_parties"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_links_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_links_seat_id_seats"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
        sa.UniqueConstraint(
            "person_id",
            "case_id",
            "purpose",
            "party_id",
            "seat_id",
            name=op.f("uq_links_person_id_case_id_purpose_party_id_seat_id"),
        ),
    )
    with op.batch_alter_table("links", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_links_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_links_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_links_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_links_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "panel_notes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("panel_id", sa.Uuid(), nullable=False),
        sa.Column("seat_id", sa.Uuid(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("text", sa.String(length=20000), nullable=False),
        sa.Column("written_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["panel_id"],
            ["panels.id"],
            name=op.f("fk_panel_notes_panel_id_panels"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_panel_notes_seat_id_seats"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_panel_notes")),
    )
    with op.batch_alter_table("panel_notes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_panel_notes_panel_id"), ["panel_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_panel_notes_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "votes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("ballot_id", sa.Uuid(), nullable=False),
        sa.Column("seat_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.String(length=40), nullable=False),
        sa.Column("dissent", sa.String(length=10000), nullable=False),
        sa.Column("cast_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ballot_id"],
            ["ballots.id"],
            name=op.f("fk_votes_ballot_id_ballots"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_votes_seat_id_seats"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_votes")),
        sa.UniqueConstraint("ballot_id", "seat_id", name=op.f("uq_votes_ballot_id_seat_id")),
    )
    with op.batch_alter_table("votes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_votes_ballot_id"), ["ballot_id"], unique=False)

    op.create_table(
        "attachments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=True),
        sa.Column("statement_id", sa.Uuid(), nullable=True),
        sa.Column("appeal_id", sa.Uuid(), nullable=True),
        sa.Column("uploaded_by", sa.Uuid(), nullable=False),
        sa.Column("uploaded_at", UTCDateTime(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=160), nullable=False),
        sa.Column("media_type", sa.String(length=80), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["appeal_id"],
            ["appeals.id"],
            name=op.f("fk_attachments_appeal_id_appeals"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_attachments_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_attachments_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["statement_id"],
            ["statements.id"],
            name=op.f("fk_attachments_statement_id_statements"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["uploaded_by"],
            ["persons.id"],
            name=op.f("fk_attachments_uploaded_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attachments")),
        sa.UniqueConstraint("key", name=op.f("uq_attachments_key")),
    )
    with op.batch_alter_table("attachments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attachments_appeal_id"), ["appeal_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_attachments_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_attachments_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_attachments_statement_id"), ["statement_id"], unique=False)

    op.create_table(
        "calendar_feeds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["links.id"],
            name=op.f("fk_calendar_feeds_link_id_links"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_calendar_feeds_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calendar_feeds")),
        sa.UniqueConstraint("link_id", name=op.f("uq_calendar_feeds_link_id")),
    )
    with op.batch_alter_table("calendar_feeds", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_calendar_feeds_person_id"), ["person_id"], unique=False)
        batch_op.create_index(
            "uq_calendar_feeds_of_all_cases",
            ["person_id"],
            unique=True,
            sqlite_where=sa.text("link_id IS NULL"),
            postgresql_where=sa.text("link_id IS NULL"),
        )

    op.create_table(
        "concurrences",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("appeal_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("recorded_by", sa.Uuid(), nullable=False),
        sa.Column("told_how", sa.String(length=2000), nullable=False),
        sa.Column("deemed_because", sa.String(length=2000), nullable=False),
        sa.ForeignKeyConstraint(
            ["appeal_id"],
            ["appeals.id"],
            name=op.f("fk_concurrences_appeal_id_appeals"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_concurrences_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by"],
            ["persons.id"],
            name=op.f("fk_concurrences_recorded_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_concurrences")),
        sa.UniqueConstraint("appeal_id", "person_id", name=op.f("uq_concurrences_appeal_id_person_id")),
    )
    with op.batch_alter_table("concurrences", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_concurrences_appeal_id"), ["appeal_id"], unique=False)

    op.create_table(
        "deadlines",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=True),
        sa.Column("demand_id", sa.Uuid(), nullable=True),
        sa.Column("appeal_id", sa.Uuid(), nullable=True),
        sa.Column("base", UTCDateTime(), nullable=True),
        sa.Column("told_base", UTCDateTime(), nullable=True),
        sa.Column("span_value", sa.Integer(), nullable=False),
        sa.Column("span_unit", sa.String(length=20), nullable=False),
        sa.Column("source", sa.String(length=200), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("unrolled", sa.Date(), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("instant", UTCDateTime(), nullable=True),
        sa.Column("explanation", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("ended", sa.String(length=40), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.Column("overdue_at", UTCDateTime(), nullable=True),
        sa.Column("prolonged_because", sa.String(length=2000), nullable=False),
        sa.Column("given_until", UTCDateTime(), nullable=True),
        sa.Column("given_day", sa.Date(), nullable=True),
        sa.Column("given_over", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("more", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("pauses", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("halted_at", UTCDateTime(), nullable=True),
        sa.Column("rule_version", sa.String(length=40), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("changed_at", UTCDateTime(), nullable=True),
        sa.CheckConstraint("span_value > 0", name=op.f("ck_deadlines_span")),
        sa.ForeignKeyConstraint(
            ["appeal_id"],
            ["appeals.id"],
            name=op.f("fk_deadlines_appeal_id_appeals"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_deadlines_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["demand_id"],
            ["demands.id"],
            name=op.f("fk_deadlines_demand_id_demands"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_deadlines_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_deadlines_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadlines")),
    )
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deadlines_appeal_id"), ["appeal_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_demand_id"), ["demand_id"], unique=False)
        batch_op.create_index("ix_deadlines_due", ["ended", "overdue_at", "instant"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_instant"), ["instant"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_party_id"), ["party_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_proceeding_id"), ["proceeding_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_rule_version"), ["rule_version"], unique=False)

    op.create_table(
        "notices",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("proceeding_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("party_id", sa.Uuid(), nullable=True),
        sa.Column("decision_id", sa.Uuid(), nullable=True),
        sa.Column("demand_id", sa.Uuid(), nullable=True),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("held_until", UTCDateTime(), nullable=True),
        sa.Column("carried_by", sa.Uuid(), nullable=True),
        sa.Column("replaces_id", sa.Uuid(), nullable=True),
        sa.Column("handed_over_at", UTCDateTime(), nullable=True),
        sa.Column("remote", sa.String(length=200), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=True),
        sa.Column("reply", sa.String(length=500), nullable=False),
        sa.Column("template", sa.String(length=80), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("mime", sa.LargeBinary(), nullable=True),
        sa.Column("built_at", UTCDateTime(), nullable=True),
        sa.Column("proven_at", UTCDateTime(), nullable=True),
        sa.Column("proven_by", sa.Uuid(), nullable=True),
        sa.Column("proof_note", sa.String(length=2000), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=True),
        sa.Column("unopened_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["carried_by"],
            ["notices.id"],
            name=op.f("fk_notices_carried_by_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_notices_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["decision_id"],
            ["decisions.id"],
            name=op.f("fk_notices_decision_id_decisions"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["demand_id"],
            ["demands.id"],
            name=op.f("fk_notices_demand_id_demands"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["link_id"], ["links.id"], name=op.f("fk_notices_link_id_links"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["party_id"],
            ["parties.id"],
            name=op.f("fk_notices_party_id_parties"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_notices_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proceeding_id"],
            ["proceedings.id"],
            name=op.f("fk_notices_proceeding_id_proceedings"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["proven_by"],
            ["persons.id"],
            name=op.f("fk_notices_proven_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["replaces_id"],
            ["notices.id"],
            name=op.f("fk_notices_replaces_id_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notices_carried_by"), ["carried_by"], unique=False)
        batch_op.create_index(batch_op.f("ix_notices_case_id"), ["case_id"], unique=False)
        batch_op.create_index("ix_notices_message_id", ["message_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_notices_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_notices_proceeding_id"), ["proceeding_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_notices_replaces_id"), ["replaces_id"], unique=False)
        batch_op.create_index("ix_notices_state", ["state", "due_at"], unique=False)

    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_sign_ins_account_id_accounts"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["link_id"], ["links.id"], name=op.f("fk_sign_ins_link_id_links"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_sign_ins_person_id_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_ins_token_hash")),
    )
    with op.batch_alter_table("sign_ins", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_ins_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_ins_link_id"), ["link_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_ins_person_id"), ["person_id"], unique=False)

    op.create_table(
        "case_files",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("notice_id", sa.Uuid(), nullable=True),
        sa.Column("for_parties", sa.Boolean(), nullable=False),
        sa.Column("of_proof", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Uuid(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=True),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("failed_because", sa.String(length=2000), nullable=False),
        sa.ForeignKeyConstraint(
            ["asked_by"],
            ["persons.id"],
            name=op.f("fk_case_files_asked_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_files_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["notice_id"],
            ["notices.id"],
            name=op.f("fk_case_files_notice_id_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_files")),
    )
    with op.batch_alter_table("case_files", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_case_files_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_case_files_notice_id"), ["notice_id"], unique=False)

    op.create_table(
        "deadline_moves",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("deadline_id", sa.Uuid(), nullable=False),
        sa.Column("moved_at", UTCDateTime(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("base", UTCDateTime(), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("instant", UTCDateTime(), nullable=True),
        sa.Column("explanation", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("rule_version", sa.String(length=40), nullable=False),
        sa.Column("new_instant", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"],
            ["cases.id"],
            name=op.f("fk_deadline_moves_case_id_cases"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["deadline_id"],
            ["deadlines.id"],
            name=op.f("fk_deadline_moves_deadline_id_deadlines"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadline_moves")),
    )
    with op.batch_alter_table("deadline_moves", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deadline_moves_case_id"), ["case_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadline_moves_deadline_id"), ["deadline_id"], unique=False)

    op.create_table(
        "delivery_tries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("notice_id", sa.Uuid(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=False),
        sa.Column("remote", sa.String(length=200), nullable=False),
        sa.Column("reply", sa.String(length=500), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("domain", sa.String(length=254), nullable=False),
        sa.ForeignKeyConstraint(
            ["notice_id"],
            ["notices.id"],
            name=op.f("fk_delivery_tries_notice_id_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery_tries")),
    )
    with op.batch_alter_table("delivery_tries", schema=None) as batch_op:
        batch_op.create_index("ix_delivery_tries_domain", ["domain", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_delivery_tries_notice_id"), ["notice_id"], unique=False)

    op.create_table(
        "earlier_copies",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("notice_id", sa.Uuid(), nullable=False),
        sa.Column("built_at", UTCDateTime(), nullable=False),
        sa.Column("remote", sa.String(length=200), nullable=False),
        sa.Column("template", sa.String(length=80), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("mime", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["notice_id"],
            ["notices.id"],
            name=op.f("fk_earlier_copies_notice_id_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_earlier_copies")),
    )
    with op.batch_alter_table("earlier_copies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_earlier_copies_notice_id"), ["notice_id"], unique=False)

    op.create_table(
        "postings",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("notice_id", sa.Uuid(), nullable=False),
        sa.Column("posted_at", UTCDateTime(), nullable=False),
        sa.Column("noted_at", UTCDateTime(), nullable=False),
        sa.Column("noted_by", sa.Uuid(), nullable=False),
        sa.Column("because", sa.String(length=2000), nullable=False),
        sa.ForeignKeyConstraint(
            ["noted_by"],
            ["persons.id"],
            name=op.f("fk_postings_noted_by_persons"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["notice_id"],
            ["notices.id"],
            name=op.f("fk_postings_notice_id_notices"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_postings")),
    )
    with op.batch_alter_table("postings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_postings_notice_id"), ["notice_id"], unique=False)

    op.create_table(
        "timers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("deadline_id", sa.Uuid(), nullable=False),
        sa.Column("step", sa.String(length=40), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("done_at", UTCDateTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("words", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_timers_case_id_cases"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["deadline_id"],
            ["deadlines.id"],
            name=op.f("fk_timers_deadline_id_deadlines"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_timers")),
        sa.UniqueConstraint("deadline_id", "step", name=op.f("uq_timers_deadline_id_step")),
    )
    with op.batch_alter_table("timers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_timers_case_id"), ["case_id"], unique=False)
        batch_op.create_index("ix_timers_due", ["state", "due_at"], unique=False)

    if op.get_context().dialect.supports_alter:
        op.create_foreign_key(
            "fk_proceedings_tries_id_decisions",
            "proceedings",
            "decisions",
            ["tries_id"],
            ["id"],
            initially="DEFERRED",
            deferrable=True,
        )
    keep_history(op.get_bind())


def downgrade() -> None:
    if op.get_context().dialect.supports_alter:
        op.drop_constraint("fk_proceedings_tries_id_decisions", "proceedings", type_="foreignkey")
    with op.batch_alter_table("timers", schema=None) as batch_op:
        batch_op.drop_index("ix_timers_due")
        batch_op.drop_index(batch_op.f("ix_timers_case_id"))

    op.drop_table("timers")
    with op.batch_alter_table("postings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_postings_notice_id"))

    op.drop_table("postings")
    with op.batch_alter_table("earlier_copies", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_earlier_copies_notice_id"))

    op.drop_table("earlier_copies")
    with op.batch_alter_table("delivery_tries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_delivery_tries_notice_id"))
        batch_op.drop_index("ix_delivery_tries_domain")

    op.drop_table("delivery_tries")
    with op.batch_alter_table("deadline_moves", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_deadline_moves_deadline_id"))
        batch_op.drop_index(batch_op.f("ix_deadline_moves_case_id"))

    op.drop_table("deadline_moves")
    with op.batch_alter_table("case_files", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_case_files_notice_id"))
        batch_op.drop_index(batch_op.f("ix_case_files_case_id"))

    op.drop_table("case_files")
    with op.batch_alter_table("sign_ins", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_ins_person_id"))
        batch_op.drop_index(batch_op.f("ix_sign_ins_link_id"))
        batch_op.drop_index(batch_op.f("ix_sign_ins_account_id"))

    op.drop_table("sign_ins")
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.drop_index("ix_notices_state")
        batch_op.drop_index(batch_op.f("ix_notices_replaces_id"))
        batch_op.drop_index(batch_op.f("ix_notices_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_notices_person_id"))
        batch_op.drop_index("ix_notices_message_id")
        batch_op.drop_index(batch_op.f("ix_notices_case_id"))
        batch_op.drop_index(batch_op.f("ix_notices_carried_by"))

    op.drop_table("notices")
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_deadlines_rule_version"))
        batch_op.drop_index(batch_op.f("ix_deadlines_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_deadlines_party_id"))
        batch_op.drop_index(batch_op.f("ix_deadlines_instant"))
        batch_op.drop_index("ix_deadlines_due")
        batch_op.drop_index(batch_op.f("ix_deadlines_demand_id"))
        batch_op.drop_index(batch_op.f("ix_deadlines_case_id"))
        batch_op.drop_index(batch_op.f("ix_deadlines_appeal_id"))

    op.drop_table("deadlines")
    with op.batch_alter_table("concurrences", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_concurrences_appeal_id"))

    op.drop_table("concurrences")
    with op.batch_alter_table("calendar_feeds", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_calendar_feeds_of_all_cases",
            sqlite_where=sa.text("link_id IS NULL"),
            postgresql_where=sa.text("link_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_calendar_feeds_person_id"))

    op.drop_table("calendar_feeds")
    with op.batch_alter_table("attachments", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_attachments_statement_id"))
        batch_op.drop_index(batch_op.f("ix_attachments_party_id"))
        batch_op.drop_index(batch_op.f("ix_attachments_case_id"))
        batch_op.drop_index(batch_op.f("ix_attachments_appeal_id"))

    op.drop_table("attachments")
    with op.batch_alter_table("votes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_votes_ballot_id"))

    op.drop_table("votes")
    with op.batch_alter_table("panel_notes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_panel_notes_seat_id"))
        batch_op.drop_index(batch_op.f("ix_panel_notes_panel_id"))

    op.drop_table("panel_notes")
    with op.batch_alter_table("links", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_links_seat_id"))
        batch_op.drop_index(batch_op.f("ix_links_person_id"))
        batch_op.drop_index(batch_op.f("ix_links_party_id"))
        batch_op.drop_index(batch_op.f("ix_links_case_id"))

    op.drop_table("links")
    with op.batch_alter_table("consequences", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_consequences_decision_id"))
        batch_op.drop_index(batch_op.f("ix_consequences_case_id"))

    op.drop_table("consequences")
    with op.batch_alter_table("appeals", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_appeals_in_force",
            sqlite_where=sa.text("withdrawn_at IS NULL"),
            postgresql_where=sa.text("withdrawn_at IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_appeals_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_appeals_party_id"))
        batch_op.drop_index(batch_op.f("ix_appeals_decision_id"))
        batch_op.drop_index(batch_op.f("ix_appeals_case_id"))

    op.drop_table("appeals")
    with op.batch_alter_table("statements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_statements_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_statements_party_id"))
        batch_op.drop_index(batch_op.f("ix_statements_demand_id"))
        batch_op.drop_index(batch_op.f("ix_statements_case_id"))

    op.drop_table("statements")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seats_person_id"))
        batch_op.drop_index(batch_op.f("ix_seats_panel_id"))

    op.drop_table("seats")
    with op.batch_alter_table("decisions", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_decisions_in_force",
            sqlite_where=sa.text("replaced_by_id IS NULL"),
            postgresql_where=sa.text("replaced_by_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_decisions_replaced_by_id"))
        batch_op.drop_index(batch_op.f("ix_decisions_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_decisions_case_id"))

    op.drop_table("decisions")
    with op.batch_alter_table("ballots", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_ballots_open", sqlite_where=sa.text("closed_at IS NULL"), postgresql_where=sa.text("closed_at IS NULL")
        )
        batch_op.drop_index(batch_op.f("ix_ballots_panel_id"))

    op.drop_table("ballots")
    with op.batch_alter_table("attendances", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_attendances_party_id"))
        batch_op.drop_index(batch_op.f("ix_attendances_panel_id"))

    op.drop_table("attendances")
    with op.batch_alter_table("remarks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_remarks_case_id"))

    op.drop_table("remarks")
    with op.batch_alter_table("party_members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_party_members_person_id"))
        batch_op.drop_index(batch_op.f("ix_party_members_party_id"))

    op.drop_table("party_members")
    op.drop_table("panels")
    op.drop_table("events")
    with op.batch_alter_table("demands", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_demands_proceeding_id"))
        batch_op.drop_index(batch_op.f("ix_demands_party_id"))
        batch_op.drop_index(batch_op.f("ix_demands_case_id"))

    op.drop_table("demands")
    op.drop_table("board_advices")
    with op.batch_alter_table("adjustment_records", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_adjustment_records_proceeding_id"))

    op.drop_table("adjustment_records")
    with op.batch_alter_table("proceedings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_proceedings_tries_id"))
        batch_op.drop_index(batch_op.f("ix_proceedings_parent_id"))
        batch_op.drop_index(batch_op.f("ix_proceedings_director_id"))
        batch_op.drop_index(batch_op.f("ix_proceedings_case_id"))

    op.drop_table("proceedings")
    with op.batch_alter_table("parties", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_parties_entry_id"))
        batch_op.drop_index(batch_op.f("ix_parties_case_id"))

    op.drop_table("parties")
    with op.batch_alter_table("outbox_jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_jobs_due")
        batch_op.drop_index(batch_op.f("ix_outbox_jobs_case_id"))

    op.drop_table("outbox_jobs")
    op.drop_table("form_receipts")
    with op.batch_alter_table("board_records", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_board_records_case_id"))

    op.drop_table("board_records")
    with op.batch_alter_table("access_log", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_access_log_person_id"))
        batch_op.drop_index(batch_op.f("ix_access_log_case_id"))

    op.drop_table("access_log")
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_cases_incident_id"))

    op.drop_table("cases")
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_incidents_tournament_id"))
        batch_op.drop_index(batch_op.f("ix_incidents_session_id"))

    op.drop_table("incidents")
    with op.batch_alter_table("entry_members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entry_members_person_id"))
        batch_op.drop_index(batch_op.f("ix_entry_members_entry_id"))

    op.drop_table("entry_members")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_tournament_id"))

    op.drop_table("sessions")
    with op.batch_alter_table("presences", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_presences_tournament_id"))
        batch_op.drop_index(batch_op.f("ix_presences_person_id"))

    op.drop_table("presences")
    with op.batch_alter_table("interruptions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_interruptions_ended_at"))

    op.drop_table("interruptions")
    with op.batch_alter_table("grants", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_grants_tournament_id"))
        batch_op.drop_index(batch_op.f("ix_grants_person_id"))

    op.drop_table("grants")
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entries_tournament_id"))

    op.drop_table("entries")
    op.drop_table("contacts")
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_accounts_person_id"))

    op.drop_table("accounts")
    op.drop_table("tournaments")
    op.drop_table("ticks")
    op.drop_table("persons")
    op.drop_table("link_requests")
    op.drop_table("durations")
    op.drop_table("checkpoints")
    op.drop_table("case_counters")
    with op.batch_alter_table("alarms", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_alarms_open", sqlite_where=sa.text("ended_at IS NULL"), postgresql_where=sa.text("ended_at IS NULL")
        )

    op.drop_table("alarms")
