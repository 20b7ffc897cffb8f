// A machine that isn't there: files by path, and Pythons and programs that answer as told.
import type { Host, Ran } from "../src/find/host";

export interface FakePython {
  readonly version?: [number, number, number];
  readonly has?: readonly string[];
  readonly broken?: Readonly<Record<string, string>>;
  readonly skillgauge?: string;
  /** What it says on standard error before it ends with status 1; it answers nothing then. */
  readonly fails?: string;
  /** The path it gives for itself. */
  readonly executable?: string;
}

export const COMPLETE = ["yaml", "pydantic", "pyromark"];
export const INSTALLED: FakePython = {
  has: [...COMPLETE, "skillgauge", "pygls", "lsprotocol"],
  skillgauge: "0.1.0",
};

export class Machine implements Host {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Record<string, string | undefined>;
  readonly ran: string[][] = [];
  readonly #pythons: Record<string, FakePython> = {};
  readonly #programs: Record<string, Ran> = {};

  constructor(platform: NodeJS.Platform = "linux", env: Record<string, string> = {}) {
    this.platform = platform;
    this.home = platform === "win32" ? "C:\\Users\\me" : "/home/me";
    this.env = env;
  }

  python(path: string, python: FakePython): this {
    this.#pythons[path] = python;
    return this;
  }

  program(path: string, ran: Partial<Ran>): this {
    this.#programs[path] = { code: 0, stdout: "", stderr: "", ...ran };
    return this;
  }

  isFile(path: string): boolean {
    return path in this.#pythons || path in this.#programs;
  }

  run(command: string, args: readonly string[]): Promise<Ran> {
    this.ran.push([command, ...args]);
    const python = this.#pythons[command];
    if (python?.fails !== undefined) {
      return Promise.resolve({ code: 1, stdout: "", stderr: python.fails });
    }
    if (python) {
      const {
        version = [3, 12, 1],
        has = [],
        broken = {},
        skillgauge,
        executable = command,
      } = python;
      const answer = { version, executable, has, broken, skillgauge };
      return Promise.resolve({ code: 0, stdout: `hello\n${JSON.stringify(answer)}\n`, stderr: "" });
    }
    const missing = { code: null, stdout: "", stderr: `spawn ${command} ENOENT` };
    return Promise.resolve(this.#programs[command] ?? missing);
  }
}
