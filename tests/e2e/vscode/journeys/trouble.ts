// What goes wrong: a setting that names nothing, a server that keeps on ending.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyExamples, type Journey } from "../journey";

const SKILL = "skills/changelog-entry/SKILL.md";

export const trouble: Journey = {
  name: "trouble",
  wishes: (base) => {
    const program = path.join(base.folder, "workspace", "..", "skillgauge");
    return {
      ...base,
      fill: (workspace) => {
        copyExamples(workspace);
        const script =
          '#!/bin/sh\n[ "$1" = --version ] && echo "skillgauge 0.1.0" && exit 0\necho no use >&2\nexit 3\n';
        fs.writeFileSync(program, script, { mode: 0o755 });
      },
      settings: { "skillgauge.server.path": program, "skillgauge.heatMap.metric": 7 },
    };
  },
  play: async ({ editor, bench, step }) => {
    const { page } = bench;
    await step("a setting with a wrong value is said once, with a way to it", async () => {
      await page.goto(
        editor.url([["openFile", editor.remote(path.join(editor.workspace, SKILL))]]),
      );
      await bench.message("skillgauge.heatMap.metric is wrong");
    });
    await step("a server that keeps on ending is given up with one message and a log", async () => {
      await bench.message("ended five times");
      await bench.picture("1-given-up");
      const count = await page
        .locator(".notification-list-item", { hasText: "ended five times" })
        .count();
      if (count !== 1) {
        throw new Error(`${count} messages`);
      }
      await bench
        .toast("ended five times")
        .locator(".monaco-button", { hasText: "Show Log" })
        .click();
      await page.locator(".panel .view-line", { hasText: "exited with code 3" }).last().waitFor();
      await bench.picture("2-log");
    });
    await step("a path that is not there is said in words", async () => {
      const settings = path.join(editor.data, "Machine", "settings.json");
      const given = JSON.parse(fs.readFileSync(settings, "utf8")) as Record<string, unknown>;
      const wrong = {
        ...given,
        "skillgauge.server.path": "/nowhere/skillgauge",
        "skillgauge.heatMap.metric": "",
      };
      fs.writeFileSync(settings, JSON.stringify(wrong));
      await bench.message("skillgauge.server.path is wrong");
      await bench.picture("3-wrong-path");
    });
  },
};
