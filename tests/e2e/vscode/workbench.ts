// What a user does with the workbench, in terms of keys and of what is seen.
import * as fs from "node:fs";
import * as path from "node:path";
import type { Locator, Page } from "playwright-core";
import { ROOT } from "./editor";

export const PICTURES = process.env["SKILLGAUGE_PICTURES"] ?? path.join(ROOT, "out", "vscode");

export class Workbench {
  constructor(
    readonly page: Page,
    private readonly prefix: string,
  ) {}

  /** Keeps a picture of the window as it is. */
  async picture(name: string): Promise<void> {
    fs.mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: path.join(PICTURES, `${this.prefix}-${name}.png`) });
  }

  /** Does something until its effect shows: a key is swallowed while providers settle. */
  async insist(act: () => Promise<unknown>, effect: Locator, tries = 6): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await act();
      try {
        await effect.waitFor({ timeout: 8000 });
        return;
      } catch (error) {
        if (attempt === tries) {
          throw error;
        }
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Runs a command from the palette. */
  async command(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await this.insist(() => this.page.keyboard.press("F1"), input);
    await input.fill(`>${title}`);
    await this.row(title).waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Opens a file of the workspace by name. */
  async open(name: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await this.insist(() => this.page.keyboard.press("Control+p"), input);
    await input.fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row").first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page
      .locator(".tab.active", { hasText: path.basename(name) })
      .first()
      .waitFor();
  }

  row(text: string | RegExp): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  }

  line(text: string | RegExp): Locator {
    return this.page.locator(".editor-instance .view-line", { hasText: text }).first();
  }

  lens(text: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration", { hasText: text }).first();
  }

  problem(text: string | RegExp): Locator {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text }).first();
  }

  tree(text: string | RegExp): Locator {
    return this.skills().filter({ hasText: text }).first();
  }

  /** The rows of the tree of skills. */
  skills(): Locator {
    const header = this.page.locator(".pane-header", { hasText: /^Skills/i });
    return this.page.locator(".pane", { has: header }).locator(".monaco-list-row");
  }

  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-list-item", { hasText: text }).first();
  }

  /** Waits for a message, in the centre where toasts end up; a toast may be gone before it is seen. */
  async message(text: string | RegExp, ms = 60_000): Promise<Locator> {
    const end = Date.now() + ms;
    const found = this.toast(text);
    while (!(await found.isVisible())) {
      if (Date.now() > end) {
        throw new Error(`There is no message ${String(text)}`);
      }
      await this.command("Notifications: Show Notifications");
      await found.waitFor({ timeout: 4000 }).catch(() => undefined);
    }
    return found;
  }

  dialog(text: string | RegExp): Locator {
    return this.page.locator(".monaco-dialog-box", { hasText: text }).first();
  }

  button(text: string | RegExp): Locator {
    return this.page.locator(".monaco-button", { hasText: text }).first();
  }
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 60_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) {
      throw new Error(`Timed out: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
