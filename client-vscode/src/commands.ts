// The commands of the palette.
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { folders, type App } from "./app";
import { isSkill } from "./documents";
import { chooseMetric } from "./heatmap";
import { installModel, installServer, removeServer } from "./install";
import { showDemo } from "./report";
import { revealLines } from "./skills-view";

/** Registers all commands but those that the server brings. */
export function registerCommands(app: App): vscode.Disposable[] {
  const commands: Record<string, (...args: never[]) => unknown> = {
    installServer: () => installServer(app),
    removeServer: () => removeServer(app),
    installModel: () => installModel(app),
    restartServer: () => app.server.restart("the user asked for it"),
    showLog: () => {
      app.logs.client.show();
    },
    showServerLog: () => {
      app.logs.server.show();
    },
    showDebugInformation: () => showDebugInformation(app),
    fixAll: () =>
      vscode.commands.executeCommand("editor.action.sourceAction", {
        kind: "source.fixAll.skillgauge",
        apply: "first",
      }),
    previewFixes: (uri?: vscode.Uri, range?: vscode.Range) => app.fixes.show(uri, range),
    applyPreviewedFix: (uri?: vscode.Uri) => app.fixes.apply(uri),
    previewModelInput: (uri?: vscode.Uri) => previewModelInput(app, uri),
    toggleHeatMap: () => setHeatMap("enabled", !app.settings.heatMap),
    chooseHeatMapMetric: async () => {
      const metric = await chooseMetric(app.scores, app.settings.metric);
      if (metric !== undefined) {
        await setHeatMap("metric", metric);
        await setHeatMap("enabled", true);
      }
    },
    refreshSkills: () => app.skills.refresh(),
    revealWorst: (uri: vscode.Uri, place?: { first: number; last: number }) =>
      revealLines(uri, place),
    openWalkthrough: () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        "skillgauge.skillgauge#start",
        false,
      ),
    newSkill: () => newSkill(app),
    showLiftDemo: () => showDemo(app, app.folder),
  };
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`skillgauge.${name}`, run as (...args: unknown[]) => unknown),
  );
}

async function setHeatMap(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("skillgauge.heatMap");
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

async function previewModelInput(app: App, uri?: vscode.Uri): Promise<void> {
  const { client } = app.server;
  const document = uri
    ? await vscode.workspace.openTextDocument(uri)
    : vscode.window.activeTextEditor?.document;
  if (!client || !document || !isSkill(document)) {
    await vscode.window.showInformationMessage(
      "Open a SKILL.md to see what the model receives of it.",
    );
    return;
  }
  const asked = { uri: client.code2ProtocolConverter.asUri(document.uri) };
  const made = await client.sendRequest<{ text: string | null; uri: string }>(
    "skillgauge/preview",
    asked,
  );
  if (made.text === null) {
    await vscode.window.showInformationMessage(
      "There is nothing to show: this is no skill that can be read.",
    );
    return;
  }
  const shown = await vscode.workspace.openTextDocument(vscode.Uri.parse(made.uri));
  await vscode.window.showTextDocument(shown, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: true,
  });
}

async function newSkill(app: App): Promise<void> {
  const { launch } = app.server;
  const root = folders()[0];
  if (root === undefined) {
    await vscode.window.showInformationMessage("Open a folder first; the skill is made in it.");
    return;
  }
  if (!launch) {
    await vscode.window.showInformationMessage(
      "The server makes the skill, and it does not run yet.",
    );
    return;
  }
  const name = await vscode.window.showInputBox({
    title: "The new skill's name",
    prompt: "Lower-case letters, digits and hyphens",
    validateInput: (text) =>
      /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 64
        ? undefined
        : "Lower-case letters, digits and single hyphens between them, at most 64",
  });
  if (!name) {
    return;
  }
  const parent = path.join(root, ".claude", "skills");
  await vscode.workspace.fs.createDirectory(vscode.Uri.file(parent));
  const ran = await app.run(launch, ["init", "--skill", name, "--", parent]);
  if (ran.code !== 0) {
    await vscode.window.showErrorMessage(ran.stderr.trim());
    return;
  }
  await revealLines(vscode.Uri.file(path.join(parent, name, "SKILL.md")));
}

async function showDebugInformation(app: App): Promise<void> {
  const { launch, state } = app.server;
  const lines = [
    "# Skillgauge",
    "",
    `- extension ${app.version}, editor ${vscode.version} (${vscode.env.appName}, ${vscode.env.appHost})`,
    `- ${os.platform()} ${os.release()} ${os.arch()}, remote: ${vscode.env.remoteName ?? "no"}`,
    `- workspace trusted: ${vscode.workspace.isTrusted ? "yes" : "no"}`,
    `- server: ${state.kind}`,
  ];
  if (launch) {
    lines.push(`- started as: ${[launch.command, ...launch.args, "server"].join(" ")}`);
    lines.push(`- since ${launch.because}`);
    const ran = await app.run(launch, ["doctor", "--", folders()[0] ?? os.homedir()]);
    lines.push("", "```text", (ran.stdout || ran.stderr).trim(), "```");
  }
  const content = `${lines.join("\n")}\n`;
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document);
}
