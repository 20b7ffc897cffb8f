// Starts the editor's server with the extension in it, and a browser that shows it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";

export const ROOT = path.resolve(__dirname, "../../..");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const SETTINGS: Record<string, unknown> = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "git.enabled": false,
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
};

export interface Wishes {
  /** The folder that install.sh prints. */
  readonly editor: string;
  /** A scratch folder; emptied. */
  readonly folder: string;
  readonly settings?: Record<string, unknown>;
  /** What the extension's process gets beside or in place of this process's environment. */
  readonly env?: Record<string, string>;
  readonly vsix?: string;
  readonly trust?: boolean;
  /** Lets the test fill the workspace before the editor starts. */
  readonly fill: (workspace: string) => void;
}

/** A running editor; `stop` ends it with all that it started. */
export interface Editor {
  readonly workspace: string;
  readonly data: string;
  readonly port: number;
  readonly url: (payload?: readonly [string, string][]) => string;
  readonly remote: (file: string) => string;
  readonly stop: () => void;
}

export async function startEditor(wishes: Wishes): Promise<Editor> {
  const { folder } = wishes;
  fs.rmSync(folder, { recursive: true, force: true });
  const workspace = path.join(folder, "workspace");
  const data = path.join(folder, "data");
  const extensions = path.join(folder, "extensions");
  const home = path.join(folder, "home");
  for (const made of [
    workspace,
    path.join(data, "Machine"),
    path.join(data, "User"),
    extensions,
    home,
  ]) {
    fs.mkdirSync(made, { recursive: true });
  }
  const settings = JSON.stringify({ ...SETTINGS, ...wishes.settings });
  fs.writeFileSync(path.join(data, "Machine", "settings.json"), settings);
  wishes.fill(workspace);

  const node = path.join(wishes.editor, "node-bin");
  const main = path.join(wishes.editor, "vscode", "out", "server-main.js");
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: folder, ...wishes.env };
  const dirs = ["--server-data-dir", data, "--user-data-dir", data, "--extensions-dir", extensions];
  const common = [...dirs, "--accept-server-license-terms", "--telemetry-level", "off"];
  if (wishes.vsix !== undefined) {
    const words = [main, ...common, "--install-extension", wishes.vsix];
    const done = spawnSync(node, words, { env, encoding: "utf8" });
    if (done.status !== 0) {
      throw new Error(`The extension can't be installed:\n${done.stdout}${done.stderr}`);
    }
  }
  const log = path.join(folder, "editor.log");
  const file = fs.openSync(log, "w");
  const words = [
    ...common,
    ...["--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
    ...[
      "--enable-smoke-test-driver",
      "--disable-getting-started-override",
      "--disable-experiments",
    ],
    ...(wishes.trust === false ? [] : ["--disable-workspace-trust"]),
  ];
  const server = spawn(node, [main, ...words], {
    env,
    stdio: ["ignore", file, file],
    detached: true,
  });
  const stop = (): void => {
    endGroup(server);
  };
  process.once("exit", stop);
  const port = await portOf(server, log);
  const remote = (name: string): string => `vscode-remote://127.0.0.1:${port}${name}`;
  const url = (payload: readonly [string, string][] = []): string => {
    const query =
      payload.length > 0 ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : "";
    return `http://127.0.0.1:${port}/?folder=${workspace}${query}`;
  };
  return { workspace, data, port, url, remote, stop };
}

export async function openBrowser(folder: string): Promise<{ browser: Browser; page: Page }> {
  const home = path.join(folder, "browser-home");
  fs.mkdirSync(home, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    env: { ...process.env, HOME: home },
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60_000);
  return { browser, page };
}

async function portOf(server: ChildProcess, log: string): Promise<number> {
  const until = Date.now() + 60_000;
  for (;;) {
    const text = fs.readFileSync(log, "utf8");
    const match = /Web UI available at https?:\/\/[^:]+:(\d+)/.exec(text);
    if (match?.[1] !== undefined) {
      return Number(match[1]);
    }
    if (server.exitCode !== null || Date.now() > until) {
      throw new Error(`The editor did not start:\n${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function endGroup(server: ChildProcess): void {
  if (server.pid === undefined) {
    return;
  }
  try {
    process.kill(-server.pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}
