// The parts of the extension, put together.
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { SKILL_GLOB } from "./documents";
import { readDoctor } from "./doctor";
import { findServer, type Found, type Launch, type Search } from "./find/find";
import { thisMachine, type Host, type Ran } from "./find/host";
import { addPreview, FixPreview } from "./fix-preview";
import { HeatMap } from "./heatmap";
import { Logs } from "./log";
import { OwnEnvironment } from "./own-environment";
import { selectedPython } from "./python";
import { ScoreStore } from "./scores";
import { Supervisor } from "./server";
import { readSettings, serverOptions, type Settings } from "./settings";
import { checkArguments, readReport, type Skill } from "./skills";
import { SkillsView } from "./skills-view";
import { Status } from "./status";

/** A check of a whole workspace may take its time. */
const CHECK_PATIENCE = 120_000;

export class App implements vscode.Disposable {
  readonly logs = new Logs();
  readonly status = new Status();
  readonly scores = new ScoreStore();
  readonly host: Host;
  readonly environment: OwnEnvironment;
  readonly server: Supervisor;
  readonly fixes: FixPreview;
  readonly heatMap: HeatMap;
  readonly skills: SkillsView;
  readonly version: string;
  /** Where programs are started: a folder of ours, never a workspace. */
  readonly folder: string;
  readonly #dist: string;

  constructor(context: vscode.ExtensionContext) {
    this.folder = context.globalStorageUri.fsPath;
    this.#dist = path.dirname(context.asAbsolutePath("client-vscode/dist/extension.js"));
    this.version = (context.extension.packageJSON as { version: string }).version;
    fs.mkdirSync(this.folder, { recursive: true });
    this.host = thisMachine(this.folder);
    const own = path.join(this.folder, "environment");
    const lists = path.join(this.#dist, "requirements");
    this.environment = new OwnEnvironment(this.host, own, lists, this.logs.client);
    this.server = new Supervisor({
      logs: this.logs,
      find: () => this.find(),
      makeClient: async (launch, hooks) => {
        const { makeClient } = await import("./client");
        return makeClient(launch, this.folder, this.logs, hooks);
      },
      hooks: {
        scores: (params) => {
          this.scores.take(params);
        },
        fixes: addPreview,
      },
    });
    this.fixes = new FixPreview(() => this.server.client);
    this.heatMap = new HeatMap(this.scores, () => {
      const { heatMap, metric } = this.settings;
      return { on: heatMap, metric };
    });
    const source = { list: () => this.list(), score: this.score.bind(this) };
    this.skills = new SkillsView(source, this.scores, this.logs.client);
  }

  get settings(): Settings {
    return this.readSettings().settings;
  }

  readSettings(): ReturnType<typeof readSettings> {
    const configuration = vscode.workspace.getConfiguration("skillgauge");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    return readSettings((key) => configuration.get(key), {
      home: this.host.home,
      workspace: vscode.workspace.isTrusted ? folder : undefined,
    });
  }

  async search(): Promise<Search> {
    const { path: program, interpreter } = this.settings;
    const bundled = path.join(this.#dist, "libs");
    const named = program || interpreter;
    return {
      path: program,
      interpreter,
      selected: named ? undefined : await selectedPython(this.logs.client),
      untrusted: vscode.workspace.isTrusted ? [] : folders(),
      bundled: fs.existsSync(bundled) ? bundled : undefined,
      bundledVersion: this.version,
      own: this.environment.folder,
    };
  }

  async find(): Promise<Found> {
    return findServer(this.host, await this.search());
  }

  /** Runs a command of the server's program. */
  run(launch: Launch, words: readonly string[], timeout = CHECK_PATIENCE): Promise<Ran> {
    const options = { env: launch.env, timeout, cwd: this.folder };
    return this.host.run(launch.command, [...launch.args, ...words], options);
  }

  /** Lists the skills of the workspace, as they are on the disk. */
  async list(): Promise<readonly Skill[]> {
    const { launch } = this.server;
    if (!launch || folders().length === 0) {
      return [];
    }
    const given = serverOptions(vscode.workspace.getConfiguration("skillgauge"));
    const ran = await this.run(launch, checkArguments(given, folders()));
    if (ran.code !== 0 && ran.code !== 1) {
      throw new Error(
        ran.stderr.trim() || `skillgauge check ended with status ${ran.code ?? "unknown"}`,
      );
    }
    return readReport(ran.stdout, (name) => path.resolve(this.folder, name));
  }

  /** Asks for the scores of a file; the server scores what is open, so it is opened unseen. */
  async score(uri: vscode.Uri, stop: vscode.CancellationToken): Promise<void> {
    const { client } = this.server;
    if (!client) {
      return;
    }
    await vscode.workspace.openTextDocument(uri);
    const asked = { uri: client.code2ProtocolConverter.asUri(uri) };
    this.scores.take(await client.sendRequest("skillgauge/scores", asked, stop));
  }

  /** Asks which model scores, and on what. */
  async askDoctor(): Promise<void> {
    const { launch } = this.server;
    if (launch) {
      const ran = await this.run(launch, ["doctor", "--", this.folder]);
      this.status.scorer = readDoctor(ran.stdout);
    }
  }

  /** Whether there is anything in this window that the server is for. */
  async isNeeded(): Promise<boolean> {
    const left = "**/{node_modules,.git,.venv}/**";
    return (await vscode.workspace.findFiles(SKILL_GLOB, left, 1)).length > 0;
  }

  async dispose(): Promise<void> {
    this.server.dispose();
    for (const part of [this.skills, this.heatMap, this.fixes, this.scores, this.status]) {
      part.dispose();
    }
    await this.server.stop();
    this.logs.dispose();
  }
}

export function folders(): string[] {
  const found = vscode.workspace.workspaceFolders ?? [];
  return found.filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath);
}
