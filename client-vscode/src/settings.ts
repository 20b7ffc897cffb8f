// Reads the settings and says what is wrong with them; knows nothing of the editor.

export const DEVICES = ["auto", "cpu", "gpu", "none"] as const;
export type Device = (typeof DEVICES)[number];

/** The settings that the server reads; it complains about any other key. */
export const SERVER_KEYS = [
  "profile",
  "clients",
  "select",
  "extendSelect",
  "ignore",
  "scores",
  "model",
] as const;

export interface Settings {
  readonly path: string;
  readonly interpreter: string;
  readonly device: Device;
  readonly heatMap: boolean;
  /** The metric that the heat map shows, empty for all. */
  readonly metric: string;
}

export interface Fault {
  readonly setting: string;
  readonly why: string;
}

/** What places in settings may be written with. */
export interface Surroundings {
  readonly home: string;
  /** The first folder of the workspace; none in one that isn't trusted. */
  readonly workspace: string | undefined;
}

/** Reads the settings; a wrong value counts as the default, and is told. */
export function readSettings(
  get: (key: string) => unknown,
  around: Surroundings,
): { settings: Settings; faults: Fault[] } {
  const faults: Fault[] = [];
  const read = <T>(
    key: string,
    fallback: T,
    take: (value: unknown) => T | undefined,
    wanted: string,
  ): T => {
    const value = get(key) ?? fallback;
    const taken = take(value);
    if (taken === undefined) {
      faults.push({
        setting: `skillgauge.${key}`,
        why: `${JSON.stringify(value)} is not ${wanted}`,
      });
    }
    return taken ?? fallback;
  };
  const place = (key: string): string =>
    read(
      key,
      "",
      (value) => (typeof value === "string" ? expand(value.trim(), around) : undefined),
      "a path",
    );
  const settings: Settings = {
    path: place("server.path"),
    interpreter: place("server.interpreter"),
    device: read("server.device", "auto", oneOf(DEVICES), `one of ${DEVICES.join(", ")}`),
    heatMap: read(
      "heatMap.enabled",
      false,
      (value) => (typeof value === "boolean" ? value : undefined),
      "true or false",
    ),
    metric: read("heatMap.metric", "", metric, "a metric's code such as C2"),
  };
  return { settings, faults };
}

/** What the server is told, given the settings as the user has set them. */
export function serverOptions(given: unknown): Record<string, unknown> {
  const values =
    typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const told: Record<string, unknown> = {};
  for (const key of SERVER_KEYS) {
    const value = values[key];
    if (value !== undefined && value !== null && value !== "") {
      told[key] = value;
    }
  }
  return told;
}

/** Puts the home folder and the workspace into a path. */
export function expand(path: string, around: Surroundings): string {
  const home = /^~(?=$|[/\\])/;
  const filled = path.replace(home, () => around.home);
  const { workspace } = around;
  return workspace === undefined ? filled : filled.replaceAll("${workspaceFolder}", workspace);
}

function oneOf<T extends string>(values: readonly T[]): (value: unknown) => T | undefined {
  return (value) => values.find((known) => known === value);
}

function metric(value: unknown): string | undefined {
  if (typeof value !== "string") {
    return undefined;
  }
  const code = value.trim().toUpperCase();
  return /^([A-D][1-9])?$/.test(code) ? code : undefined;
}
