// What discovery asks of the machine, as an interface, so that tests can stand in for a machine.
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";

/** What a program said and how it ended; `code` is null for one that couldn't be started. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with its files and programs. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  isFile(path: string): boolean;
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Ran>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

const PATIENCE = 20_000;

/**
 * The machine that the extension runs on. Programs start in `folder`, never in a workspace: Python
 * imports what lies in the current folder first.
 */
export function thisMachine(folder: string): Host {
  return {
    platform: process.platform,
    home: os.homedir(),
    env: process.env,
    isFile(path) {
      try {
        return fs.statSync(path).isFile();
      } catch {
        return false;
      }
    },
    run(command, args, options = {}) {
      return new Promise((resolve) => {
        const env = { ...process.env, PYTHONSAFEPATH: "1", ...options.env };
        const settings = {
          cwd: options.cwd ?? folder,
          env,
          timeout: options.timeout ?? PATIENCE,
          windowsHide: true,
          maxBuffer: 1 << 26,
        };
        execFile(command, args, settings, (error, stdout, stderr) => {
          if (error === null) {
            resolve({ code: 0, stdout, stderr });
          } else if (typeof error.code === "number") {
            resolve({ code: error.code, stdout, stderr });
          } else {
            resolve({ code: null, stdout, stderr: stderr || error.message });
          }
        });
      });
    },
  };
}
