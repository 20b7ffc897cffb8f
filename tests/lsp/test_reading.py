"""What an editor shows beside the text: hover, lens, inlay hints, outline, folding, preview."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .documents import at, make_skill
from .editor_client import EditorClient, open_document, within

pytestmark = pytest.mark.e2e


def hover_text(hover: lsp.Hover | None) -> str:
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    return hover.contents.value


async def test_hover(shared_client: EditorClient, tmp_path: Path) -> None:
    """A key is explained for each client, a finding by its rule's page, a file by its headings."""
    path = make_skill(tmp_path)
    text = path.read_text().replace("---\n# ", "when_to_use: x\nlicence: MIT\n---\n# ")
    uri = open_document(shared_client, path, text)
    document = lsp.TextDocumentIdentifier(uri)

    async def hovered(needle: str) -> str:
        params = lsp.HoverParams(document, at(text, needle, 1))
        return hover_text(await within(shared_client.text_document_hover_async(params)))

    key = await hovered("when_to_use")
    assert "| Claude Code | reads it: " in key
    assert "| Upload to claude.ai | refuses the skill |" in key
    finding = await hovered("licence")
    assert "F048 misspelt-key" in finding
    assert "license" in finding
    file = await hovered("references/guide.md")
    assert "`references/guide.md`" in file
    assert "- Setup" in file
    nothing = lsp.HoverParams(document, at(text, "Workflow"))
    assert await within(shared_client.text_document_hover_async(nothing)) is None


async def test_lens(shared_client: EditorClient, tmp_path: Path) -> None:
    """The lens shows the structural score; its command returns what made it."""
    uri = open_document(shared_client, make_skill(tmp_path))
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    lenses = await within(shared_client.text_document_code_lens_async(params))
    assert lenses
    assert lenses[0].command is not None
    assert lenses[0].command.title.startswith("structure ")
    command = lsp.ExecuteCommandParams(lenses[0].command.command, lenses[0].command.arguments)
    reply = await within(shared_client.workspace_execute_command_async(command))
    score = reply["score"] if isinstance(reply, dict) else getattr(reply, "score", None)
    assert isinstance(score, int | float)
    assert lenses[0].command.title.startswith(f"structure {score:g} ")


async def test_inlay_hints(shared_client: EditorClient, tmp_path: Path) -> None:
    """Each section shows its estimated tokens at the end of its heading."""
    path = make_skill(tmp_path)
    uri = open_document(shared_client, path)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
    hints = await within(shared_client.text_document_inlay_hint_async(params))
    assert hints
    heading = at(path.read_text(), "## Workflow")
    hint = next(item for item in hints if item.position.line == heading.line)
    assert hint.position.character == len("## Workflow")
    assert str(hint.label).startswith("≈ ")


async def test_outline_and_folding(shared_client: EditorClient, tmp_path: Path) -> None:
    """The frontmatter with its keys, then the sections as a tree; each can be folded."""
    uri = open_document(shared_client, make_skill(tmp_path))
    document = lsp.TextDocumentIdentifier(uri)
    params = lsp.DocumentSymbolParams(document)
    symbols = await within(shared_client.text_document_document_symbol_async(params))
    assert symbols is not None
    assert [item.name for item in symbols] == ["csv-tools", "Csv-Tools"]
    front, body = symbols
    assert isinstance(front, lsp.DocumentSymbol)
    assert [item.name for item in front.children or ()] == ["name", "description"]
    assert isinstance(body, lsp.DocumentSymbol)
    assert [item.name for item in body.children or ()] == ["Workflow"]
    folds = await within(
        shared_client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    )
    assert [(item.start_line, item.end_line) for item in folds or ()] == [(0, 3), (4, 9), (6, 9)]


async def test_selection_ranges(shared_client: EditorClient, tmp_path: Path) -> None:
    """Growing the selection goes from the code's text over item, list and section to all."""
    path = make_skill(tmp_path)
    text = path.read_text()
    uri = open_document(shared_client, path)
    positions = [at(text, "scripts/run.py")]
    params = lsp.SelectionRangeParams(lsp.TextDocumentIdentifier(uri), positions)
    found = await within(shared_client.text_document_selection_range_async(params))
    assert found
    sizes: list[tuple[lsp.Position, lsp.Position]] = []
    current: lsp.SelectionRange | None = found[0]
    while current is not None:
        sizes.append((current.range.start, current.range.end))
        current = current.parent
    assert sizes[0] == (at(text, "python3"), at(text, "`.", 0))
    assert sizes[-1] == (lsp.Position(0, 0), lsp.Position(10, 0))
    for (start, end), (outer_start, outer_end) in itertools.pairwise(sizes):
        assert (outer_start.line, outer_start.character) <= (start.line, start.character)
        assert (end.line, end.character) <= (outer_end.line, outer_end.character)


async def test_semantic_tokens(shared_client: EditorClient, editor: str, tmp_path: Path) -> None:
    """Placeholders and references to files get tokens, but in VS Code, which has its own."""
    if editor == "vscode":
        assert shared_client.offered.semantic_tokens_provider is None
        return
    text = "---\nname: a\ndescription: b\n---\nRun `scripts/run.py` on $ARGUMENTS.\n"
    uri = open_document(shared_client, make_skill(tmp_path, text=text))
    params = lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(uri))
    found = await within(shared_client.text_document_semantic_tokens_full_async(params))
    assert found is not None
    assert list(found.data) == [4, 5, 14, 2, 0, 0, 19, 10, 0, 0]


async def test_preview(shared_client: EditorClient, tmp_path: Path) -> None:
    """The preview shows the list entry and the body with arguments put in; nothing is run."""
    text = "---\nname: csv-tools\ndescription: Converts.\n---\nOn $0: !`rm -rf x`.\n"
    uri = open_document(shared_client, make_skill(tmp_path, text=text))
    request = {"uri": uri, "client": "claude-code", "arguments": "a.csv b"}
    sent = shared_client.protocol.send_request_async("skillgauge/preview", request)
    reply = await within(sent)
    shown = reply.text if hasattr(reply, "text") else reply["text"]
    assert "- csv-tools: Converts." in shown
    assert "On a.csv: [output of: rm -rf x]." in shown
