// Scores as the server sends them, the heat they make, and the order of skills.
import * as assert from "node:assert";
import { test } from "node:test";
import { readDoctor } from "../src/doctor";
import {
  heatOf,
  meanOf,
  readScored,
  weakestFirst,
  worstLines,
  type Metric,
  type Profile,
} from "../src/profile";
import { checkArguments, counts, readReport, worstFinding, worstFirst } from "../src/skills";

function metric(probability: number | null, lines: [number, number][] = [], shown = true): Metric {
  const parts = lines.map(([line, contribution]) => ({ line, contribution }));
  return { name: "name", label: "", shown, z: 0, probability, lines: parts, reason: "" };
}

function profile(metrics: Record<string, Metric>): Profile {
  return { tokens: 9, truncated: false, metrics: new Map(Object.entries(metrics)) };
}

test("what the server sends is read, and the format's own entry left out", () => {
  const lines = [{ line: 3, contribution: -1.5 }, { line: "x" }];
  const sent = {
    uri: "file:///a/SKILL.md",
    version: 2,
    profile: {
      tokens: 222,
      truncated: false,
      metrics: {
        A1: { passed: true, reasons: [] },
        C2: {
          name: "Input",
          label: "substance",
          shown: true,
          z: -1,
          probability: 0.2,
          lines,
          reason: "",
        },
      },
    },
    reason: "",
  };
  const read = readScored(sent)?.profile;
  assert.deepStrictEqual([...(read?.metrics.keys() ?? [])], ["C2"]);
  assert.deepStrictEqual(read?.metrics.get("C2")?.lines, [{ line: 3, contribution: -1.5 }]);
});

test("no profile has its reason, and nonsense is nothing", () => {
  const none = readScored({ uri: "file:///a", profile: null, reason: "No model" });
  assert.deepStrictEqual(none, { uri: "file:///a", profile: undefined, reason: "No model" });
  for (const value of [null, 3, "x", {}, { uri: 3 }]) {
    assert.strictEqual(readScored(value), undefined);
  }
});

test("the weakest that is shown comes first", () => {
  const found = profile({
    A2: metric(0.5),
    B1: metric(0.1),
    C2: metric(null),
    D1: metric(0, [], false),
  });
  assert.deepStrictEqual(
    weakestFirst(found).map(([code]) => code),
    ["B1", "A2"],
  );
  assert.strictEqual(meanOf(found), 0.3);
  assert.strictEqual(meanOf(profile({ C2: metric(null) })), undefined);
});

test("the worst lines are the worst one with neighbours that do half as much", () => {
  const lines: [number, number][] = [
    [3, -0.1],
    [4, -0.6],
    [5, -1],
    [6, -0.5],
    [7, -0.4],
    [9, -0.9],
  ];
  assert.deepStrictEqual(worstLines(metric(0, lines)), { first: 4, last: 6 });
  assert.strictEqual(worstLines(metric(0, [[1, 0.3]])), undefined);
  assert.strictEqual(worstLines(metric(0)), undefined);
});

test("heat is the sum of what is shown, in three levels by the share of the strongest", () => {
  const found = profile({
    A2: metric(0.5, [
      [1, -1],
      [2, 0.2],
      [3, 0.3],
      [4, -0.01],
    ]),
    B1: metric(0.5, [
      [1, -1],
      [3, 0.3],
    ]),
    D1: metric(0.5, [[2, -50]], false),
  });
  const heat = heatOf(found, "");
  assert.deepStrictEqual(
    heat.map(({ line, level }) => [line, level]),
    [
      [1, -3],
      [2, 1],
      [3, 2],
    ],
  );
  assert.strictEqual(heat[0]?.sum, -2);
  assert.deepStrictEqual(
    heat[0].parts.map(({ code }) => code),
    ["A2", "B1"],
  );
});

test("heat of one metric is its own, shown or not", () => {
  const found = profile({ A2: metric(0.5, [[1, -1]]), D1: metric(0.5, [[2, -5]], false) });
  assert.deepStrictEqual(
    heatOf(found, "D1").map(({ line, level }) => [line, level]),
    [[2, -3]],
  );
  assert.deepStrictEqual(heatOf(profile({}), ""), []);
});

const REPORT = JSON.stringify({
  schema_version: 1,
  files: [
    { path: "a/good/SKILL.md", findings: [], structure: { score: 98.2, grade: "A" } },
    { path: "a/good/evals/evals.json", findings: [], structure: null },
    {
      path: "a/bad/skill.md",
      findings: [
        { severity: "hint", message: "h", range: { start: { line: 1 } } },
        { severity: "warning", message: "w", range: { start: { line: 9 } } },
        { severity: "warning", message: "v", range: { start: { line: 4 } } },
      ],
      structure: { score: 50, grade: "F" },
    },
    { path: "a/odd/SKILL.md", findings: [], structure: null },
  ],
});

test("skills of a report come worst first, equal ones by their scores, unknown ones last", () => {
  const skills = readReport(REPORT, (path) => `/root/${path}`);
  assert.deepStrictEqual(
    skills.map(({ path }) => path),
    ["/root/a/good/SKILL.md", "/root/a/bad/skill.md", "/root/a/odd/SKILL.md"],
  );
  const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);
  assert.deepStrictEqual(names(worstFirst(skills, () => undefined)), ["bad", "good", "odd"]);
  const equal = skills.map((skill) => ({ ...skill, structure: { score: 1, grade: "F" } }));
  const scored = worstFirst(equal, (skill) =>
    profile({ C2: metric({ bad: 0.9, good: 0.5, odd: 0.1 }[skill.name] ?? 0) }),
  );
  assert.deepStrictEqual(names(scored), ["odd", "good", "bad"]);
});

test("the finding to look at is the first of the gravest", () => {
  const bad = readReport(REPORT, (path) => path)[1];
  assert.ok(bad);
  assert.strictEqual(worstFinding(bad)?.line, 4);
  assert.strictEqual(counts(bad), "2 warnings");
});

test("options of the editor become options of the command line", () => {
  const words = checkArguments(
    { profile: "strict", clients: ["a", "b"], ignore: [], scores: false },
    ["/w"],
  );
  assert.deepStrictEqual(words.slice(6), ["--profile", "strict", "--clients", "a,b", "--", "/w"]);
});

test("doctor's lines say what scores run on, or why there are none", () => {
  const good =
    "ok     scorer           onnxruntime 1.32.0\n" +
    "ok     scorer's model   smollm2-135m-instruct, 181 MiB, in /x\n" +
    "ok     scorer's device  the CPU (This onnxruntime has no CUDA)\n";
  assert.deepStrictEqual(readDoctor(good), {
    model: "smollm2-135m-instruct",
    device: "the CPU",
    trouble: "",
  });
  const bad = "note   scorer's model   not installed\n       skillgauge model install\n";
  assert.deepStrictEqual(readDoctor(bad), { model: "", device: "", trouble: "not installed" });
  assert.deepStrictEqual(readDoctor(""), { model: "", device: "", trouble: "" });
});
