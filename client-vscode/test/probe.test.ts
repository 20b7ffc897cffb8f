// The question that a Python is asked, put to the one of this machine.
import * as assert from "node:assert";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { thisMachine } from "../src/find/host";
import { isUsable, probe } from "../src/find/probe";

const PYTHON = [process.env["PYTHON"], path.resolve(".venv/bin/python"), "python3"].find(
  (name) => name !== undefined && (!path.isAbsolute(name) || fs.existsSync(name)),
);

test("a real Python answers, and imports nothing of the folder it is started in", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "probe-"));
  for (const name of ["yaml", "json", "skillgauge"]) {
    fs.writeFileSync(path.join(folder, `${name}.py`), 'open("taken", "w")\n');
  }
  try {
    const found = await probe(thisMachine(folder), PYTHON ?? "python3");
    assert.ok(isUsable(found), JSON.stringify(found));
    assert.match(found.version, /^3\.\d+\.\d+$/);
    assert.ok(!fs.existsSync(path.join(folder, "taken")));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test("what is no Python is told apart from what can't be started", async () => {
  const machine = thisMachine(os.tmpdir());
  assert.deepStrictEqual(await probe(machine, "/bin/false"), {
    why: "/bin/false is no Python that works (it ended with status 1)",
  });
  const none = await probe(machine, "/nowhere/python");
  assert.ok(!isUsable(none));
  assert.match(none.why, /can't be started/);
});
