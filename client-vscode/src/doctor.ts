// Reads what `skillgauge doctor` says of the scorer; no editor in here.

export interface ScorerState {
  /** The model, empty where there is none. */
  readonly model: string;
  /** What it runs on, such as “the CPU”. */
  readonly device: string;
  /** What is wrong, empty when scores are possible. */
  readonly trouble: string;
}

const LINE = /^(ok|note|fault) +(\S.*?) {2,}(\S.*)$/;

export function readDoctor(text: string): ScorerState {
  const found = new Map<string, { state: string; value: string }>();
  for (const line of text.split(/\r?\n/)) {
    const [, state = "", label = "", value = ""] = LINE.exec(line) ?? [];
    if (label) {
      found.set(label, { state, value });
    }
  }
  const first = (label: string): string =>
    (found.get(label)?.value ?? "").split(/, | \(/, 1)[0] ?? "";
  const bad = ["scorer", "scorer's model"]
    .map((label) => found.get(label))
    .find((it) => it && it.state !== "ok");
  return {
    model: bad ? "" : first("scorer's model"),
    device: bad ? "" : first("scorer's device"),
    trouble: bad?.value ?? "",
  };
}
