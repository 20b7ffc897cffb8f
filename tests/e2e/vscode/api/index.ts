// The editor calls run() inside its extension host, and takes what it throws as failure.
import * as vscode from "vscode";
import { editing } from "./editing";
import { life } from "./life";
import { settle, type Tests } from "./support";

export async function run(): Promise<void> {
  const tests: Tests = { ...editing, ...life };
  let failed = 0;
  console.log(`# editor ${vscode.version}, ${vscode.env.appHost}`);
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok - ${name}`);
    } catch (error) {
      failed += 1;
      console.log(
        `not ok - ${name}\n${error instanceof Error ? (error.stack ?? "") : String(error)}`,
      );
    }
    await settle();
  }
  if (failed > 0) {
    throw new Error(`${failed} failed`);
  }
}
