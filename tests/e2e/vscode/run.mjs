// Bundles the tests of the real editor and runs them: node tests/e2e/vscode/run.mjs EDITOR [NAME…]
// EDITOR is the folder that install.sh prints; names choose journeys. Pictures go to out/vscode.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { build } from "esbuild";

const out = "client-vscode/dist/e2e";
rmSync(out, { recursive: true, force: true });
const common = {
    bundle: true,
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
};
await build({
    ...common,
    entryPoints: ["tests/e2e/vscode/api/index.ts"],
    outfile: `${out}/api/index.js`,
    format: "cjs",
    external: ["vscode"],
});
await build({
    ...common,
    entryPoints: ["tests/e2e/vscode/main.ts"],
    outfile: `${out}/main.js`,
    format: "cjs",
    external: ["playwright-core"],
});
const words = ["--enable-source-maps", `${out}/main.js`, ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1);
