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
checkFiles();
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

/** What goes in must be what was reviewed; a Python package counts as one line. */
function checkFiles() {
    const list = spawnSync("npx", ["--no-install", "vsce", "ls", "--no-dependencies"], {
        encoding: "utf8",
    });
    const names = list.stdout.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
    const short = names.map((name) =>
        name.replace(/^(client-vscode\/dist\/libs\/[^/]+)\/.*/, "$1/"),
    );
    const found = [...new Set(short)].filter((name) => !name.startsWith("README.md")).sort();
    const wanted = readFileSync("client-vscode/files.txt", "utf8").trim().split("\n");
    const added = found.filter((name) => !wanted.includes(name));
    const gone = wanted.filter((name) => !found.includes(name));
    if (added.length > 0 || gone.length > 0) {
        throw new Error(
            `client-vscode/files.txt differs. New: ${added.join(", ")}. Missing: ${gone.join(", ")}`,
        );
    }
}
