// Finds the server: the setting, the selected Python, tools of uv and pipx, the PATH, our own folder.
import type { Host } from "./host";
import { isWithin, onPath, pathOf, pythonNames, pythonOf, toolPlaces } from "./places";
import { canScore, isUsable, missingForBundled, missingForOwn, probe, type Python } from "./probe";

/** How a server is started, and where it comes from. */
export interface Launch {
  readonly command: string;
  /** Arguments before those of the server. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly origin: Origin;
  /** A sentence for the log. */
  readonly because: string;
  /** Version of the server. */
  readonly version: string;
  /** Version of its Python, empty where the program hides it. */
  readonly python: string;
  /** Whether the packages for scores are there; unknown for a program. */
  readonly scorer: boolean | undefined;
}

export type Origin = "path" | "interpreter" | "environment" | "uv" | "pipx" | "PATH" | "own";

/** What is looked through. */
export interface Search {
  /** The setting `skillgauge.server.path`, empty for none. */
  readonly path: string;
  /** The setting `skillgauge.server.interpreter`, empty for none. */
  readonly interpreter: string;
  /** The Python that is selected in the Python extension. */
  readonly selected: string | undefined;
  /** Folders of a workspace that isn't trusted: nothing in them is started. */
  readonly untrusted: readonly string[];
  /** The folder with the server that comes with the extension; none while developing. */
  readonly bundled: string | undefined;
  readonly bundledVersion: string;
  /** The folder of the extension's own environment. */
  readonly own: string;
}

/** A setting that is wrong: said to the user, and nothing else is tried. */
export interface Wrong {
  readonly setting: string;
  readonly why: string;
}

export interface Found {
  readonly launch?: Launch;
  readonly wrong?: Wrong;
  /** What was looked at and why it won't do, in order. */
  readonly notes: readonly string[];
}

/** Looks through all places in order, up to the first server that can start. */
export async function findServer(host: Host, search: Search): Promise<Found> {
  const notes: string[] = [];
  if (search.path) {
    return { ...(await ofProgram(host, search.path)), notes };
  }
  if (search.interpreter) {
    const python = await probe(host, search.interpreter);
    const launch = isUsable(python) ? ofPython(python, "interpreter", search) : python.why;
    return typeof launch === "string"
      ? { wrong: { setting: "skillgauge.server.interpreter", why: launch }, notes }
      : { launch, notes };
  }
  const launch =
    (await ofSelected(host, search, notes)) ??
    (await ofTools(host, search, notes)) ??
    (await ofPathProgram(host, search, notes)) ??
    (await ofOwn(host, search, notes));
  return launch ? { launch, notes } : { notes };
}

/** Finds a Python that the extension's own environment can be made with. */
export async function findBase(
  host: Host,
  search: Pick<Search, "interpreter" | "selected" | "untrusted">,
): Promise<{ python?: Python; notes: string[] }> {
  const notes: string[] = [];
  const candidates: [string, string[]][] = [];
  if (search.interpreter) {
    candidates.push([search.interpreter, []]);
  }
  if (search.selected && !isWithin(host, search.selected, search.untrusted)) {
    candidates.push([search.selected, []]);
  }
  for (const [name, args] of pythonNames(host)) {
    const program = onPath(host, name, search.untrusted);
    if (program) {
      candidates.push([program, args]);
    }
  }
  for (const [program, args] of candidates) {
    const python = await probe(host, program, args);
    if (isUsable(python)) {
      return { python, notes };
    }
    notes.push(python.why);
  }
  return { notes };
}

async function ofProgram(host: Host, path: string): Promise<{ launch: Launch } | { wrong: Wrong }> {
  const setting = "skillgauge.server.path";
  const rules = pathOf(host);
  if (!rules.isAbsolute(path)) {
    return { wrong: { setting, why: `${path} is no absolute path` } };
  }
  if (!host.isFile(path)) {
    return { wrong: { setting, why: `${path} is not there, or no file` } };
  }
  const version = await versionOf(host, path);
  if (version === undefined) {
    return { wrong: { setting, why: `${path} is no skillgauge (“${path} --version” fails)` } };
  }
  const because = `the setting ${setting} names it`;
  return { launch: launchProgram(path, version, "path", because) };
}

