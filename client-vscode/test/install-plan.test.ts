// The steps of an installation, the device, and what failures mean.
import * as assert from "node:assert";
import { test } from "node:test";
import { chooseDevice, explainFailure, installSteps } from "../src/install-plan";
import { Machine } from "./machine";

const PYTHON = { python: "/usr/bin/python3" };

function steps(
  device: "cpu" | "gpu" | "none",
  base: { python: string } | { uv: string } = PYTHON,
): string[] {
  const asked = { base, folder: "/new", requirements: "/ext/lists", device };
  return installSteps(new Machine(), asked).map(({ command, args }) =>
    [command, ...args].join(" "),
  );
}

test("the environment is made, then filled from lists, and never by running a package's own code", () => {
  const [make, ...rest] = steps("cpu");
  assert.strictEqual(make, "/usr/bin/python3 -m venv /new");
  assert.deepStrictEqual(
    rest.map((line) => line.split(" ").at(-1)),
    ["/ext/lists/core.txt", "/ext/lists/scores.txt", "/ext/lists/cpu.txt"],
  );
  assert.ok(
    rest.every(
      (line) => line.startsWith("/new/bin/python -m pip") && line.includes("--only-binary=:all:"),
    ),
  );
});

test("one runtime for scores, or none", () => {
  assert.match(steps("gpu").at(-1) ?? "", /gpu\.txt$/);
  assert.strictEqual(steps("none").length, 2);
});

test("uv makes the environment with a Python of its own, and pip in it", () => {
  assert.strictEqual(
    steps("none", { uv: "/usr/bin/uv" })[0],
    "/usr/bin/uv venv --no-project --seed --python 3.12 /new",
  );
});

test("only what scores need may fail", () => {
  const asked = { base: PYTHON, folder: "/new", requirements: "/l", device: "cpu" as const };
  assert.deepStrictEqual(
    installSteps(new Machine(), asked).map(({ optional }) => optional),
    [false, false, true, true],
  );
});

test("auto means the GPU where NVIDIA's program lists one", async () => {
  const with_ = new Machine().program("nvidia-smi", { stdout: "GPU 0: NVIDIA H200 (UUID: x)\n" });
  assert.strictEqual(await chooseDevice(with_, "auto"), "gpu");
  assert.strictEqual(await chooseDevice(with_, "cpu"), "cpu");
  assert.strictEqual(await chooseDevice(new Machine(), "auto"), "cpu");
  const broken = new Machine().program("nvidia-smi", { code: 9, stderr: "no devices" });
  assert.strictEqual(await chooseDevice(broken, "auto"), "cpu");
  const mac = new Machine("darwin").program("nvidia-smi", { stdout: "GPU 0: x" });
  assert.strictEqual(await chooseDevice(mac, "auto"), "cpu");
});

for (const [output, said] of [
  [
    "The virtual environment was not created successfully because ensurepip is not available.",
    /python3-venv/,
  ],
  [
    "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
    /disk is full/,
  ],
  [
    "NewConnectionError: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution\n" +
      "ERROR: No matching distribution found for pyromark==0.10.3",
    /can't be reached/,
  ],
  ["ERROR: No matching distribution found for pyromark==0.10.3", /no build for this Python/],
  ["ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", /not trusted/],
  ["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", /refused/],
  ["something else", /^$/],
] as const) {
  test(`“${output.slice(0, 40)}…” is explained`, () => {
    assert.match(explainFailure(output), said);
  });
}
