// Every way in which a server is found, or is not.
import * as assert from "node:assert";
import { describe, test } from "node:test";
import { findBase, findServer, type Search } from "../src/find/find";
import { COMPLETE, INSTALLED, Machine } from "./machine";

const NOTHING: Search = {
  path: "",
  interpreter: "",
  selected: undefined,
  untrusted: [],
  bundled: "/ext/libs",
  bundledVersion: "0.1.0",
  own: "/storage/environment",
};
const UV = "/home/me/.local/share/uv/tools/skillgauge/bin/python";
const PIPX = "/home/me/.local/share/pipx/venvs/skillgauge/bin/python";
const OWN = "/storage/environment/bin/python";
const BUNDLED = { PYTHONSAFEPATH: "1", PYTHONPATH: "/ext/libs" };

describe("the setting server.path", () => {
  const search = { ...NOTHING, path: "/opt/skillgauge" };

  test("wins over all else", async () => {
    const machine = new Machine()
      .program("/opt/skillgauge", { stdout: "skillgauge 0.3.1\n" })
      .python(OWN, { has: COMPLETE });
    const { launch } = await findServer(machine, { ...search, interpreter: "/usr/bin/python3" });
    assert.deepStrictEqual(
      [launch?.command, launch?.args, launch?.version, launch?.origin],
      ["/opt/skillgauge", [], "0.3.1", "path"],
    );
  });

  test("is wrong if it names nothing, and nothing else is tried", async () => {
    const found = await findServer(new Machine().python(OWN, { has: COMPLETE }), search);
    assert.deepStrictEqual(found.wrong, {
      setting: "skillgauge.server.path",
      why: "/opt/skillgauge is not there, or no file",
    });
    assert.strictEqual(found.launch, undefined);
  });

  test("is wrong if it names another program", async () => {
    const machine = new Machine().program("/opt/skillgauge", { stdout: "hello\n" });
    assert.match((await findServer(machine, search)).wrong?.why ?? "", /is no skillgauge/);
  });

  test("is wrong if it is not absolute, since that would depend on the folder", async () => {
    const { wrong } = await findServer(new Machine(), { ...search, path: "bin/skillgauge" });
    assert.match(wrong?.why ?? "", /no absolute path/);
  });
});

