"""Colliding descriptions: by their words, and by the scorer's word once it is there."""

from __future__ import annotations

from pathlib import Path

from .documents import make_skill
from .inprocess import Editor
from .loopback import until
from .test_scores import scored, scoring, shown

TEXT = "---\nname: {name}\ndescription: {description}\n---\n# Title\n\nText.\n"
SAME = "Prepares journal entries with debits, credits and supporting detail. Use when booking"
LIKE = "Prepares journal entries with debits, credits and documentation. Use when booking"
WORDS = {
    "journal-entry": f"{SAME} accruals, depreciation, amortization or prepaid expenses.",
    "journal-entry-prep": f"{LIKE} accruals, prepaid amortization or depreciation.",
}
"""Two that share words. The fake scorer goes by the first word, and so finds them alike."""
MEANING = {
    "ledger": "Books what has come in. Use when an invoice arrives.",
    "cashier": "Books money that was received. Use when a customer has paid.",
}
"""Two that share one word, the first."""


async def collisions(
    root: Path, skills: dict[str, str], *, scorer: bool = True
) -> tuple[bool, bool, str]:
    """Return whether the first skill collides before the scorer has spoken, and after."""
    paths = [
        make_skill(root, name, TEXT.format(name=name, description=description))
        for name, description in skills.items()
    ]
    uri, text = paths[0].as_uri(), paths[0].read_text()
    async with scoring(root) as editor:
        editor.server.scores.quiet = 3600
        editor.open(uri, text)
        await editor.settled()
        before = _collides(editor, uri)
        if not scorer:
            return before, before, ""
        editor.server.scores.quiet = 0.01
        editor.change(uri, f"{text}\n")
        await scored(editor, uri)
        await until(lambda: editor.server.collisions.idle)
        await editor.settled()
        message = shown(editor, uri).get("X002", {}).get("message", "")
        return before, _collides(editor, uri), message


def _collides(editor: Editor, uri: str) -> bool:
    published = editor.published(uri)
    return bool(published) and "X002" in shown(editor, uri)


async def test_the_same_words_collide_with_and_without_a_scorer(tmp_path: Path) -> None:
    before, after, message = await collisions(tmp_path, WORDS)
    assert (before, after) == (True, True)
    assert message.startswith("“journal-entry-prep” says nearly the same (")


async def test_the_same_in_other_words(tmp_path: Path) -> None:
    before, after, message = await collisions(tmp_path, MEANING)
    assert (before, after) == (False, True)
    assert "“cashier” says nearly the same (books" in message.lower()


async def test_what_shares_words_by_chance_is_freed(tmp_path: Path) -> None:
    skills = dict(WORDS)
    skills["journal-entry"] = f"Quickly {skills['journal-entry'].lower()}"
    before, after, _ = await collisions(tmp_path, skills)
    assert (before, after) == (True, False)


async def test_without_a_scorer_words_decide(tmp_path: Path) -> None:
    assert (await collisions(tmp_path, WORDS, scorer=False))[0]
