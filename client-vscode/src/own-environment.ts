// Makes the extension's own environment, in a folder beside until all is well.
import { spawn } from "node:child_process";
import * as crypto from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Host } from "./find/host";
import { pythonOf } from "./find/places";
import { isUsable, missingForBundled, probe } from "./find/probe";
import { explainFailure, installSteps, type Asked, type Step } from "./install-plan";

/** An installation that failed, in words for the user. */
export class InstallError extends Error {}

/** The user ended it. */
export class Cancelled extends Error {}

const STAMP = "skillgauge.json";
const KEPT_LINES = 200;

export interface Stamp {
  /** A hash of the lists of packages that it was made from. */
  readonly packages: string;
  readonly device: string;
}

export class OwnEnvironment {
  constructor(
    private readonly host: Host,
    /** Where it is once it is whole. */
    readonly folder: string,
    /** Where the lists of packages lie. */
    private readonly requirements: string,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** What it was made from; undefined where it isn't there. */
  async stamp(): Promise<Stamp | undefined> {
    try {
      return JSON.parse(await fs.readFile(path.join(this.folder, STAMP), "utf8")) as Stamp;
    } catch {
      return undefined;
    }
  }

  /** Whether it is there but was made for another version of the extension. */
  async isOutOfDate(): Promise<boolean> {
    const stamp = await this.stamp();
    return stamp !== undefined && stamp.packages !== (await this.#digest());
  }

  /**
   * Makes it, and puts it in the place of the one before. Returns what went wrong in the steps that
   * it can do without.
   */
  async install(
    asked: Pick<Asked, "base" | "device">,
    tell: (title: string) => void,
    stop: vscode.CancellationToken,
    beforeSwap: () => Promise<void>,
  ): Promise<string[]> {
    const folder = `${this.folder}-new`;
    const troubles: string[] = [];
    await fs.rm(folder, { recursive: true, force: true });
    await fs.mkdir(path.dirname(folder), { recursive: true });
    try {
      const steps = installSteps(this.host, { ...asked, folder, requirements: this.requirements });
      for (const step of steps) {
        tell(step.title);
        const trouble = await this.#do(step, stop);
        if (trouble && !step.optional) {
          throw new InstallError(trouble);
        } else if (trouble) {
          troubles.push(trouble);
        }
      }
      await this.#check(folder);
      const stamp: Stamp = { packages: await this.#digest(), device: asked.device };
      await fs.writeFile(path.join(folder, STAMP), JSON.stringify(stamp));
      await beforeSwap();
      await fs.rm(this.folder, { recursive: true, force: true });
      await fs.rename(folder, this.folder);
      return troubles;
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  async remove(): Promise<void> {
    await fs.rm(this.folder, { recursive: true, force: true });
  }

  /** Does a step; returns what went wrong, empty when all is well. */
  async #do(step: Step, stop: vscode.CancellationToken): Promise<string> {
    this.log.info(`$ ${[step.command, ...step.args].join(" ")}`);
    const { code, output } = await this.#stream(step, stop);
    if (stop.isCancellationRequested) {
      throw new Cancelled();
    }
    if (code === 0) {
      return "";
    }
    const last = output.at(-1) ?? `It ended with status ${code ?? "unknown"}.`;
    return `${step.title} failed. ${explainFailure(output.join("\n")) || last}`;
  }

  #stream(
    step: Step,
    stop: vscode.CancellationToken,
  ): Promise<{ code: number | null; output: string[] }> {
    return new Promise((resolve) => {
      const output: string[] = [];
      const env = { ...process.env, PYTHONSAFEPATH: "1", PYTHONUNBUFFERED: "1" };
      const child = spawn(step.command, step.args, {
        cwd: path.dirname(this.folder),
        env,
        windowsHide: true,
      });
      const ended = stop.onCancellationRequested(() => child.kill());
      const hear = (data: Buffer): void => {
        for (const line of data.toString().split(/\r?\n/).filter(Boolean)) {
          this.log.info(line);
          output.push(line);
          output.splice(0, output.length - KEPT_LINES);
        }
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("error", (error) => {
        output.push(error.message);
      });
      child.on("close", (code) => {
        ended.dispose();
        resolve({ code, output });
      });
    });
  }

  async #check(folder: string): Promise<void> {
    const python = await probe(this.host, pythonOf(this.host, folder));
    const why = isUsable(python) ? missingForBundled(python) : python.why;
    if (why) {
      throw new InstallError(`The new environment does not work: ${why}.`);
    }
  }

  async #digest(): Promise<string> {
    const hash = crypto.createHash("sha256");
    for (const name of ["core", "scores", "cpu", "gpu"]) {
      hash.update(await fs.readFile(path.join(this.requirements, `${name}.txt`), "utf8"));
    }
    return hash.digest("hex");
  }
}
