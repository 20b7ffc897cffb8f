// What is done to make the extension's own environment, step by step; knows nothing of the editor.
import type { Host } from "./find/host";
import { pythonOf } from "./find/places";
import type { Device } from "./settings";

export interface Step {
  /** What the user reads meanwhile. */
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the environment is of use even if this step fails. */
  readonly optional: boolean;
}

export interface Asked {
  /** How the environment is made: with a Python, or by uv, which fetches one. */
  readonly base:
    { readonly python: string; readonly args?: readonly string[] } | { readonly uv: string };
  /** Where it is made. */
  readonly folder: string;
  /** Where the lists of packages lie that come with the extension. */
  readonly requirements: string;
  readonly device: Exclude<Device, "auto">;
}

/** The Python that uv fetches where there is none. */
const FETCHED = "3.12";

const PIP = [
  "-m",
  "pip",
  "install",
  "--disable-pip-version-check",
  "--no-input",
  "--progress-bar=off",
  "--no-deps",
  "--only-binary=:all:",
];

export function installSteps(host: Host, asked: Asked): Step[] {
  const python = pythonOf(host, asked.folder);
  const list = (name: string): string => `${asked.requirements}/${name}.txt`;
  const pip = (title: string, optional: boolean, ...args: string[]): Step => {
    return { title, command: python, args: [...PIP, ...args], optional };
  };
  const steps = [
    makeEnvironment(asked),
    pip("Fetching what the server needs", false, "-r", list("core")),
  ];
  if (asked.device !== "none") {
    steps.push(pip("Fetching what scores need", true, "-r", list("scores")));
    // The two hold the same module, so it is one or the other.
    steps.push(pip("Fetching the runtime of the scores", true, "-r", list(asked.device)));
  }
  return steps;
}

function makeEnvironment(asked: Asked): Step {
  const title = "Making an environment";
  if ("uv" in asked.base) {
    const args = ["venv", "--no-project", "--seed", "--python", FETCHED, asked.folder];
    return {
      title: `${title} with a Python that uv fetches`,
      command: asked.base.uv,
      args,
      optional: false,
    };
  }
  const { python, args = [] } = asked.base;
  return { title, command: python, args: [...args, "-m", "venv", asked.folder], optional: false };
}

/** The device that `auto` means on a machine. */
export async function chooseDevice(host: Host, device: Device): Promise<Exclude<Device, "auto">> {
  if (device !== "auto") {
    return device;
  }
  if (host.platform === "darwin") {
    return "cpu";
  }
  const ran = await host.run("nvidia-smi", ["-L"]);
  return ran.code === 0 && /^GPU \d/m.test(ran.stdout) ? "gpu" : "cpu";
}

/** What a failure means, and what mends it, in the order in which they are looked for. */
const EXPLANATIONS: readonly [RegExp, string][] = [
  [
    /ensurepip is not available|No module named '?(venv|ensurepip)/i,
    "This Python can't make environments. On Debian and Ubuntu, “sudo apt install python3-venv” mends it.",
  ],
  [/No space left on device|ENOSPC/i, "The disk is full."],
  [
    /Temporary failure in name resolution|getaddrinfo failed|NewConnectionError|ConnectTimeoutError|Network is unreachable|ProxyError|Could not resolve host|Connection refused/i,
    "The package index can't be reached. Check the network; a proxy or a mirror is set with “pip config”.",
  ],
  [
    /CERTIFICATE_VERIFY_FAILED|SSLError/i,
    "The package index's certificate is not trusted. “pip config set global.cert FILE” names the one to trust.",
  ],
  [
    /THESE PACKAGES DO NOT MATCH THE HASHES/i,
    "A package is not the one that was expected, and was refused. A mirror may have another one.",
  ],
  [
    /No matching distribution found|Could not find a version/i,
    "The package index has no build for this Python and system. Set another one as “skillgauge.server.interpreter”.",
  ],
  [/Permission denied|EACCES|Access is denied/i, "A file or folder may not be written."],
];

/** Says what a failed step's output means; empty for what isn't known. */
export function explainFailure(output: string): string {
  return EXPLANATIONS.find(([pattern]) => pattern.test(output))?.[1] ?? "";
}
