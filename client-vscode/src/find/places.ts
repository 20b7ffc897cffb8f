// Where uv, pipx, the PATH and the extension itself keep Pythons and programs.
import * as nodePath from "node:path";
import type { Host } from "./host";

/** The path rules of a machine, which in tests is another one than this. */
export function pathOf(host: Host): nodePath.PlatformPath {
  return host.platform === "win32" ? nodePath.win32 : nodePath.posix;
}

/** The Python of an environment. */
export function pythonOf(host: Host, environment: string): string {
  const path = pathOf(host);
  return host.platform === "win32"
    ? path.join(environment, "Scripts", "python.exe")
    : path.join(environment, "bin", "python");
}

/** A Python that may have a skillgauge, and who put it there. */
export interface Place {
  readonly owner: "uv" | "pipx";
  readonly python: string;
}

/** The environments that `uv tool install skillgauge` and `pipx install skillgauge` make. */
export function toolPlaces(host: Host): Place[] {
  const path = pathOf(host);
  const { env, home } = host;
  const local = env["LOCALAPPDATA"] ?? path.join(home, "AppData", "Local");
  const roaming = env["APPDATA"] ?? path.join(home, "AppData", "Roaming");
  const share = env["XDG_DATA_HOME"] ?? path.join(home, ".local", "share");
  const uv = env["UV_TOOL_DIR"]
    ? [env["UV_TOOL_DIR"]]
    : host.platform === "win32"
      ? [path.join(roaming, "uv", "tools"), path.join(roaming, "uv", "data", "tools")]
      : [path.join(share, "uv", "tools")];
  const pipx = env["PIPX_HOME"]
    ? [env["PIPX_HOME"]]
    : host.platform === "win32"
      ? [path.join(home, "pipx"), path.join(local, "pipx", "pipx"), path.join(local, "pipx")]
      : host.platform === "darwin"
        ? [
            path.join(home, ".local", "pipx"),
            path.join(home, "Library", "Application Support", "pipx"),
          ]
        : [path.join(share, "pipx"), path.join(home, ".local", "pipx")];
  const places: Place[] = [
    ...uv.map((folder) => ({ owner: "uv" as const, folder: path.join(folder, "skillgauge") })),
    ...pipx.map((folder) => ({
      owner: "pipx" as const,
      folder: path.join(folder, "venvs", "skillgauge"),
    })),
  ].map(({ owner, folder }) => ({ owner, python: pythonOf(host, folder) }));
  return places.filter((place) => host.isFile(place.python));
}

/** The first program of a name on the PATH, leaving out what lies in one of the folders. */
export function onPath(
  host: Host,
  name: string,
  leftOut: readonly string[] = [],
): string | undefined {
  const path = pathOf(host);
  const list = host.env["PATH"] ?? host.env["Path"] ?? "";
  const ends = host.platform === "win32" ? [".exe"] : [""];
  for (const folder of list.split(path.delimiter)) {
    // An entry that isn't absolute means the current folder, which may be a workspace.
    if (!path.isAbsolute(folder) || isWithin(host, folder, leftOut)) {
      continue;
    }
    for (const end of ends) {
      const program = path.join(folder, name + end);
      if (host.isFile(program)) {
        return program;
      }
    }
  }
  return undefined;
}

/** Whether a path lies in one of the folders, or is one. */
export function isWithin(host: Host, path: string, folders: readonly string[]): boolean {
  const rules = pathOf(host);
  return folders.some((folder) => {
    const way = rules.relative(folder, path);
    return way === "" || (!way.startsWith("..") && !rules.isAbsolute(way));
  });
}

/** Names of Pythons to try on the PATH, the newest first, each with its arguments. */
export function pythonNames(host: Host): [string, string[]][] {
  const named = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
  const plain = named.map((name): [string, string[]] => [name, []]);
  return host.platform === "win32" ? [["py", ["-3"]], ...plain.slice(-2)] : plain;
}
