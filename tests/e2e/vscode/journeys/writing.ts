// An author at work, in a dark or a light theme: findings, fixes, scores, heat map, tree, previews.
import * as fs from "node:fs";
import * as path from "node:path";
import { ROOT } from "../editor";
import { copyExamples, type Journey, type Scene } from "../journey";
import { until } from "../workbench";

const SKILL = "skills/report-helper/SKILL.md";
const THEMES = { dark: "Default Dark Modern", light: "Default Light Modern" };

export function writing(theme: keyof typeof THEMES): Journey {
  return {
    name: theme,
    wishes: (base) => ({
      ...base,
      fill: (workspace) => {
        copyExamples(workspace);
        fs.mkdirSync(path.join(workspace, ".vscode"));
        const settings = { "editor.codeActionsOnSave": { "source.fixAll.skillgauge": "explicit" } };
        fs.writeFileSync(
          path.join(workspace, ".vscode", "settings.json"),
          JSON.stringify(settings),
        );
      },
      settings: {
        "workbench.colorTheme": THEMES[theme],
        "window.autoDetectColorScheme": false,
        "skillgauge.server.interpreter": path.join(ROOT, ".venv/bin/python"),
        "[skill]": { "editor.wordWrap": "on" },
      },
    }),
    play: async (scene) => {
      await seeFindings(scene);
      await seeScores(scene);
      await useTree(scene);
      await fix(scene);
      await lookAround(scene);
    },
  };
}

async function seeFindings({ editor, bench, step }: Scene): Promise<void> {
  const { page } = bench;
  await step("the Problems panel has our findings", async () => {
    await page.goto(editor.url([["openFile", editor.remote(path.join(editor.workspace, SKILL))]]));
    await bench.line("name: Claude_Reports").waitFor();
    await bench.command("Problems: Focus on Problems View");
    await bench.problem("No client reads").waitFor();
    await bench.picture("problems");
  });
  await step("an error that is typed shows at once, and goes with it", async () => {
    await bench.line("name: Claude_Reports").click();
    await page.keyboard.press("End");
    await page.keyboard.type(": x");
    await bench.problem(/F011|colon ends the value/).waitFor();
    await bench.picture("typed");
    for (let count = 0; count < 3; count += 1) {
      await page.keyboard.press("Backspace");
    }
    await bench.problem(/F011|colon ends the value/).waitFor({ state: "detached" });
  });
  await step("a hover on a key says what it is", async () => {
    const hover = page.locator(".monaco-hover", { hasText: /clients|spec/i }).first();
    await bench.insist(async () => {
      await page.mouse.move(700, 500);
      await bench
        .line(/^license|licence/)
        .locator("span span")
        .first()
        .hover();
    }, hover);
    await bench.picture("hover");
  });
}

async function seeScores({ bench, step }: Scene): Promise<void> {
  const { page } = bench;
  await step("the lens has structure and scores", async () => {
    await bench.lens(/structure \d/).waitFor();
    await bench.lens(/C2 \d+%/).waitFor({ timeout: 120_000 });
  });
  await step("the heat map colours lines", async () => {
    await bench.command("Skillgauge: Toggle Heat Map");
    await until("coloured lines", async () => (await coloured(page)) > 2);
    await page.keyboard.press("Control+j"); // The panel hides half of the lines.
    await bench.line("name: Claude_Reports").click();
    await bench.picture("heat-map");
  });
}

/** How many lines have a background of their own. */
async function coloured(page: Scene["bench"]["page"]): Promise<number> {
  return page.evaluate(`
    [...document.querySelectorAll(".editor-instance .view-overlays .cdr[class*=ced-]")].filter((item) => {
      return !/rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(item).backgroundColor);
    }).length`);
}

