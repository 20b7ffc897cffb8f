// Keeps a server running: finds it, starts it, starts it again when it ends by itself.
import * as vscode from "vscode";
import type { Client, Hooks } from "./client";
import { Crashes } from "./crashes";
import type { Found, Launch } from "./find/find";
import type { Logs } from "./log";
import { RestartQueue } from "./restart-queue";

export type State =
  | { readonly kind: "stopped" }
  | { readonly kind: "looking" }
  | { readonly kind: "starting"; readonly launch: Launch }
  | { readonly kind: "running"; readonly launch: Launch; readonly version: string }
  | { readonly kind: "waiting"; readonly seconds: number }
  | { readonly kind: "missing"; readonly notes: readonly string[] }
  | { readonly kind: "wrong"; readonly setting: string; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** How servers are found, made and talked about; tests bring their own. */
export interface Surroundings {
  find(): Promise<Found>;
  makeClient(launch: Launch, hooks: Hooks): Promise<Client>;
  readonly logs: Logs;
  readonly hooks: Omit<Hooks, "closed">;
}

export class Supervisor implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<State>();
  readonly onDidChange = this.#changed.event;
  readonly #crashes = new Crashes();
  readonly #queue = new RestartQueue(() => this.#start());
  #state: State = { kind: "stopped" };
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(private readonly around: Surroundings) {}

  get state(): State {
    return this.#state;
  }

  /** The client while a server runs. */
  get client(): Client | undefined {
    return this.#state.kind === "running" ? this.#client : undefined;
  }

  /** How the running server was started. */
  get launch(): Launch | undefined {
    return this.#state.kind === "running" ? this.#state.launch : undefined;
  }

  /** Looks for a server anew and starts it; several calls in a row become one start. */
  async restart(because: string): Promise<void> {
    this.around.logs.client.info(`Start: ${because}`);
    this.#crashes.forget();
    await this.#queue.request();
  }

  /** Starts anew only if another server would be found: the selected Python has changed, say. */
  async restartIfOther(because: string): Promise<void> {
    const before = this.launch;
    const { launch } = before ? await this.around.find() : {};
    const same = launch?.command === before?.command && launch?.origin === before?.origin;
    if (!before || !same) {
      await this.restart(because);
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (client) {
      this.#set({ kind: "stopped" });
      try {
        await client.dispose(2000);
      } catch (error) {
        this.around.logs.client.info(`The server did not end in order: ${String(error)}`);
      }
    }
  }

  dispose(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  async #start(): Promise<void> {
    await this.stop();
    const { client: log } = this.around.logs;
    this.#set({ kind: "looking" });
    const found = await this.around.find();
    for (const note of found.notes) {
      log.info(`${note}.`);
    }
    if (found.wrong) {
      const { setting, why } = found.wrong;
      log.error(`${setting}: ${why}.`);
      this.#set({ kind: "wrong", setting, why });
    } else if (found.launch) {
      await this.#launch(found.launch);
    } else {
      log.warn(
        "No server was found. “Skillgauge: Install or Update the Server…” makes an environment.",
      );
      this.#set({ kind: "missing", notes: found.notes });
    }
  }

  async #launch(launch: Launch): Promise<void> {
    const { client: log } = this.around.logs;
    const python = launch.python ? `, Python ${launch.python}` : "";
    log.info(
      `Taken: ${launch.command} (skillgauge ${launch.version}${python}), since ${launch.because}.`,
    );
    this.#set({ kind: "starting", launch });
    const client = await this.around.makeClient(launch, {
      ...this.around.hooks,
      closed: () => {
        if (this.#client === client) {
          this.#crashed();
        }
      },
    });
    this.#client = client;
    try {
      await client.start();
    } catch (error) {
      log.error(`The server does not start: ${String(error)}`);
      if (this.#client === client) {
        this.#crashed();
      }
      return;
    }
    const version = client.initializeResult?.serverInfo?.version ?? launch.version;
    log.info(`The server runs, version ${version}.`);
    this.#set({ kind: "running", launch, version });
  }

  #crashed(): void {
    this.#client = undefined;
    if (this.#ended) {
      return;
    }
    const { client: log } = this.around.logs;
    const pause = this.#crashes.count();
    if (pause === undefined) {
      log.error("The server keeps on ending, and is not started again.");
      this.#set({ kind: "failed", why: "The server ended five times within three minutes" });
      return;
    }
    log.warn(`The server ended by itself; it is started again in ${pause / 1000} s.`);
    this.#set({ kind: "waiting", seconds: pause / 1000 });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#queue.request().catch((error: unknown) => {
        log.error(String(error));
      });
    }, pause);
  }

  #set(state: State): void {
    this.#state = state;
    if (!this.#ended) {
      this.#changed.fire(state);
    }
  }
}
