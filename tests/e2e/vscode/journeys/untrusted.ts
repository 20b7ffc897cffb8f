// A workspace that isn't trusted: rules and scores work, and nothing that it names is started.
import * as fs from "node:fs";
import * as path from "node:path";
import { ROOT } from "../editor";
import { copyExamples, type Journey } from "../journey";

const SKILL = "skills/report-helper/SKILL.md";

export const untrusted: Journey = {
  name: "untrusted",
  wishes: (base) => ({
    ...base,
    trust: false,
    settings: {
      "skillgauge.server.interpreter": path.join(ROOT, ".venv/bin/python"),
      "security.workspace.trust.startupPrompt": "never",
      "security.workspace.trust.banner": "always",
    },
    fill: (workspace) => {
      copyExamples(workspace);
      const trap = path.join(workspace, "trap");
      fs.writeFileSync(trap, `#!/bin/sh\ntouch '${workspace}/sprung'\necho "skillgauge 9.9"\n`, {
        mode: 0o755,
      });
      // Python would import these if it were started in the workspace.
      for (const name of ["numpy", "yaml", "skillgauge"]) {
        fs.writeFileSync(
          path.join(workspace, `${name}.py`),
          `open(${JSON.stringify(`${workspace}/sprung`)}, "w")\n`,
        );
      }
      fs.mkdirSync(path.join(workspace, ".vscode"));
      const settings = { "skillgauge.server.path": trap, "skillgauge.server.interpreter": trap };
      fs.writeFileSync(path.join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
    },
  }),
  play: async ({ editor, bench, step }) => {
    const { page } = bench;
    await step("the workspace is in restricted mode", async () => {
      await page.goto(
        editor.url([["openFile", editor.remote(path.join(editor.workspace, SKILL))]]),
      );
      await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first().waitFor();
    });
    await step("rules work", async () => {
      await bench.command("Problems: Focus on Problems View");
      await bench.problem("No client reads").waitFor();
      // The editor's own checks are silent here, so ours must not leave this one to it.
      await bench.problem("The name holds capital letters").waitFor();
    });
    await step("scores work", async () => {
      await bench.lens(/C2 \d+%/).waitFor({ timeout: 120_000 });
      await bench.picture("1-restricted");
    });
    await step("there is no lift", async () => {
      const input = page.locator(".quick-input-widget input[type=text]");
      await bench.insist(() => page.keyboard.press("F1"), input);
      await input.fill(">Skillgauge: ");
      await bench.row("Skillgauge: Restart Server").waitFor();
      const titles = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
      await input.fill(">Skillgauge: Run Lift");
      await page
        .locator(".quick-input-list", { hasText: "No matching commands" })
        .or(bench.row("similar"))
        .first()
        .waitFor();
      await bench.picture("2-no-lift");
      await page.keyboard.press("Escape");
      if (titles.some((title) => /lift/i.test(title))) {
        throw new Error(titles.join("; "));
      }
    });
    await step("nothing of the workspace was started", () => {
      if (fs.existsSync(path.join(editor.workspace, "sprung"))) {
        throw new Error("A program or module of the workspace was run");
      }
      return Promise.resolve();
    });
  },
};
