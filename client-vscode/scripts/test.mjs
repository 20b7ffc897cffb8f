// Bundles the unit tests and runs them; words on the command line go to the test runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

// What is published is measured, too.
await import("./build.mjs");

const out = "client-vscode/dist/test";
rmSync(out, { recursive: true, force: true });
const names = readdirSync("client-vscode/test").filter((name) => name.endsWith(".test.ts"));
await build({
    entryPoints: names.map((name) => `client-vscode/test/${name}`),
    outdir: out,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
});
const files = names.map((name) => `${out}/${name.replace(/\.ts$/, ".js")}`);
const words = ["--enable-source-maps", "--test", ...process.argv.slice(2), ...files];
process.exit(spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1);
