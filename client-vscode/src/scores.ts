// Keeps what the server says of scores, for the heat map, the tree and the status.
import * as vscode from "vscode";
import { readScored, type Scored } from "./profile";

export class ScoreStore implements vscode.Disposable {
  readonly #known = new Map<string, Scored>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** Scores of this skill came or went. */
  readonly onDidChange = this.#changed.event;

  of(uri: vscode.Uri): Scored | undefined {
    return this.#known.get(uri.toString());
  }

  /** Takes what the server sent or answered. */
  take(value: unknown): Scored | undefined {
    const scored = readScored(value);
    if (!scored) {
      return undefined;
    }
    // The server writes the same URI in its own way.
    const uri = vscode.Uri.parse(scored.uri);
    this.#known.set(uri.toString(), scored);
    this.#changed.fire(uri);
    return scored;
  }

  /** Forgets all: the server has ended. */
  clear(): void {
    const uris = [...this.#known.keys()];
    this.#known.clear();
    for (const uri of uris) {
      this.#changed.fire(vscode.Uri.parse(uri));
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
