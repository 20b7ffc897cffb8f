// Packs the .vsix, and refuses one that is too large or holds other files than were reviewed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const vsix = `skillgauge-${version}.vsix`;
const LIMIT = 3 * 1024 * 1024;

if (!existsSync("client-vscode/dist/libs/skillgauge")) {
    throw new Error("The server is missing; `npm run bundle` puts it in");
}
const caches = readdirSync("client-vscode/dist/libs", { recursive: true }).filter((name) =>
    name.endsWith(".pyc"),
);
if (caches.length > 0) {
    throw new Error(
        `client-vscode/dist/libs holds ${caches.length} compiled files; run \`npm run bundle\` again`,
    );
}
rmSync(vsix, { force: true });
// Scripts are run by hand here, so that what they say is seen.
const words = ["vsce", "package", "--no-dependencies", "--readme-path", "client-vscode/README.md"];
const done = spawnSync("npx", ["--no-install", ...words, "--out", vsix], { stdio: "inherit" });
if (done.status !== 0) {
    process.exit(done.status ?? 1);
}
const size = statSync(vsix).size;
console.log(`${vsix}: ${(size / 1024 / 1024).toFixed(2)} MiB`);
if (size > LIMIT) {
    throw new Error(`${vsix} has ${size} bytes; ${LIMIT} is the limit`);
}
