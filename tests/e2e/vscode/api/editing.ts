// What an author gets through the editor's own interfaces.
import * as assert from "node:assert";
import * as fs from "node:fs";
import * as vscode from "vscode";
import { codeOf, file, ours, show, type, wait, type Tests } from "./support";

const HELPER = "skills/report-helper/SKILL.md";
const ENTRY = "skills/changelog-entry/SKILL.md";

export const editing: Tests = {
  async "findings have code, range and a link"() {
    const document = await show(HELPER);
    const found = await wait("findings", () =>
      ours(document.uri).find((item) => codeOf(item) === "F048"),
    );
    assert.deepStrictEqual([found.range.start.line, found.range.start.character], [3, 0]);
    assert.match(JSON.stringify(found.code), /docs\/rules\/misspelt-key\.md/);
  },

  async "what the editor says itself is not repeated"() {
    const document = await show(ENTRY);
    await wait("the server", () =>
      vscode.extensions.getExtension("skillgauge.skillgauge")?.isActive ? true : undefined,
    );
    const line = document.lineAt(1);
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, line.rangeIncludingLineBreak);
    await vscode.workspace.applyEdit(edit);
    const all = await wait("the editor's own finding", () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.some((item) => /name/i.test(item.message) && item.source !== "skillgauge")
        ? found
        : undefined;
    });
    const named = ours(document.uri).filter((item) => codeOf(item) === "F030");
    assert.deepStrictEqual(named, [], all.map((item) => item.message).join("; "));
  },

  async "findings follow the text, typed or undone"() {
    const document = await show(ENTRY);
    await wait("the server", () => (ours(document.uri).length >= 0 ? true : undefined));
    await type(document, new vscode.Position(1, document.lineAt(1).text.length), ": x");
    await wait("an error", () =>
      ours(document.uri).find((item) => item.severity === vscode.DiagnosticSeverity.Error),
    );
    await vscode.commands.executeCommand("undo");
    await wait("no error", () =>
      ours(document.uri).some((item) => item.severity === vscode.DiagnosticSeverity.Error)
        ? undefined
        : true,
    );
  },

  async "a quick fix applies"() {
    const document = await show(HELPER);
    const range = (
      await wait("F048", () => ours(document.uri).find((item) => codeOf(item) === "F048"))
    ).range;
    const fix = await wait("the fix", async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        range,
        vscode.CodeActionKind.QuickFix.value,
        20,
      );
      return actions.find((action) => action.edit !== undefined && /license/.test(action.title));
    });
    assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
    assert.match(document.getText(), /^license: /m);
    await wait("it to go", () =>
      ours(document.uri).some((item) => codeOf(item) === "F048") ? undefined : true,
    );
  },

  async "there is an entry that previews fixes, and only where there is one"() {
    const document = await show(HELPER);
    const { range } = await wait("F048", () =>
      ours(document.uri).find((item) => codeOf(item) === "F048"),
    );
    const titles = async (where: vscode.Range): Promise<string[]> => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        where,
      );
      return actions.map((action) => action.title);
    };
    await wait("the entry", async () =>
      (await titles(range)).includes("Preview fixes…") ? true : undefined,
    );
    const last = document.lineCount - 1;
    assert.ok(!(await titles(new vscode.Range(last, 0, last, 0))).includes("Preview fixes…"));
  },

  async "a fix is shown as a diff, and applied from there unless the text has moved on"() {
    const document = await show(HELPER);
    const { range } = await wait("F048", () =>
      ours(document.uri).find((item) => codeOf(item) === "F048"),
    );
    const preview = async (): Promise<vscode.TextDocument> => {
      await vscode.commands.executeCommand("skillgauge.previewFixes", document.uri, range);
      return wait("the diff", () => {
        const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        const shown = input instanceof vscode.TabInputTextDiff ? input.modified.toString() : "";
        return vscode.workspace.textDocuments.find((item) => item.uri.toString() === shown);
      });
    };
    const before = document.getText();
    const first = await preview();
    assert.strictEqual(first.getText(), before.replace("licence", "license"));
    assert.strictEqual(document.getText(), before);
    await type(document, new vscode.Position(document.lineCount - 1, 0), "\n");
    void vscode.commands.executeCommand("skillgauge.applyPreviewedFix", first.uri);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.match(document.getText(), /^licence/m);
    const second = await preview();
    await vscode.commands.executeCommand("skillgauge.applyPreviewedFix", second.uri);
    assert.match(document.getText(), /^license/m);
  },

  async "saving fixes what is safe"() {
    const settings = vscode.workspace.getConfiguration("editor", {
      languageId: "skill",
      uri: file(HELPER),
    });
    const actions = { "source.fixAll.skillgauge": "explicit" };
    await settings.update("codeActionsOnSave", actions, vscode.ConfigurationTarget.Workspace);
    const document = await show(HELPER);
    const before = document.getText();
    assert.match(before, /version: 1\.0$/m);
    await wait("F045", () => ours(document.uri).find((item) => codeOf(item) === "F045"));
    await type(document, new vscode.Position(document.lineCount - 1, 0), "\n");
    await vscode.commands.executeCommand("workbench.action.files.save");
    await wait("the file", () =>
      /version: "1\.0"$/m.test(fs.readFileSync(document.uri.fsPath, "utf8")) ? true : undefined,
    );
    await settings.update("codeActionsOnSave", undefined, vscode.ConfigurationTarget.Workspace);
    fs.writeFileSync(document.uri.fsPath, before);
  },

  async "hover, completion and outline answer"() {
    const document = await show(ENTRY);
    const hovers = await wait("a hover", async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        new vscode.Position(1, 1),
      );
      return found.length > 0 ? found : undefined;
    });
    assert.match(
      hovers
        .flatMap((hover) => hover.contents.map((item) => (item as vscode.MarkdownString).value))
        .join(),
      /name/i,
    );
    await type(document, new vscode.Position(1, 0), "\n");
    const labels = await wait("completions", async () => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        new vscode.Position(1, 0),
      );
      const found = list.items.map((item) =>
        typeof item.label === "string" ? item.label : item.label.label,
      );
      if (!found.some((label) => label.startsWith("disallowed-tools"))) {
        throw new Error(`there are ${found.slice(0, 20).join(", ")}`);
      }
      return found;
    });
    const twice = labels.filter((label, at) => labels.indexOf(label) !== at);
    assert.deepStrictEqual(twice, [], "what the editor offers itself is not offered again");
  },

  async "the lenses have structure and scores, and scores come as JSON"() {
    const document = await show(HELPER);
    await wait(
      "the lenses",
      async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          "vscode.executeCodeLensProvider",
          document.uri,
          10,
        );
        const titles = lenses.map((lens) => lens.command?.title ?? "").join();
        return /structure \d/.test(titles) && /C2 \d+%/.test(titles) ? true : undefined;
      },
      120_000,
    );
    const scores = await vscode.commands.executeCommand<{
      profile: { metrics: Record<string, unknown> };
    }>("skillgauge.showScores");
    assert.ok("C2" in scores.profile.metrics);
  },
};
