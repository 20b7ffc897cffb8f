// Settings as they are read, wrong ones too, and what the server is told of them.
import * as assert from "node:assert";
import { test } from "node:test";
import { readSettings, serverOptions } from "../src/settings";

const AROUND = { home: "/home/me", workspace: "/project" };

function read(
  values: Record<string, unknown>,
  around: { home: string; workspace: string | undefined } = AROUND,
) {
  return readSettings((key) => values[key], around);
}

test("nothing set is no fault", () => {
  assert.deepStrictEqual(read({}), {
    settings: { path: "", interpreter: "", device: "auto", heatMap: false, metric: "" },
    faults: [],
  });
});

test("paths may begin at home or in the workspace", () => {
  const { settings } = read({
    "server.path": " ~/bin/skillgauge ",
    "server.interpreter": "${workspaceFolder}/.venv/bin/python",
  });
  assert.strictEqual(settings.path, "/home/me/bin/skillgauge");
  assert.strictEqual(settings.interpreter, "/project/.venv/bin/python");
});

test("a workspace that isn't trusted has no place in a path", () => {
  const around = { home: "/home/me", workspace: undefined };
  const { settings } = read({ "server.path": "${workspaceFolder}/x" }, around);
  assert.strictEqual(settings.path, "${workspaceFolder}/x");
});

test("a tilde elsewhere is a tilde", () => {
  assert.strictEqual(read({ "server.path": "/a/~b" }).settings.path, "/a/~b");
  assert.strictEqual(read({ "server.path": "~other/x" }).settings.path, "~other/x");
});

test("wrong values count as the default, and each is told", () => {
  const { settings, faults } = read({
    "server.path": 3,
    "server.device": "tpu",
    "heatMap.enabled": "yes",
    "heatMap.metric": "Z9",
  });
  assert.deepStrictEqual(settings, {
    path: "",
    interpreter: "",
    device: "auto",
    heatMap: false,
    metric: "",
  });
  assert.deepStrictEqual(
    faults.map(({ setting, why }) => `${setting}: ${why}`),
    [
      "skillgauge.server.path: 3 is not a path",
      'skillgauge.server.device: "tpu" is not one of auto, cpu, gpu, none',
      'skillgauge.heatMap.enabled: "yes" is not true or false',
      'skillgauge.heatMap.metric: "Z9" is not a metric\'s code such as C2',
    ],
  );
});

test("a metric may be written small", () => {
  assert.strictEqual(read({ "heatMap.metric": "c2" }).settings.metric, "C2");
});

test("the server is told of its own settings alone, and of none that isn't set", () => {
  const given = {
    profile: null,
    ignore: ["F033"],
    scores: false,
    model: "",
    server: { path: "x" },
    trace: {},
  };
  assert.deepStrictEqual(serverOptions(given), { ignore: ["F033"], scores: false });
  assert.deepStrictEqual(serverOptions(null), {});
});
