// The output channels: ours, the server's, and the trace, which is made when it is asked for.
import * as vscode from "vscode";

export class Logs implements vscode.Disposable {
  /** What the extension does: which server it chose and why, installations, restarts. */
  readonly client = vscode.window.createOutputChannel("Skillgauge", { log: true });
  /** What the server says on its standard error, and as log messages. */
  readonly server = vscode.window.createOutputChannel("Skillgauge Server", { log: true });
  #trace: vscode.LogOutputChannel | undefined;

  get trace(): vscode.LogOutputChannel {
    this.#trace ??= vscode.window.createOutputChannel("Skillgauge Trace", { log: true });
    return this.#trace;
  }

  dispose(): void {
    this.client.dispose();
    this.server.dispose();
    this.#trace?.dispose();
  }
}
