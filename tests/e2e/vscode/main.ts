// Plays the journeys one after the other: main.js EDITOR [NAME…]
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { api } from "./api-session";
import { ROOT, type Wishes } from "./editor";
import { play } from "./journey";
import { first } from "./journeys/first";
import { trouble } from "./journeys/trouble";
import { untrusted } from "./journeys/untrusted";
import { writing } from "./journeys/writing";

const JOURNEYS = [first, writing("dark"), writing("light"), trouble, untrusted];

async function main(): Promise<number> {
  const [editor, ...names] = process.argv.slice(2);
  if (editor === undefined) {
    console.error("Usage: main.js EDITOR [NAME…]; EDITOR is what install.sh prints.");
    return 2;
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "skillgauge-vscode-"));
  const wanted = (name: string): boolean => names.length === 0 || names.includes(name);
  let passed = 0;
  const failed: string[] = [];
  try {
    const base: Wishes = {
      editor,
      folder: path.join(scratch, "editor"),
      vsix: path.join(ROOT, `skillgauge-${version}.vsix`),
      env: { SKILLGAUGE_MODELS: modelsFolder() },
      fill: () => undefined,
    };
    for (const journey of JOURNEYS.filter(({ name }) => wanted(name))) {
      const result = await play(journey, base);
      passed += result.passed;
      if (result.failed) {
        failed.push(journey.name);
      }
    }
    if (wanted("api")) {
      const result = await api(base);
      passed += result.passed;
      if (result.failed) {
        failed.push("api");
      }
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
  console.log(
    `${passed} passed${failed.length > 0 ? `, failed: ${failed.join(", ")}` : ", none failed"}`,
  );
  return failed.length > 0 || passed === 0 ? 1 : 0;
}

/** Where the model lies that was installed for this user; the editor gets a home of its own. */
function modelsFolder(): string {
  const share = process.env["XDG_DATA_HOME"] ?? path.join(os.homedir(), ".local", "share");
  return process.env["SKILLGAUGE_MODELS"] ?? path.join(share, "skillgauge", "models");
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
