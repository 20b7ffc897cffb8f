// Shows what a fix would do as a diff, and applies it from there.
import * as vscode from "vscode";
import type { Client } from "./client";

export const SCHEME = "skillgauge-fix";
/** The command behind the entry below the fixes. */
export const PREVIEW = "skillgauge.previewFixes";

/** A code action as the server sends it, before it is resolved. */
interface Offer {
  readonly title: string;
  readonly kind?: string;
  readonly data?: { readonly do?: string; readonly code?: string };
  readonly diagnostics?: readonly {
    readonly range: { readonly start: { readonly line: number } };
  }[];
}

interface Shown {
  readonly uri: vscode.Uri;
  readonly version: number;
  readonly edit: vscode.WorkspaceEdit;
  readonly text: string;
  readonly title: string;
}

export class FixPreview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #listeners = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument((document) => {
      this.#shown.delete(document.uri.toString());
    }),
  ];
  #count = 0;

  constructor(private readonly client: () => Client | undefined) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#shown.get(uri.toString())?.text ?? "";
  }

  /** Offers the fixes at a place, or all of the file, and shows the chosen one as a diff. */
  async show(uri?: vscode.Uri, range?: vscode.Range): Promise<void> {
    const client = this.client();
    const document = uri
      ? await vscode.workspace.openTextDocument(uri)
      : vscode.window.activeTextEditor?.document;
    if (!client || !document) {
      return;
    }
    const offers = await this.#offers(client, document, range);
    const offer = await choose(offers);
    if (!offer) {
      return;
    }
    const edit = await this.#edit(client, offer);
    const edits = edit?.get(document.uri) ?? [];
    if (!edit || edits.length === 0) {
      await vscode.window.showInformationMessage(`“${offer.title}” changes nothing in this text.`);
      return;
    }
    await this.#open(document, offer.title, edit, applyEdits(document, edits));
  }

  /** Applies the fix whose diff is shown, unless the text has changed since. */
  async apply(uri?: vscode.Uri): Promise<void> {
    const active = uri ?? vscode.window.activeTextEditor?.document.uri;
    const shown = active ? this.#shown.get(active.toString()) : undefined;
    if (!shown) {
      return;
    }
    const document = await vscode.workspace.openTextDocument(shown.uri);
    if (document.version !== shown.version) {
      await vscode.window.showWarningMessage("The text has changed since; preview the fix again.");
      return;
    }
    await vscode.workspace.applyEdit(shown.edit);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.window.showTextDocument(document);
  }

  dispose(): void {
    for (const item of this.#listeners) {
      item.dispose();
    }
    this.#changed.dispose();
  }

  async #offers(
    client: Client,
    document: vscode.TextDocument,
    range?: vscode.Range,
  ): Promise<Offer[]> {
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const ask = async (only: string[]): Promise<Offer[]> => {
      const found = await client.sendRequest<Offer[] | null>("textDocument/codeAction", {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
        range: client.code2ProtocolConverter.asRange(range ?? all),
        context: { diagnostics: [], only },
      });
      return found ?? [];
    };
    const fixes = (await ask(["quickfix"])).filter((offer) => offer.data?.do === "fix");
    return range ? fixes : [...(await ask(["source.fixAll.skillgauge"])), ...fixes];
  }

  async #edit(client: Client, offer: Offer): Promise<vscode.WorkspaceEdit | undefined> {
    const resolved = await client.sendRequest<{ edit?: object } | null>(
      "codeAction/resolve",
      offer,
    );
    const edit = resolved?.edit as Parameters<
      Client["protocol2CodeConverter"]["asWorkspaceEdit"]
    >[0];
    return edit ? await client.protocol2CodeConverter.asWorkspaceEdit(edit) : undefined;
  }

  async #open(
    document: vscode.TextDocument,
    title: string,
    edit: vscode.WorkspaceEdit,
    text: string,
  ): Promise<void> {
    this.#count += 1;
    const uri = document.uri.with({ scheme: SCHEME, query: String(this.#count) });
    const { version } = document;
    this.#shown.set(uri.toString(), { uri: document.uri, version, edit, text, title });
    await vscode.commands.executeCommand("vscode.diff", document.uri, uri, title, {
      preview: true,
    });
  }
}

/** Adds “Preview fixes…” below the fixes of the server. */
export function addPreview(
  document: vscode.TextDocument,
  actions: (vscode.Command | vscode.CodeAction)[],
): void {
  const fixes = actions.filter((action) => isOurFix(action));
  const range = fixes[0]?.diagnostics?.[0]?.range;
  if (!range) {
    return;
  }
  const whole = fixes.reduce((sum, fix) => sum.union(fix.diagnostics?.[0]?.range ?? range), range);
  const action = new vscode.CodeAction("Preview fixes…", vscode.CodeActionKind.QuickFix);
  action.command = {
    command: PREVIEW,
    title: action.title,
    arguments: [document.uri, whole],
  };
  // Below the fixes, above what silences.
  const last = actions.findLastIndex((item) => isOurFix(item));
  actions.splice(last + 1, 0, action);
}

function isOurFix(action: vscode.Command | vscode.CodeAction): action is vscode.CodeAction {
  const { data } = action as { data?: { do?: string } };
  return data?.do === "fix";
}

async function choose(offers: readonly Offer[]): Promise<Offer | undefined> {
  if (offers.length === 0) {
    await vscode.window.showInformationMessage(
      "There is nothing here that can be fixed mechanically.",
    );
    return undefined;
  }
  if (offers.length === 1) {
    return offers[0];
  }
  const items = offers.map((offer) => {
    const line = offer.diagnostics?.[0]?.range.start.line;
    const description = [offer.data?.code, line === undefined ? "" : `line ${line + 1}`].filter(
      Boolean,
    );
    return { label: offer.title, description: description.join(" · "), offer };
  });
  const title = "Preview which fix?";
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.offer;
}

/** Returns the text with edits that don't overlap. */
export function applyEdits(
  document: Pick<vscode.TextDocument, "getText" | "offsetAt">,
  edits: readonly vscode.TextEdit[],
): string {
  const places = edits
    .map((edit) => ({
      start: document.offsetAt(edit.range.start),
      end: document.offsetAt(edit.range.end),
      text: edit.newText,
    }))
    .sort((a, b) => b.start - a.start || b.end - a.end);
  return places.reduce(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    document.getText(),
  );
}
