// Runs the tests in api/ inside the editor's own extension host.
import * as path from "node:path";
import { openBrowser, ROOT, startEditor, type Wishes } from "./editor";
import { copyExamples } from "./journey";

const PATIENCE = 240_000;

export async function api(base: Wishes): Promise<{ passed: number; failed: boolean }> {
  const editor = await startEditor({
    ...base,
    vsix: undefined,
    fill: copyExamples,
    settings: { "skillgauge.server.interpreter": path.join(ROOT, ".venv/bin/python") },
  });
  const { browser, page } = await openBrowser(base.folder);
  let passed = 0;
  try {
    await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => {
      const text = args
        .map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg)))
        .join(" ");
      if (/^(ok|not ok|#)/.test(text)) {
        console.log(`api: ${text}`);
        passed += /^ok/.test(text) ? 1 : 0;
      }
    });
    const status = new Promise<number>((resolve) => {
      setTimeout(() => {
        resolve(124);
      }, PATIENCE).unref();
      void page.exposeFunction("codeAutomationExit", resolve);
    });
    const tests = path.join(ROOT, "client-vscode/dist/e2e/api/index.js");
    await page.goto(
      editor.url([
        ["extensionDevelopmentPath", editor.remote(ROOT)],
        ["extensionTestsPath", editor.remote(tests)],
      ]),
    );
    const code = await status;
    if (code !== 0) {
      console.log(`api: the extension host ended with ${code}`);
    }
    return { passed, failed: code !== 0 };
  } finally {
    await browser.close();
    editor.stop();
  }
}
