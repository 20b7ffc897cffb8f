// The server's life as the editor sees it: commands, a crash, settings.
import * as assert from "node:assert";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import { codeOf, ours, show, wait, type Tests } from "./support";

const HELPER = "skills/report-helper/SKILL.md";

interface Manifest {
  readonly contributes: {
    readonly commands: { readonly command: string; readonly category?: string }[];
  };
}

export const life: Tests = {
  async "every command of the manifest is there, in one category"() {
    const extension = vscode.extensions.getExtension("skillgauge.skillgauge");
    const { commands } = (extension?.packageJSON as Manifest).contributes;
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepStrictEqual(
      commands.filter(({ command, category }) => !known.has(command) || category !== "Skillgauge"),
      [],
    );
  },

  async "settings reach the server, and none that it does not know"() {
    const document = await show(HELPER);
    await wait("F048", () => ours(document.uri).find((item) => codeOf(item) === "F048"));
    const settings = vscode.workspace.getConfiguration("skillgauge");
    await settings.update("ignore", ["F048"], vscode.ConfigurationTarget.Workspace);
    await wait("F048 to go", () =>
      ours(document.uri).some((item) => codeOf(item) === "F048") ? undefined : true,
    );
    await settings.update("ignore", undefined, vscode.ConfigurationTarget.Workspace);
    await wait("F048 to come back", () =>
      ours(document.uri).find((item) => codeOf(item) === "F048"),
    );
  },

  async "a server that crashes comes back by itself"() {
    const document = await show(HELPER);
    await wait("findings", () => ours(document.uri)[0]);
    const [pid] = servers();
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    await wait("another server", () => servers().find((other) => other !== pid));
    await wait("findings again", () => ours(document.uri)[0]);
  },

  async "a restart leaves one server"() {
    await show(HELPER);
    const [before] = await wait("a server", () => (servers().length === 1 ? servers() : undefined));
    await Promise.all(
      [1, 2, 3].map(() => vscode.commands.executeCommand("skillgauge.restartServer")),
    );
    const after = await wait("one server", () => (servers().length === 1 ? servers() : undefined));
    assert.notStrictEqual(after[0], before);
  },

  async "what the model receives opens as a document"() {
    await show(HELPER);
    await wait("the server", () => (servers().length === 1 ? true : undefined));
    const text = await wait("the preview", async () => {
      await vscode.commands.executeCommand("skillgauge.previewModelInput");
      const editor = vscode.window.visibleTextEditors.find(
        (item) => item.document.uri.scheme === "skillgauge-preview",
      );
      return editor?.document.getText();
    });
    assert.match(text, /Claude_Reports/);
  },
};

/** The servers that this extension host has started. */
function servers(): number[] {
  const list = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return list
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter(
      (match) => Number(match[2]) === process.pid && /-m skillgauge server/.test(match[3] ?? ""),
    )
    .map((match) => Number(match[1]));
}
