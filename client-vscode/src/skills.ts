// The skills of a workspace as the command line reports them, and their order; no editor in here.
import { meanOf, type Profile } from "./profile";

export interface Finding {
  readonly severity: string;
  readonly message: string;
  /** Counts from 1. */
  readonly line: number;
}

export interface Skill {
  readonly path: string;
  readonly name: string;
  readonly structure: { readonly score: number; readonly grade: string } | undefined;
  readonly findings: readonly Finding[];
}

interface Report {
  files: {
    path: string;
    findings: { severity: string; message: string; range: { start: { line: number } } }[];
    structure?: { score: number; grade: string } | null;
  }[];
}

/** Reads the JSON of `skillgauge check`; `resolve` makes its paths absolute. */
export function readReport(text: string, resolve: (path: string) => string): Skill[] {
  const report = JSON.parse(text) as Report;
  return report.files
    .filter((file) => /(^|[/\\])skill\.md$/i.test(file.path))
    .map((file) => {
      const path = resolve(file.path);
      return {
        path,
        name: path.split(/[/\\]/).at(-2) ?? path,
        structure: file.structure ?? undefined,
        findings: file.findings.map(({ severity, message, range }) => {
          return { severity, message, line: range.start.line };
        }),
      };
    });
}

/** Sorts the worst first: by structural score, then by the mean of the scores, then by name. */
export function worstFirst(
  skills: readonly Skill[],
  profileOf: (skill: Skill) => Profile | undefined,
): Skill[] {
  const rank = (skill: Skill): [number, number] => [
    skill.structure?.score ?? Infinity,
    meanOf(profileOf(skill)) ?? Infinity,
  ];
  return [...skills].sort((one, other) => {
    const [structure, mean] = rank(one);
    const [otherStructure, otherMean] = rank(other);
    return (
      compare(structure, otherStructure) ||
      compare(mean, otherMean) ||
      compare(one.name, other.name)
    );
  });
}

const SEVERITIES = ["error", "warning", "info", "hint"];

/** The finding to look at first. */
export function worstFinding(skill: Skill): Finding | undefined {
  const rank = (finding: Finding): number => SEVERITIES.indexOf(finding.severity);
  return [...skill.findings].sort((a, b) => rank(a) - rank(b) || a.line - b.line)[0];
}

/** Says how many errors and warnings there are. */
export function counts(skill: Skill): string {
  const parts = ["error", "warning"].map((severity) => {
    const count = skill.findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? "" : `${count} ${severity}${count === 1 ? "" : "s"}`;
  });
  return parts.filter(Boolean).join(", ") || "no errors or warnings";
}

/** How options of the server are written for `skillgauge check`. */
export function checkArguments(
  options: Record<string, unknown>,
  folders: readonly string[],
): string[] {
  const words = ["check", "--format", "json", "--fail-on", "never", "--quiet"];
  const written: Record<string, string> = {
    profile: "--profile",
    clients: "--clients",
    select: "--select",
    extendSelect: "--extend-select",
    ignore: "--ignore",
  };
  for (const [key, option] of Object.entries(written)) {
    const value = options[key];
    const text = Array.isArray(value) ? value.join(",") : typeof value === "string" ? value : "";
    if (text) {
      words.push(option, text);
    }
  }
  return [...words, "--", ...folders];
}

function compare<T extends string | number>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
