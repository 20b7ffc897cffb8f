// The entry: wires the parts, and starts the server once there is something for it to do.
import * as vscode from "vscode";
import { App } from "./app";
import { registerCommands } from "./commands";
import { isSkill, needsServer } from "./documents";
import { followServer } from "./follow-server";
import { onPythonSelected } from "./python";

let app: App | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const made = (app = new App(context));
  let begun = false;
  const begin = (because: string): void => {
    if (!begun) {
      begun = true;
      void setContext("skillgauge.hasSkills", true);
      settle(made, made.server.restart(because));
    }
  };
  context.subscriptions.push(
    ...registerCommands(made),
    ...followServer(made),
    ...followDocuments(made, begin),
    ...followSettings(made, () => begun),
  );
  const open = vscode.workspace.textDocuments.find((document) => needsServer(document));
  if (open) {
    begin(`${open.uri.path} is open`);
  } else {
    settle(
      made,
      made.isNeeded().then((needed) => {
        if (needed) {
          begin("the workspace has skills");
        }
      }),
    );
  }
}

export async function deactivate(): Promise<void> {
  await app?.dispose();
  app = undefined;
}

function followDocuments(made: App, begin: (because: string) => void): vscode.Disposable[] {
  const timers = new Map<string, NodeJS.Timeout>();
  const expectScores = (document: vscode.TextDocument): void => {
    const known = made.scores.of(document.uri);
    // Without a scorer nothing comes.
    if (!isSkill(document) || !known?.profile) {
      return;
    }
    made.status.scoring = true;
    clearTimeout(timers.get("scoring"));
    timers.set(
      "scoring",
      setTimeout(() => (made.status.scoring = false), 15_000),
    );
  };
  return [
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (needsServer(document)) {
        begin(`${document.uri.path} is open`);
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        expectScores(document);
      }
    }),
    made.scores.onDidChange(() => {
      made.status.scoring = false;
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (needsServer(document)) {
        made.skills.soon();
      }
    }),
    new vscode.Disposable(() => {
      clearTimeout(timers.get("scoring"));
    }),
  ];
}

function followSettings(made: App, begun: () => boolean): vscode.Disposable[] {
  const again = (because: string): void => {
    if (begun()) {
      settle(made, made.server.restartIfOther(because));
    }
  };
  const disposables: vscode.Disposable[] = [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("skillgauge.heatMap")) {
        made.heatMap.redraw();
      }
      const server = ["skillgauge.server.path", "skillgauge.server.interpreter"];
      if (server.some((key) => event.affectsConfiguration(key))) {
        again("a setting has changed");
      } else if (event.affectsConfiguration("skillgauge")) {
        made.skills.soon();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      const { client } = made.server;
      settle(made, client?.sendNotification("skillgauge/trust", { trusted: true }));
      // Has the server ask for its options again.
      settle(
        made,
        client?.sendNotification("workspace/didChangeConfiguration", { settings: null }),
      );
      again("the workspace is trusted now");
    }),
  ];
  settle(
    made,
    onPythonSelected(() => {
      again("another Python is selected");
    }).then((found) => {
      disposables.push(...found);
    }),
  );
  return [
    new vscode.Disposable(() => {
      vscode.Disposable.from(...disposables).dispose();
    }),
  ];
}

function settle(made: App, work: Promise<unknown> | undefined): void {
  work?.catch((error: unknown) => {
    made.logs.client.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}

async function setContext(key: string, value: boolean): Promise<void> {
  await vscode.commands.executeCommand("setContext", key, value);
}
