// What follows from the server's state: status, contexts, and the few messages that are shown, once each.
import * as vscode from "vscode";
import type { App } from "./app";
import { needsServer } from "./documents";
import { openSetting } from "./install";
import type { State } from "./server";

const LOG = "Show Log";

export function followServer(app: App): vscode.Disposable[] {
  const said = new Set<string>();
  const once = (key: string): boolean => {
    const first = !said.has(key);
    said.add(key);
    return first;
  };
  let asked = false;
  return [
    app.server.onDidChange((state) => {
      app.status.state = state;
      void vscode.commands.executeCommand(
        "setContext",
        "skillgauge.running",
        state.kind === "running",
      );
      if (state.kind !== "running") {
        app.scores.clear();
        app.status.scorer = undefined;
        asked = false;
      } else {
        said.clear();
        app.skills.soon();
        void offerUpdate(app, state, once);
      }
      void tell(app, state, once);
    }),
    app.scores.onDidChange((uri) => {
      const scored = app.scores.of(uri);
      if (!asked && scored) {
        asked = true;
        app.askDoctor().catch((error: unknown) => {
          app.logs.client.warn(String(error));
        });
      }
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      void tell(app, app.server.state, once);
    }),
    ...readFaults(app, once),
  ];
}

/** Says what keeps the server from running; what nobody waits for is left to the status item. */
async function tell(app: App, state: State, once: (key: string) => boolean): Promise<void> {
  const active = vscode.window.activeTextEditor?.document;
  const waiting = active !== undefined && needsServer(active);
  if (state.kind === "missing" && waiting && once("missing")) {
    const install = "Install…";
    const text = "Skillgauge found no server on this machine, so skills are not checked.";
    const answer = await vscode.window.showWarningMessage(text, install, LOG);
    if (answer === install) {
      await vscode.commands.executeCommand("skillgauge.installServer");
    } else if (answer === LOG) {
      app.logs.client.show();
    }
  } else if (state.kind === "wrong" && once(`wrong ${state.setting} ${state.why}`)) {
    await tellFault(app, state.setting, state.why);
  } else if (state.kind === "failed" && once("failed")) {
    const restart = "Restart";
    const text = `${state.why}, and is not started again. Until then skills are not checked.`;
    const answer = await vscode.window.showErrorMessage(`Skillgauge: ${text}`, LOG, restart);
    if (answer === LOG) {
      app.logs.server.show();
    } else if (answer === restart) {
      await vscode.commands.executeCommand("skillgauge.restartServer");
    }
  }
}

async function tellFault(app: App, setting: string, why: string): Promise<void> {
  const open = "Open Setting";
  const text = `Skillgauge: the setting ${setting} is wrong. ${why}.`;
  const answer = await vscode.window.showErrorMessage(text, open, LOG);
  if (answer === open) {
    await openSetting(setting);
  } else if (answer === LOG) {
    app.logs.client.show();
  }
}

/** Tells of settings that have values which they can't have, now and after each change. */
function readFaults(app: App, once: (key: string) => boolean): vscode.Disposable[] {
  const look = (): void => {
    for (const { setting, why } of app.readSettings().faults) {
      if (once(`fault ${setting} ${why}`)) {
        app.logs.client.error(`${setting}: ${why}.`);
        void tellFault(app, setting, why);
      }
    }
  };
  look();
  return [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("skillgauge")) {
        look();
      }
    }),
  ];
}

/** The extension's own environment may be of a version before. */
async function offerUpdate(app: App, state: State, once: (key: string) => boolean): Promise<void> {
  if (
    state.kind !== "running" ||
    state.launch.origin !== "own" ||
    !(await app.environment.isOutOfDate())
  ) {
    return;
  }
  app.logs.client.warn("The environment was made for another version of the extension.");
  if (once("update")) {
    const update = "Update…";
    const text = "Skillgauge's environment was made for another version of the extension.";
    if ((await vscode.window.showInformationMessage(text, update)) === update) {
      await vscode.commands.executeCommand("skillgauge.installServer");
    }
  }
}
