// Asks a Python what it is and what it has, in one start of it.
import type { Host } from "./host";

export const OLDEST_PYTHON: readonly [number, number] = [3, 11];

/** What a server needs that the extension can't bring along, since it is compiled. */
export const COMPILED = ["yaml", "pydantic", "pyromark"] as const;

/** What is asked. It must run on any Python, so that one that is too old can say so. */
const QUESTION = `
import json, sys
found = {"version": list(sys.version_info[:3]), "executable": sys.executable, "has": [], "broken": {}}
if sys.version_info >= (3, 11):
    from importlib import import_module
    from importlib.util import find_spec
    for name in ("yaml", "pydantic", "pyromark", "skillgauge"):
        try:
            if find_spec(name) is None:
                continue
            module = import_module(name)
            found["has"].append(name)
            if name == "skillgauge":
                found["skillgauge"] = module.__version__
        except Exception as error:
            found["broken"][name] = "%s: %s" % (type(error).__name__, error)
    for name in ("pygls", "lsprotocol", "onnxruntime", "tokenizers", "numpy", "safetensors"):
        if find_spec(name) is not None:
            found["has"].append(name)
print(json.dumps(found))
`;

/** What a Python said of itself. */
export interface Python {
  /** The path to start it by. */
  readonly path: string;
  readonly version: string;
  /** The version of its own skillgauge, if it has one. */
  readonly skillgauge: string | undefined;
  readonly has: ReadonlySet<string>;
  /** What is there but can't be imported, and why. */
  readonly broken: Readonly<Record<string, string>>;
}

/** A Python that can't be used; `why` is a sentence without its full stop. */
export interface Unusable {
  readonly why: string;
}

interface Answer {
  version: [number, number, number];
  executable: string;
  has: string[];
  broken: Record<string, string>;
  skillgauge?: string;
}

/** Asks the Python at `path`, or of that name. */
export async function probe(
  host: Host,
  path: string,
  args: string[] = [],
): Promise<Python | Unusable> {
  const ran = await host.run(path, [...args, "-c", QUESTION]);
  if (ran.code === null) {
    return { why: `${path} can't be started (${firstLine(ran.stderr)})` };
  }
  const answer = ran.code === 0 ? parse(ran.stdout) : undefined;
  if (answer === undefined) {
    const said = lastLine(ran.stderr) || `it ended with status ${ran.code}`;
    return { why: `${path} is no Python that works (${said})` };
  }
  const [major, minor] = answer.version;
  const version = answer.version.join(".");
  if (major < OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor < OLDEST_PYTHON[1])) {
    return {
      why: `${path} is Python ${version}, and ${OLDEST_PYTHON.join(".")} or newer is needed`,
    };
  }
  return {
    path: args.length > 0 ? answer.executable : path,
    version,
    skillgauge: answer.skillgauge,
    has: new Set(answer.has),
    broken: answer.broken,
  };
}

export function isUsable(found: Python | Unusable): found is Python {
  return !("why" in found);
}

/** Says what a Python lacks to run a skillgauge of its own; empty where nothing is missing. */
export function missingForOwn(python: Python): string {
  const broken = Object.entries(python.broken).map(
    ([name, error]) => `${name} is broken: ${error}`,
  );
  if (broken.length > 0) {
    return broken.join("; ");
  }
  const wanted = [...COMPILED, "pygls", "lsprotocol"].filter((name) => !python.has.has(name));
  return wanted.length > 0 ? `${wanted.join(", ")} missing` : "";
}

/** Says what a Python lacks to run the server that comes with the extension. */
export function missingForBundled(python: Python): string {
  const wanted = COMPILED.filter((name) => !python.has.has(name));
  if (wanted.length === 0) {
    return "";
  }
  return `${wanted.map((name) => python.broken[name] ?? name).join(", ")} missing`;
}

/** Whether scores are possible, as far as packages go. */
export function canScore(python: Python): boolean {
  return ["onnxruntime", "tokenizers", "numpy", "safetensors"].every((name) =>
    python.has.has(name),
  );
}

function parse(text: string): Answer | undefined {
  try {
    // A site's own start-up code may have printed before.
    const value: unknown = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    const answer = value as Partial<Answer> | null;
    const whole = Array.isArray(answer?.version) && Array.isArray(answer.has);
    return whole ? (answer as Answer) : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
