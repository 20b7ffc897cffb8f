// Helpers of the tests in the extension host.
import * as path from "node:path";
import * as vscode from "vscode";

export type Tests = Record<string, () => Promise<void>>;

export function file(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) {
    throw new Error("There is no workspace");
  }
  return vscode.Uri.file(path.join(folder, name));
}

export async function show(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file(name));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Our diagnostics; the editor has its own for skills. */
export function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((item) => item.source === "skillgauge");
}

export function codeOf(diagnostic: vscode.Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : code);
}

/** Asks until there is an answer; the first call may be refused while providers settle. */
export async function wait<T>(
  what: string,
  ask: () => T | undefined | Thenable<T | undefined>,
  ms = 20_000,
): Promise<T> {
  const end = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const found = await ask();
      if (found !== undefined) {
        return found;
      }
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`Timed out: ${what}${last instanceof Error ? ` (${last.message})` : ""}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Leaves no changes behind for the next test. */
export async function settle(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter((item) => item.isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

export async function type(
  document: vscode.TextDocument,
  at: vscode.Position,
  text: string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, at, text);
  await vscode.workspace.applyEdit(edit);
}