describe("the setting server.interpreter", () => {
  const search = { ...NOTHING, interpreter: "/opt/python" };

  test("runs its own skillgauge", async () => {
    const { launch } = await findServer(new Machine().python("/opt/python", INSTALLED), search);
    assert.deepStrictEqual(
      [launch?.command, launch?.args, launch?.env, launch?.origin],
      ["/opt/python", ["-P", "-m", "skillgauge"], { PYTHONSAFEPATH: "1" }, "interpreter"],
    );
  });

  test("runs the server of the extension if it has what is compiled", async () => {
    const machine = new Machine().python("/opt/python", { has: COMPLETE });
    const { launch } = await findServer(machine, search);
    assert.deepStrictEqual([launch?.env, launch?.version], [BUNDLED, "0.1.0"]);
    assert.strictEqual(launch?.scorer, false);
  });

  test("is known to score with all that scores need", async () => {
    const has = [...COMPLETE, "onnxruntime", "tokenizers", "numpy", "safetensors"];
    const { launch } = await findServer(new Machine().python("/opt/python", { has }), search);
    assert.strictEqual(launch?.scorer, true);
  });

  for (const [what, python, why] of [
    [
      "a Python too old",
      { version: [3, 9, 2] as [number, number, number] },
      /Python 3\.9\.2, and 3\.11 or newer/,
    ],
    [
      "a broken one",
      { fails: "Fatal Python error: no encodings" },
      /no Python that works \(Fatal Python error/,
    ],
    ["one with nothing", {}, /has no skillgauge/],
    [
      "one whose skillgauge lacks a library",
      { has: ["yaml", "pydantic", "skillgauge"], skillgauge: "0.1.0" },
      /has skillgauge 0\.1\.0, but pyromark, pygls, lsprotocol missing/,
    ],
    [
      "one with a broken library",
      {
        ...INSTALLED,
        has: ["yaml", "pydantic"],
        broken: { pyromark: "ImportError: wrong ELF class" },
      },
      /pyromark is broken: ImportError: wrong ELF class/,
    ],
  ] as const) {
    test(`is wrong if it names ${what}`, async () => {
      const machine = new Machine().python("/opt/python", python);
      const found = await findServer(machine, search);
      assert.strictEqual(found.wrong?.setting, "skillgauge.server.interpreter");
      assert.match(found.wrong.why, why);
    });
  }

  test("is wrong if it names nothing", async () => {
    const { wrong } = await findServer(new Machine(), search);
    assert.match(wrong?.why ?? "", /can't be started \(spawn \/opt\/python ENOENT\)/);
  });
});

describe("without settings", () => {
  test("the selected environment comes first", async () => {
    const machine = new Machine("linux", { PATH: "/usr/bin" })
      .python("/project/.venv/bin/python", INSTALLED)
      .python(UV, INSTALLED)
      .program("/usr/bin/skillgauge", { stdout: "skillgauge 0.1.0" });
    const { launch } = await findServer(machine, {
      ...NOTHING,
      selected: "/project/.venv/bin/python",
    });
    assert.strictEqual(launch?.origin, "environment");
  });

  test("nothing of a workspace that isn't trusted is started", async () => {
    const machine = new Machine("linux", { PATH: "/project/bin:relative:/usr/bin" })
      .python("/project/.venv/bin/python", INSTALLED)
      .program("/project/bin/skillgauge", { stdout: "skillgauge 9" })
      .program("/usr/bin/skillgauge", { stdout: "skillgauge 0.1.0" });
    const search = { ...NOTHING, selected: "/project/.venv/bin/python", untrusted: ["/project"] };
    const { launch, notes } = await findServer(machine, search);
    assert.strictEqual(launch?.command, "/usr/bin/skillgauge");
    assert.ok(machine.ran.every(([command]) => !command?.startsWith("/project")));
    assert.match(notes.join(), /belongs to a workspace that isn't trusted/);
  });

  test("then come the tools of uv and of pipx", async () => {
    const both = new Machine().python(PIPX, INSTALLED).python(UV, INSTALLED);
    assert.strictEqual((await findServer(both, NOTHING)).launch?.origin, "uv");
    const one = new Machine().python(PIPX, INSTALLED).python(UV, { fails: "broken" });
    const { launch, notes } = await findServer(one, NOTHING);
    assert.strictEqual(launch?.origin, "pipx");
    assert.match(notes.join(), /no Python that works \(broken\)/);
  });

  test("tools are looked for where variables say", async () => {
    const machine = new Machine("linux", { UV_TOOL_DIR: "/tools", PIPX_HOME: "/pipx" });
    machine.python("/pipx/venvs/skillgauge/bin/python", INSTALLED);
    assert.strictEqual((await findServer(machine, NOTHING)).launch?.origin, "pipx");
    machine.python("/tools/skillgauge/bin/python", INSTALLED);
    assert.strictEqual((await findServer(machine, NOTHING)).launch?.origin, "uv");
  });

  test("then the program on the PATH, if it starts", async () => {
    const machine = new Machine("linux", { PATH: "/a:/usr/bin" });
    machine
      .program("/usr/bin/skillgauge", { stdout: "skillgauge 0.1.0" })
      .python(OWN, { has: COMPLETE });
    assert.strictEqual((await findServer(machine, NOTHING)).launch?.origin, "PATH");
    machine.program("/a/skillgauge", { code: 1, stderr: "Traceback" });
    const { launch, notes } = await findServer(machine, NOTHING);
    assert.strictEqual(launch?.origin, "own");
    assert.match(notes.join(), /\/a\/skillgauge on the PATH does not start/);
  });

  test("last the extension's own environment, with the server of the extension", async () => {
    const machine = new Machine().python(OWN, INSTALLED);
    const { launch } = await findServer(machine, NOTHING);
    assert.deepStrictEqual([launch?.origin, launch?.env], ["own", BUNDLED]);
  });

  test("an own environment that is broken is told", async () => {
    const { launch, notes } = await findServer(
      new Machine().python(OWN, { has: ["yaml"] }),
      NOTHING,
    );
    assert.strictEqual(launch, undefined);
    assert.match(notes.at(-1) ?? "", /has no skillgauge/);
  });

  test("with nothing anywhere, every place is named", async () => {
    const { launch, wrong, notes } = await findServer(new Machine(), NOTHING);
    assert.deepStrictEqual([launch, wrong], [undefined, undefined]);
    assert.deepStrictEqual(notes, [
      "No Python environment is selected",
      "Neither uv nor pipx has a tool skillgauge",
      "There is no skillgauge on the PATH",
      "The extension has no environment of its own yet",
    ]);
  });

  test("on Windows, paths are Windows' own", async () => {
    const machine = new Machine("win32", { Path: "C:\\tools;D:\\bin", APPDATA: "C:\\Roaming" });
    machine.program("D:\\bin\\skillgauge.exe", { stdout: "skillgauge 0.1.0" });
    assert.strictEqual(
      (await findServer(machine, NOTHING)).launch?.command,
      "D:\\bin\\skillgauge.exe",
    );
    machine.python("C:\\Roaming\\uv\\tools\\skillgauge\\Scripts\\python.exe", INSTALLED);
    assert.strictEqual((await findServer(machine, NOTHING)).launch?.origin, "uv");
  });
});

describe("a Python to make an environment with", () => {
  const search = { interpreter: "", selected: undefined, untrusted: ["/project"] };

  test("is the first on the PATH that is new enough", async () => {
    const machine = new Machine("linux", { PATH: "/usr/local/bin:/usr/bin" })
      .python("/usr/bin/python3", { version: [3, 9, 1] })
      .python("/usr/bin/python3.12", {});
    const { python } = await findBase(machine, search);
    assert.strictEqual(python?.path, "/usr/bin/python3.12");
  });

  test("is by the launcher on Windows, which is asked which Python it is", async () => {
    const machine = new Machine("win32", { PATH: "C:\\Windows" });
    machine.python("C:\\Windows\\py.exe", { executable: "C:\\Python313\\python.exe" });
    assert.strictEqual((await findBase(machine, search)).python?.path, "C:\\Python313\\python.exe");
  });

  test("is none where all are too old, and each is named", async () => {
    const machine = new Machine("linux", { PATH: "/usr/bin" }).python("/usr/bin/python3", {
      version: [3, 8, 0],
    });
    const { python, notes } = await findBase(machine, {
      ...search,
      selected: "/project/.venv/bin/python",
    });
    assert.strictEqual(python, undefined);
    assert.deepStrictEqual(notes, [
      "/usr/bin/python3 is Python 3.8.0, and 3.11 or newer is needed",
    ]);
  });
});
