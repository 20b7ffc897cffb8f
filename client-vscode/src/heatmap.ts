// Colours the lines of a skill by what they add to its scores.
import * as vscode from "vscode";
import { heatOf, signed, weakestFirst, type Heat, type Level } from "./profile";
import type { ScoreStore } from "./scores";

const LEVELS: readonly Level[] = [-3, -2, -1, 1, 2, 3];

export interface Wish {
  readonly on: boolean;
  readonly metric: string;
}

export class HeatMap implements vscode.Disposable {
  readonly #kinds = new Map(LEVELS.map((level) => [level, decoration(level)]));
  readonly #listeners: vscode.Disposable[];

  constructor(
    private readonly store: ScoreStore,
    private readonly wish: () => Wish,
  ) {
    this.#listeners = [
      store.onDidChange((uri) => {
        this.#draw(editorsOf(uri));
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        this.#draw(editors);
      }),
    ];
  }

  /** Draws anew: the settings have changed. */
  redraw(): void {
    this.#draw(vscode.window.visibleTextEditors);
  }

  dispose(): void {
    for (const item of [...this.#listeners, ...this.#kinds.values()]) {
      item.dispose();
    }
  }

  #draw(editors: readonly vscode.TextEditor[]): void {
    const { on, metric } = this.wish();
    for (const editor of editors) {
      const scored = this.store.of(editor.document.uri);
      if (on && scored && !scored.profile && !scored.reason) {
        continue; // New scores are on their way; until then the old ones stay.
      }
      const heat = on && scored?.profile ? heatOf(scored.profile, metric) : [];
      for (const [level, kind] of this.#kinds) {
        const lines = heat.filter(
          (item) => item.level === level && isWritten(editor.document, item.line),
        );
        editor.setDecorations(
          kind,
          lines.map((item) => ({
            range: editor.document.lineAt(item.line - 1).range,
            hoverMessage: explain(item),
          })),
        );
      }
    }
  }
}

/** Lets the user choose the metric; undefined if none was chosen. */
export async function chooseMetric(store: ScoreStore, now: string): Promise<string | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const profile = uri ? store.of(uri)?.profile : undefined;
  const known = profile ? weakestFirst(profile) : [];
  const items = [
    { label: "All", description: "the sum of all that are shown", code: "" },
    ...known.map(([code, metric]) => ({ label: code, description: metric.name, code })),
  ];
  const chosen = await vscode.window.showQuickPick(
    items.map((item) => ({ ...item, detail: item.code === now ? "Shown now" : undefined })),
    {
      title: "Heat map of which metric?",
      placeHolder: profile ? "" : "This file has no scores yet",
    },
  );
  return chosen?.code;
}

/** Whether a line is there and has something to colour. */
function isWritten(document: vscode.TextDocument, line: number): boolean {
  return line <= document.lineCount && !document.lineAt(line - 1).isEmptyOrWhitespace;
}

function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const wanted = uri.toString();
  return vscode.window.visibleTextEditors.filter(
    (editor) => editor.document.uri.toString() === wanted,
  );
}

function decoration(level: Level): vscode.TextEditorDecorationType {
  const name = `${level < 0 ? "low" : "high"}${Math.abs(level)}`;
  const color = new vscode.ThemeColor(`skillgauge.heat.${name}`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: color,
    overviewRulerColor: Math.abs(level) === 1 ? undefined : color,
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  });
}

function explain(heat: Heat): vscode.MarkdownString {
  const rows = heat.parts
    .filter(({ part }) => Math.abs(part) >= 0.005)
    .map(({ code, name, part }) => `- ${code} ${name}: ${signed(part)}`);
  const verb = heat.level < 0 ? "pulls the scores down" : "raises the scores";
  return new vscode.MarkdownString(
    `This line ${verb} (${signed(heat.sum)}):\n\n${rows.join("\n")}`,
  );
}
