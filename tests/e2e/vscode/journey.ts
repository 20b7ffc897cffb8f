// A journey: one editor, one window, steps in a row. The first failed step ends it, with a picture.
import * as fs from "node:fs";
import * as path from "node:path";
import { openBrowser, ROOT, startEditor, type Editor, type Wishes } from "./editor";
import { Workbench } from "./workbench";

export interface Scene {
  readonly editor: Editor;
  readonly bench: Workbench;
  readonly step: (name: string, act: () => Promise<unknown>) => Promise<void>;
}

export interface Journey {
  readonly name: string;
  readonly wishes: (base: Wishes) => Wishes;
  readonly play: (scene: Scene) => Promise<void>;
}

/** Plays a journey; returns how many steps passed, and whether all did. */
export async function play(
  journey: Journey,
  base: Wishes,
): Promise<{ passed: number; failed: boolean }> {
  const start = Date.now();
  const say = (text: string): void => {
    console.log(
      `[${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s] ${journey.name}: ${text}`,
    );
  };
  let passed = 0;
  const wishes = journey.wishes(base);
  const editor = await startEditor(wishes);
  const { browser, page } = await openBrowser(wishes.folder);
  const bench = new Workbench(page, journey.name);
  const step = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      const told = await act();
      passed += 1;
      say(`ok - ${name}${typeof told === "string" ? `: ${told}` : ""}`);
    } catch (error) {
      say(
        `not ok - ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      await bench.picture("failed").catch(() => undefined);
      await bench.command("Notifications: Show Notifications").catch(() => undefined);
      await bench.picture("failed-messages").catch(() => undefined);
      throw new Failed();
    }
  };
  try {
    await journey.play({ editor, bench, step });
    return { passed, failed: false };
  } catch (error) {
    if (!(error instanceof Failed)) {
      throw error;
    }
    showLogs(editor);
    return { passed, failed: true };
  } finally {
    await browser.close();
    editor.stop();
  }
}

class Failed extends Error {}

/** Copies the example skills of the repository. */
export function copyExamples(workspace: string): void {
  fs.cpSync(path.join(ROOT, "examples", "skills"), path.join(workspace, "skills"), {
    recursive: true,
  });
}

/** What the extension wrote into its own channels. */
function showLogs(editor: Editor): void {
  const logs = path.join(editor.data, "logs");
  const files = fs.existsSync(logs)
    ? fs.readdirSync(logs, { recursive: true, encoding: "utf8" })
    : [];
  for (const name of files.filter((file) => /Skillgauge/.test(file))) {
    console.log(`--- ${name}\n${fs.readFileSync(path.join(logs, name), "utf8")}`);
  }
}
