// The first time: no server anywhere. The extension says so once, asks, installs, and checks and scores.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyExamples, type Journey } from "../journey";

const SKILL = "skills/report-helper/SKILL.md";

export const first: Journey = {
  name: "first",
  wishes: (base) => ({
    ...base,
    env: { ...base.env, PATH: "/usr/local/bin:/usr/bin:/bin" },
    fill: copyExamples,
  }),
  play: async ({ editor, bench, step }) => {
    const { page } = bench;
    await step("the editor opens a skill", async () => {
      await page.goto(
        editor.url([["openFile", editor.remote(path.join(editor.workspace, SKILL))]]),
      );
      await bench.line("name: Claude_Reports").waitFor();
    });
    await step("it is said once that there is no server", async () => {
      await bench.message("found no server");
      await bench.picture("1-no-server");
    });
    await step("installing asks first, with folder and sizes", async () => {
      await bench
        .toast("found no server")
        .locator(".monaco-button", { hasText: "Install" })
        .click();
      await bench.dialog("environment of its own").waitFor();
      await bench.picture("2-consent");
    });
    await step("the environment is made, and the server runs from the extension", async () => {
      await bench.button("Install with Scores").click();
      await bench.message(/Fetching|Making/);
      await bench.picture("3-progress");
      await bench.lens(/structure \d/).waitFor({ timeout: 240_000 });
    });
    await step("scores come in the lens", async () => {
      await bench.lens(/C2 \d+%/).waitFor({ timeout: 120_000 });
      await bench.picture("4-lens");
    });
    await step("the environment is in the extension's own folder", () => {
      const own = path.join(editor.data, "User/globalStorage/skillgauge.skillgauge/environment");
      const stamp = JSON.parse(fs.readFileSync(path.join(own, "skillgauge.json"), "utf8")) as {
        device: string;
      };
      if (!["cpu", "gpu"].includes(stamp.device)) {
        throw new Error(`The stamp says ${stamp.device}`);
      }
      return Promise.resolve();
    });
  },
};
