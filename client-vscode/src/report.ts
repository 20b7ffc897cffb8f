// Shows the report of a lift run in a panel: the same page that the command line writes.
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { App } from "./app";

/** A page of a report is a few megabytes at most. */
const LIMIT = 64 * 1024 * 1024;
const TITLE = /<title>([^<]{1,200})<\/title>/;
/** Every page of ours says what it may load and run; one that doesn't is none of ours. */
const POLICY = /<meta http-equiv="Content-Security-Policy" content="default-src (?:'|&#39;)none/;

/** Whether a file is a report that belongs into a panel. */
export function isReport(uri: string): boolean {
  return /^file:.*\.html$/i.test(uri);
}

/** Opens a report's page; false where it is no such page. */
export async function showReport(file: string): Promise<boolean> {
  const { size } = await fs.stat(file);
  const page = size <= LIMIT ? await fs.readFile(file, "utf8") : "";
  if (!POLICY.test(page)) {
    return false;
  }
  const title = TITLE.exec(page)?.[1] ?? path.basename(file);
  // The page brings its own strict policy, with its few lines of script named by their hash.
  const panel = vscode.window.createWebviewPanel(
    "skillgauge.report",
    title,
    vscode.ViewColumn.Active,
    {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [],
    },
  );
  panel.webview.html = page;
  return true;
}

/** Has a recorded run reported, which needs no key and no container, and shows it. */
export async function showDemo(app: App, folder: string): Promise<void> {
  const { launch } = app.server;
  if (!launch) {
    return;
  }
  const file = path.join(folder, "lift-demo.html");
  const progress = {
    location: vscode.ProgressLocation.Window,
    title: "Skillgauge: a recorded lift run",
  };
  const ran = await vscode.window.withProgress(progress, () =>
    app.run(launch, ["lift", "demo", "--html", file]),
  );
  // Status 1 says that the lift is low, which is a result as well.
  if ((ran.code !== 0 && ran.code !== 1) || !(await showReport(file))) {
    const said = ran.stderr.trim().split("\n").at(-1) ?? "";
    app.logs.client.error(ran.stderr.trim());
    await vscode.window.showErrorMessage(said || "The demo made no report.");
  }
}
