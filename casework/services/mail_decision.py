"""A decision in the words of a notice: what was decided, why, and what it does to the score."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlmodel import select

from casework.domain.labels import label
from casework.domain.models import AdjustmentRecord, Consequence, Decision
from casework.domain.rules.citations import Citation
from casework.domain.terms import NoticeKind, Side
from casework.services.board_changes import Filing, filings
from casework.services.board_text import board_text
from casework.services.case_documents import recorded_later
from casework.services.earlier_scores import before_this
from casework.services.mail_rows import Rows
from casework.services.readings import around, side_labels
from casework.services.score_view import ScoreView, saved_view
from casework.services.scores import NOT_COUNTED, SavedScore, lacks_score, newest_score, upheld
from casework.services.votes import own_words, votes_of
from casework.text import Quoted, Text, t


def decision_words(rows: Rows, decision: Decision | None) -> Mapping[str, Any] | None:
    """A decision as parties read it."""
    if decision is None:
        return None
    laws = [rows.say(Citation.from_json(law).words) for law in decision.laws]
    score, board = _score(rows, decision), _board(rows, decision)
    return {
        "outcome": decision.outcome.value if decision.outcome else "",
        "operative": _own(decision.operative),
        "score": "\n".join(map(rows.say, score.lines() if score else _uncounted(rows, decision))),
        "counted": score.counted(rows.say) if score else None,
        "facts": _own(decision.facts),
        "agreed": _own(decision.facts_agreed),
        "disputed": _disputed(rows, decision),
        "laws": "\n".join(law[:1].upper() + law[1:] for law in laws),
        "reasons": _own(decision.reasons),
        "dissent": _own(decision.dissent),
        "by": rows.name(decision.given_by),
        "given_at": decision.given_at,
        "recorded_at": decision.recorded_at if recorded_later(decision) else None,
        "appeals": _outcomes(rows),
        "votes": _votes(rows, decision),
        "board": board_text(board.board, rows.notice.language, board.reasons) if board else "",
        "view": board.view(rows.notice.language) if board else None,
    }


def _own(text: str) -> str:
    """What the director or the body has written is the decision itself: not set apart, but in Swedish."""
    return Quoted(text, apart=False)


def _board(rows: Rows, decision: Decision) -> Filing | None:
    """As it was when the decision was given."""
    known = [each for each in filings(rows.session, rows.loaded) if each.at <= decision.recorded_at]
    return known[-1] if known else None


def board_changes(rows: Rows) -> str:
    """What the director's filing that the notice tells of has changed, a line each."""
    filed = rows.cause.data.get("filed", {}) if rows.cause else {}
    told = (each for each in filings(rows.session, rows.loaded) if str(each.id) in filed)
    language = rows.notice.language
    return "\n".join(rows.say(change.words) for each in told for change in each.changes(language))


def _score(rows: Rows, decision: Decision) -> ScoreView | None:
    """The score that the decision took along, or what was counted of it since, from the recipient's side."""
    counted = rows.subject_id if rows.notice.kind is NoticeKind.SCORE_COUNTED else decision.adjustment_id
    if counted is None:
        return None
    own = next((party.side for party in rows.loaded.parties if party.id == rows.notice.party_id), None)
    record = rows.session.get_one(AdjustmentRecord, counted)
    before = before_this(rows.session, around(rows.loaded, decision.proceeding_id))
    return saved_view(SavedScore.of(record), own=own, before=before)


def _uncounted(rows: Rows, decision: Decision) -> Iterator[Text]:
    """That a score is changed and nobody has worked it out (R69-R74)."""
    if _lacks_score(rows, decision):
        yield NOT_COUNTED


def _lacks_score(rows: Rows, decision: Decision) -> bool:
    if not lacks_score(decision.outcome, None):
        return False
    own = rows.session.exec(select(Consequence).where(Consequence.decision_id == decision.id))
    before = upheld(rows.loaded, decision, own)
    lacks = lacks_score(decision.outcome, newest_score(rows.session, decision.proceeding_id))
    return lacks and (before is None or _lacks_score(rows, before))


def _votes(rows: Rows, decision: Decision) -> str:
    lines = []
    for seat, vote in votes_of(rows.loaded, decision.proceeding_id):
        name, role = rows.name(seat.person_id), label(seat.role)
        lines.append(rows.say(t("{name}, {role}: {position}", name=name, role=role, position=label(vote.position))))
        if words := own_words(vote, decision):
            lines.append(rows.say(t("Dissent: {text}", text=words)))
    return "\n".join(lines)


def _disputed(rows: Rows, decision: Decision) -> str:
    sides = {side: rows.say(labels) for side, labels in side_labels(rows.loaded).items()}
    known = {side.value: rows.say(label(side)) for side in Side} | sides
    lines = (f"{known.get(key, key)}: {text}" for key, text in (decision.facts_disputed or {}).items())
    return rows.quoted("\n".join(line[:1].upper() + line[1:] for line in lines))


def _outcomes(rows: Rows) -> str:
    lines = []
    for appeal in rows.loaded.appeals:
        if appeal.proceeding_id == rows.loaded.proceeding.id and appeal.outcome is not None:
            party = rows.party(appeal.party_id)
            line = t("{party}: {outcome}", party=party[:1].upper() + party[1:], outcome=label(appeal.outcome))
            lines.append(rows.say(line))
            if appeal.without_merit:
                lines.append(rows.say(t("The body found the appeal to be without merit.")))
    return "\n".join(lines)
