// Puts the server into client-vscode/dist: its wheel with the pure-Python libraries that are bound to
// nothing compiled, and the lists of what an environment needs beside that.
import { spawnSync } from "node:child_process";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const dist = "client-vscode/dist";
const libs = path.join(dist, "libs");
const lists = path.join(dist, "requirements");

/** Brought along. pydantic is pure too, but must fit its compiled half to the version. */
const BUNDLED = ["attrs", "cattrs", "lsprotocol", "pygls", "typing-extensions"];
/** What only building needs, and what only the WebSocket transport needs. */
const LEFT_OUT = new Set([
    "editables",
    "hatchling",
    "pathspec",
    "pluggy",
    "tomlkit",
    "trove-classifiers",
    "websockets",
]);
/** In the lists of the runtime, but needed by scores alone. */
const FOR_SCORES = new Set(["packaging"]);
const RUNTIME = "onnxruntime";
const GPU =
    "# What runs scores on an NVIDIA GPU, in place of onnxruntime.\nonnxruntime-gpu>=1.23\n";

const python =
    process.env.PYTHON ??
    [".venv/bin/python", ".venv/Scripts/python.exe"].find((name) => existsSync(name)) ??
    "python3";

const runtime = readList("requirements/runtime.txt");
const scores = readList("requirements/cpu.txt");
for (const name of BUNDLED) {
    if (!runtime.has(name)) {
        throw new Error(`requirements/runtime.txt has no ${name}`);
    }
}

rmSync(libs, { recursive: true, force: true });
rmSync(lists, { recursive: true, force: true });
mkdirSync(lists, { recursive: true });

const scratch = mkdtempSync(path.join(tmpdir(), "skillgauge-bundle-"));
try {
    run("-m", "hatchling", "build", "-t", "wheel", "-d", scratch);
    const wheel = readdirSync(scratch).find((name) => name.endsWith(".whl"));
    checkVersion(wheel);
    const pinned = path.join(scratch, "bundled.txt");
    writeFileSync(pinned, BUNDLED.map((name) => runtime.get(name)).join(""));
    install("--require-hashes", "-r", pinned);
    install(path.join(scratch, wheel));
} finally {
    rmSync(scratch, { recursive: true, force: true });
}
rmSync(path.join(libs, "bin"), { recursive: true, force: true });

// typing-extensions is in both: what is imported without the bundled server needs it too.
const bundled = new Set(BUNDLED.filter((name) => name !== "typing-extensions"));
write(
    "core",
    runtime,
    (name) => !bundled.has(name) && !LEFT_OUT.has(name) && !FOR_SCORES.has(name),
);
write("scores", scores, (name) => (!runtime.has(name) || FOR_SCORES.has(name)) && name !== RUNTIME);
write("cpu", scores, (name) => name === RUNTIME);
writeFileSync(path.join(lists, "gpu.txt"), GPU);

function readList(file) {
    const found = new Map();
    let name;
    for (const line of readFileSync(file, "utf8").split("\n")) {
        const start = /^([a-z0-9-]+)==/.exec(line);
        name = start ? start[1] : /^\s+--hash/.test(line) ? name : undefined;
        if (name) {
            found.set(name, `${found.get(name) ?? ""}${line}\n`);
        }
    }
    // The last hash of an entry ends without a backslash, whatever comment came after it.
    return new Map([...found].map(([key, text]) => [key, text.replace(/\s*\\\n$/, "\n")]));
}

function write(name, list, wanted) {
    const lines = [...list].filter(([key]) => wanted(key)).map(([, text]) => text);
    writeFileSync(path.join(lists, `${name}.txt`), lines.join(""));
}

function install(...words) {
    const only = [
        "--no-deps",
        "--no-compile",
        "--only-binary=:all:",
        "--implementation",
        "py",
        "--abi",
        "none",
    ];
    const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--upgrade"];
    run("-m", "pip", "install", ...quiet, ...only, "--platform", "any", "--target", libs, ...words);
}

function run(...words) {
    const done = spawnSync(python, words, { encoding: "utf8" });
    if (done.status !== 0) {
        throw new Error(
            `${python} ${words.join(" ")} failed:\n${done.stdout}${done.stderr}${done.error ?? ""}`,
        );
    }
}

function checkVersion(wheel) {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    if (wheel !== `skillgauge-${version}-py3-none-any.whl`) {
        throw new Error(`package.json says ${version}, but the server's wheel is ${wheel}`);
    }
}
