// What activating costs: processor time, since the clock depends on what else the machine does.
import * as assert from "node:assert";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { test } from "node:test";

/** Loads the bundle and activates it in a fresh process, with an editor that does nothing. */
const PROGRAM = `
const Module = require("node:module");
const load = Module._load;
const editor = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "x" : key === "then" ? undefined : editor),
  set: () => true,
  apply: () => editor,
  construct: () => ({ event: () => ({}), fire() {}, dispose() {} }),
});
const names =
  "window workspace languages commands extensions env version Uri Disposable EventEmitter ThemeColor " +
  "ThemeIcon OverviewRulerLane LanguageStatusSeverity CancellationTokenSource TreeItem";
const vscode = Object.fromEntries(names.split(" ").map((name) => [name, editor]));
const loaded = [];
Module._load = function (name, ...rest) {
  loaded.push(name);
  return name === "vscode" ? vscode : load.call(this, name, ...rest);
};
const before = process.cpuUsage();
const extension = require(process.argv[1]);
const context = {
  globalStorageUri: { fsPath: require("node:os").tmpdir() },
  asAbsolutePath: (name) => name,
  extension: { packageJSON: { version: "0" } },
  subscriptions: [],
};
let error = "";
try {
  extension.activate(context);
} catch (caught) {
  error = String(caught);
}
const used = process.cpuUsage(before);
console.log(JSON.stringify({ ms: (used.user + used.system) / 1000, loaded, error }));
process.exit(0);
`;

test("activating takes at most 100 ms of a processor, and loads no language client", () => {
  const bundle = path.resolve("client-vscode/dist/extension.js");
  const runs = [1, 2, 3].map(() => {
    const text = execFileSync(process.execPath, ["-e", PROGRAM, bundle], { encoding: "utf8" });
    return JSON.parse(text.trim().split("\n").at(-1) ?? "") as {
      ms: number;
      loaded: string[];
      error: string;
    };
  });
  const best = Math.min(...runs.map(({ ms }) => ms));
  assert.ok(best <= 100, `${best} ms`);
  assert.strictEqual(runs[0]?.error, "");
  assert.ok(!runs[0].loaded.includes("./client"), runs[0].loaded.join());
});