async function ofSelected(
  host: Host,
  search: Search,
  notes: string[],
): Promise<Launch | undefined> {
  if (!search.selected) {
    notes.push("No Python environment is selected");
    return undefined;
  }
  if (isWithin(host, search.selected, search.untrusted)) {
    notes.push(`${search.selected} belongs to a workspace that isn't trusted`);
    return undefined;
  }
  const python = await probe(host, search.selected);
  const launch = isUsable(python) ? ofPython(python, "environment", search) : python.why;
  return noted(launch, notes);
}

async function ofTools(host: Host, search: Search, notes: string[]): Promise<Launch | undefined> {
  const places = toolPlaces(host);
  if (places.length === 0) {
    notes.push("Neither uv nor pipx has a tool skillgauge");
  }
  for (const place of places) {
    const python = await probe(host, place.python);
    const launch = isUsable(python) ? ofPython(python, place.owner, search) : python.why;
    const found = noted(launch, notes);
    if (found) {
      return found;
    }
  }
  return undefined;
}

async function ofPathProgram(
  host: Host,
  search: Search,
  notes: string[],
): Promise<Launch | undefined> {
  const program = onPath(host, "skillgauge", search.untrusted);
  if (!program) {
    notes.push("There is no skillgauge on the PATH");
    return undefined;
  }
  const version = await versionOf(host, program);
  if (version === undefined) {
    notes.push(`${program} on the PATH does not start`);
    return undefined;
  }
  return launchProgram(program, version, "PATH", "it is on the PATH");
}

async function ofOwn(host: Host, search: Search, notes: string[]): Promise<Launch | undefined> {
  const path = pythonOf(host, search.own);
  if (!host.isFile(path)) {
    notes.push("The extension has no environment of its own yet");
    return undefined;
  }
  const python = await probe(host, path);
  return noted(isUsable(python) ? ofPython(python, "own", search) : python.why, notes);
}

const BECAUSE: Readonly<Record<Origin, string>> = {
  path: "the setting skillgauge.server.path names it",
  interpreter: "the setting skillgauge.server.interpreter names it",
  environment: "it is the selected Python environment",
  uv: "uv has a tool skillgauge",
  pipx: "pipx has skillgauge",
  PATH: "it is on the PATH",
  own: "it is the extension's own environment",
};

/** How a Python starts the server: its own, or the one that comes with the extension. */
function ofPython(python: Python, origin: Origin, search: Search): Launch | string {
  const both = { command: python.path, origin, python: python.version, scorer: canScore(python) };
  const safe = { PYTHONSAFEPATH: "1" };
  const lacks = missingForOwn(python);
  // Our own environment holds what is compiled, and the server comes with the extension.
  if (python.skillgauge !== undefined && lacks === "" && origin !== "own") {
    const because = BECAUSE[origin];
    const args = ["-P", "-m", "skillgauge"];
    return { ...both, args, env: safe, because, version: python.skillgauge };
  }
  const missing = missingForBundled(python);
  if (search.bundled !== undefined && missing === "") {
    const env = { ...safe, PYTHONPATH: search.bundled };
    const because = `${BECAUSE[origin]}; the server is the one that comes with the extension`;
    const args = ["-P", "-m", "skillgauge"];
    return { ...both, args, env, because, version: search.bundledVersion };
  }
  if (python.skillgauge !== undefined) {
    return `${python.path} has skillgauge ${python.skillgauge}, but ${lacks || missing}`;
  }
  return `${python.path} (Python ${python.version}) has no skillgauge`;
}

function launchProgram(path: string, version: string, origin: Origin, because: string): Launch {
  const env = { PYTHONSAFEPATH: "1" };
  return { command: path, args: [], env, origin, because, version, python: "", scorer: undefined };
}

async function versionOf(host: Host, program: string): Promise<string | undefined> {
  const ran = await host.run(program, ["--version"]);
  const match = /^skillgauge (\d\S*)/m.exec(ran.stdout);
  return ran.code === 0 ? match?.[1] : undefined;
}

function noted(launch: Launch | string, notes: string[]): Launch | undefined {
  if (typeof launch !== "string") {
    return launch;
  }
  notes.push(launch);
  return undefined;
}
