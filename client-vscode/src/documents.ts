// Which documents the server is for; language ids differ between versions of the editor.
import type * as vscode from "vscode";

/** SKILL.md in any spelling. */
export const SKILL_GLOB = "**/[Ss][Kk][Ii][Ll][Ll].[Mm][Dd]";
export const EVALS_GLOB = "**/evals/**/*.{json,jsonl,yaml,yml}";
export const CONFIG_GLOB = "**/skillgauge.toml";

/** What diagnostics and navigation are asked for. */
export const GLOBS = [
  SKILL_GLOB,
  EVALS_GLOB,
  "**/{references,reference,resources}/**/*.md",
  CONFIG_GLOB,
  "**/pyproject.toml",
] as const;

export function isSkill(document: Pick<vscode.TextDocument, "uri" | "languageId">): boolean {
  return document.languageId === "skill" || /\/skill\.md$/i.test(document.uri.path);
}

/** Whether a document alone is a reason to start the server. */
export function needsServer(document: Pick<vscode.TextDocument, "uri" | "languageId">): boolean {
  const { scheme, path } = document.uri;
  if (scheme !== "file" && scheme !== "untitled") {
    return false;
  }
  return isSkill(document) || /\/(evals\/evals\.(json|jsonl|ya?ml)|skillgauge\.toml)$/i.test(path);
}
