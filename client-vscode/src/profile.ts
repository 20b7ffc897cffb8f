// What the server says of a skill's scores, and what is made of it: worst lines, heat, order.

/** A line's part in a score; lines count from 1. */
export interface LinePart {
  readonly line: number;
  readonly contribution: number;
}

export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly shown: boolean;
  readonly z: number | null;
  readonly probability: number | null;
  readonly lines: readonly LinePart[];
  readonly reason: string;
}

export interface Profile {
  readonly tokens: number;
  readonly truncated: boolean;
  /** The metrics that were asked of the model, without that of the format. */
  readonly metrics: ReadonlyMap<string, Metric>;
}

export interface Scored {
  readonly uri: string;
  readonly profile: Profile | undefined;
  /** Why there is no profile; empty while it is on its way. */
  readonly reason: string;
}

/** Reads what the server sends; undefined for what has another shape. */
export function readScored(value: unknown): Scored | undefined {
  const given = record(value);
  if (typeof given?.["uri"] !== "string") {
    return undefined;
  }
  const reason = typeof given["reason"] === "string" ? given["reason"] : "";
  const profile = record(given["profile"]);
  const metrics = record(profile?.["metrics"]);
  if (profile === undefined || metrics === undefined) {
    return { uri: given["uri"], profile: undefined, reason };
  }
  const known = new Map<string, Metric>();
  for (const [code, metric] of Object.entries(metrics)) {
    const read = readMetric(metric);
    if (read) {
      known.set(code, read);
    }
  }
  const tokens = typeof profile["tokens"] === "number" ? profile["tokens"] : 0;
  return {
    uri: given["uri"],
    profile: { tokens, truncated: profile["truncated"] === true, metrics: known },
    reason,
  };
}

function readMetric(value: unknown): Metric | undefined {
  const given = record(value);
  if (!given || !Array.isArray(given["lines"])) {
    return undefined;
  }
  return {
    name: text(given["name"]),
    label: text(given["label"]),
    shown: given["shown"] !== false,
    z: number(given["z"]),
    probability: number(given["probability"]),
    lines: (given["lines"] as unknown[]).filter(isPart),
    reason: text(given["reason"]),
  };
}

function isPart(value: unknown): value is LinePart {
  const given = record(value);
  return typeof given?.["line"] === "number" && typeof given["contribution"] === "number";
}

/** The metrics that are shown and known, the weakest first. */
export function weakestFirst(profile: Profile): [string, Metric][] {
  return [...profile.metrics]
    .filter(([, metric]) => metric.shown && metric.probability !== null)
    .sort(
      ([a, one], [b, other]) =>
        (one.probability ?? 1) - (other.probability ?? 1) || (a < b ? -1 : 1),
    );
}

/** The mean of what is shown, from 0 to 1; undefined where nothing is. */
export function meanOf(profile: Profile | undefined): number | undefined {
  const known = profile ? weakestFirst(profile).map(([, metric]) => metric.probability ?? 0) : [];
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}

/**
 * The lines that pull a score down most: the worst one with its neighbours that do at least half as
 * much. Undefined where no line pulls it down.
 */
export function worstLines(metric: Metric): { first: number; last: number } | undefined {
  const parts = new Map(metric.lines.map((part) => [part.line, part.contribution]));
  const worst = metric.lines.reduce<LinePart | undefined>(
    (least, part) => (part.contribution < (least?.contribution ?? 0) ? part : least),
    undefined,
  );
  if (!worst) {
    return undefined;
  }
  const joins = (line: number): boolean => (parts.get(line) ?? 0) <= worst.contribution / 2;
  let first = worst.line;
  let last = worst.line;
  while (joins(first - 1)) {
    first -= 1;
  }
  while (joins(last + 1)) {
    last += 1;
  }
  return { first, last };
}

/** How warm a line is: -3 pulls down most, 3 raises most. */
export type Level = -3 | -2 | -1 | 1 | 2 | 3;

export interface Heat {
  readonly line: number;
  readonly level: Level;
  readonly sum: number;
  /** What each metric makes of the line, the strongest first. */
  readonly parts: readonly {
    readonly code: string;
    readonly name: string;
    readonly part: number;
  }[];
}

/** Parts below this share of the strongest are left uncoloured. */
const FLOOR = 0.08;
/** Where the second and the third level begin, as shares of the strongest. */
const STEPS = [0.25, 0.6] as const;

/** Colours the lines of a profile by one metric, or by the sum of all that are shown. */
export function heatOf(profile: Profile, only: string): Heat[] {
  const lines = new Map<number, { code: string; name: string; part: number }[]>();
  for (const [code, metric] of profile.metrics) {
    if (only ? code !== only : !metric.shown) {
      continue;
    }
    for (const { line, contribution } of metric.lines) {
      const parts = lines.get(line) ?? [];
      parts.push({ code, name: metric.name, part: contribution });
      lines.set(line, parts);
    }
  }
  const sums = [...lines].map(([line, parts]) => {
    parts.sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
    return { line, parts, sum: parts.reduce((sum, { part }) => sum + part, 0) };
  });
  const top = Math.max(0, ...sums.map(({ sum }) => Math.abs(sum)));
  return sums
    .map((item) => ({ ...item, share: top > 0 ? item.sum / top : 0 }))
    .filter(({ share }) => Math.abs(share) >= FLOOR)
    .map(({ share, ...item }) => ({ ...item, level: levelOf(share) }))
    .sort((a, b) => a.line - b.line);
}

function levelOf(share: number): Level {
  const size = Math.abs(share);
  const level = size >= STEPS[1] ? 3 : size >= STEPS[0] ? 2 : 1;
  return (share < 0 ? -level : level) as Level;
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${Math.round(value * 100)} %`;
}

export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