async function useTree({ bench, step }: Scene): Promise<void> {
  const { page } = bench;
  await step("the tree has all skills, the worst first", async () => {
    const pane = page.locator(".pane-header", { hasText: /^Skills/i }).first();
    await bench.insist(() => pane.click(), bench.tree("report-helper"));
    await until(
      "the scores of all skills",
      async () => (await rows(bench)).filter((row) => / %$/.test(row)).length === 4,
    );
    const names = (await rows(bench)).filter((row) => / %$/.test(row));
    if (!names[0]?.startsWith("report-helper")) {
      throw new Error(`The order is ${names.join(" | ")}`);
    }
  });
  await step("a click goes to the worst lines", async () => {
    const twistie = bench.tree("report-helper").locator(".monaco-tl-twistie");
    await bench.insist(() => twistie.click(), bench.tree("9 warnings"));
    await bench.picture("tree");
    await twistie.click();
    await bench.tree("incident-review").click();
    await page.locator(".tab.active", { hasText: "SKILL.md" }).first().waitFor();
    await bench.line("name: incident-review").waitFor();
    await page.locator("#status\\.editor\\.selection", { hasText: /selected|Ln [2-9]/ }).waitFor();
    await bench.picture("worst-lines");
  });
}

async function rows(bench: Scene["bench"]): Promise<string[]> {
  const found = await bench.skills().allInnerTexts();
  return found.map((text) => text.replaceAll("\n", " ").trim());
}

async function fix({ editor, bench, step }: Scene): Promise<void> {
  const { page } = bench;
  const file = path.join(editor.workspace, SKILL);
  await step("the light bulb has the fix, and its preview is a diff", async () => {
    await bench.tree("report-helper").click();
    await bench.line("name: Claude_Reports").waitFor();
    const entry = page
      .locator(".action-widget .monaco-list-row", { hasText: "Preview fixes…" })
      .first();
    const open = async (): Promise<void> => {
      await bench.line(/^licence/).click();
      await page.keyboard.press("Control+.");
    };
    await bench.insist(open, entry);
    await bench.picture("quick-fixes");
    await page.keyboard.press("Escape");
    // A click may fall into the moment in which the list is drawn anew.
    await bench.insist(
      async () => {
        await bench.insist(open, entry);
        await entry.click();
      },
      page.locator(".tab.active", { hasText: "Change the key" }).first(),
    );
    await page.locator(".line-insert").first().waitFor();
  });
  await step("the fix applies from there", async () => {
    await bench.picture("diff");
    const apply = page
      .locator(".editor-actions .action-label[aria-label^='Apply This Fix']")
      .first();
    await apply.click();
    await page.locator(".tab", { hasText: "Change the key" }).waitFor({ state: "detached" });
    await bench.line(/^license/).waitFor();
  });
  await step("saving fixes all that is safe", async () => {
    const before = fs.readFileSync(file, "utf8");
    await bench.line("name: Claude_Reports").click();
    await bench.insist(
      () => page.keyboard.press("Control+s"),
      page.locator(".tab.active:not(.dirty)").first(),
    );
    await until("the fixed file on the disk", () =>
      /version: "1\.0"/.test(fs.readFileSync(file, "utf8")),
    );
    if (!/^license:/m.test(fs.readFileSync(file, "utf8")) || !/^licence:/m.test(before)) {
      throw new Error("The applied fix is not in the file");
    }
  });
}

async function lookAround({ bench, step }: Scene): Promise<void> {
  const { page } = bench;
  await step("the status item has server, model and device", async () => {
    const item = page.locator("#status\\.languageStatus");
    const text = page
      .locator(".hover-language-status", { hasText: /scores by smollm2.* on the (CPU|GPU)/ })
      .first();
    await bench.insist(async () => {
      await page.mouse.move(700, 300);
      await item.hover();
    }, text);
    await bench.picture("status");
  });
  await step("what the model receives opens beside", async () => {
    await bench.command("Skillgauge: Show What the Model Receives");
    await page.locator(".tab", { hasText: "preview.md" }).first().waitFor();
    await page
      .locator(".editor-instance .view-line", { hasText: /description|Claude|list/ })
      .first()
      .waitFor();
    await bench.picture("model-input");
  });
  await step("the report of a recorded lift run opens in a panel", async () => {
    await bench.command("Skillgauge: Show a Recorded Lift Run");
    await page.locator(".tab.active", { hasText: "Lift of" }).first().waitFor();
    const inner = page.locator("iframe.webview.ready").last().contentFrame().frameLocator("iframe");
    await inner.locator("h1", { hasText: "Lift of" }).waitFor();
    await bench.picture("report");
  });
  await step("the walkthrough opens", async () => {
    await bench.command("Skillgauge: Open Walkthrough");
    await page
      .locator(".gettingStartedContainer", { hasText: "Get started with Skillgauge" })
      .first()
      .waitFor();
    await bench.picture("walkthrough");
  });
}
