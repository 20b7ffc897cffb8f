// The tree of skills in the explorer: worst first, each with its scores; a click goes to the worst lines.
import * as vscode from "vscode";
import { meanOf, percent, weakestFirst, worstLines, type Metric } from "./profile";
import type { ScoreStore } from "./scores";
import { counts, worstFinding, worstFirst, type Skill } from "./skills";

export type Node =
  | { readonly kind: "skill"; readonly skill: Skill }
  | {
      readonly kind: "metric";
      readonly skill: Skill;
      readonly code: string;
      readonly metric: Metric;
    }
  | { readonly kind: "findings"; readonly skill: Skill }
  | { readonly kind: "note"; readonly text: string };

/** Where the skills come from; tests bring their own. */
export interface Source {
  list(): Promise<readonly Skill[]>;
  /** Asks for the scores of a file that may not be open. */
  score(uri: vscode.Uri, stop: vscode.CancellationToken): Promise<void>;
}

/** More skills than this are listed, but not scored unless they are opened. */
const SCORED = 100;
const QUIET = 500;

export class SkillsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #listeners: vscode.Disposable[];
  #skills: readonly Skill[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stop = new vscode.CancellationTokenSource();

  constructor(
    private readonly source: Source,
    private readonly store: ScoreStore,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#view = vscode.window.createTreeView("skillgauge.skills", { treeDataProvider: this });
    this.#listeners = [
      this.#view,
      store.onDidChange(() => {
        this.#changed.fire(undefined);
      }),
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#skills === undefined) {
          this.soon();
        }
      }),
    ];
  }

  /** Has the skills listed anew, once nothing has asked for that for a moment. */
  soon(): void {
    clearTimeout(this.#timer);
    if (!this.#view.visible) {
      this.#skills = undefined;
      return;
    }
    this.#timer = setTimeout(() => {
      this.refresh().catch((error: unknown) => {
        this.log.error(`The skills can't be listed: ${String(error)}`);
      });
    }, QUIET);
  }

  /** Lists the skills, shows them, and then asks for scores one by one. */
  async refresh(): Promise<void> {
    this.#stop.cancel();
    this.#stop = new vscode.CancellationTokenSource();
    const stop = this.#stop.token;
    const isOver = (): boolean => stop.isCancellationRequested;
    const skills = await this.source.list();
    if (isOver()) {
      return;
    }
    this.#skills = skills;
    this.#changed.fire(undefined);
    for (const skill of this.#sorted().slice(0, SCORED)) {
      const uri = vscode.Uri.file(skill.path);
      if (isOver()) {
        return;
      }
      if (!this.store.of(uri)?.profile) {
        await this.source.score(uri, stop);
      }
    }
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return this.#sorted().map((skill) => ({ kind: "skill", skill }));
    }
    if (node.kind !== "skill") {
      return [];
    }
    const { skill } = node;
    const scored = this.store.of(vscode.Uri.file(skill.path));
    const metrics: Node[] = scored?.profile
      ? weakestFirst(scored.profile).map(([code, metric]) => ({
          kind: "metric",
          skill,
          code,
          metric,
        }))
      : [{ kind: "note", text: scored?.reason ? `No scores: ${scored.reason}` : "No scores yet" }];
    return [{ kind: "findings", skill }, ...metrics];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "skill":
        return this.#skillItem(node.skill);
      case "metric":
        return metricItem(node);
      case "findings":
        return findingsItem(node.skill);
      case "note":
        return new vscode.TreeItem(node.text);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#stop.cancel();
    for (const item of this.#listeners) {
      item.dispose();
    }
    this.#changed.dispose();
  }

  #sorted(): Skill[] {
    return worstFirst(
      this.#skills ?? [],
      (skill) => this.store.of(vscode.Uri.file(skill.path))?.profile,
    );
  }

  #skillItem(skill: Skill): vscode.TreeItem {
    const uri = vscode.Uri.file(skill.path);
    const profile = this.store.of(uri)?.profile;
    const item = new vscode.TreeItem(skill.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = skill.path;
    const { structure } = skill;
    const weakest = profile ? weakestFirst(profile)[0] : undefined;
    const parts = [structure ? `${structure.score} ${structure.grade}` : "not scored"];
    if (weakest) {
      parts.push(`${weakest[0]} ${percent(weakest[1].probability)}`);
    }
    item.description = parts.join(" · ");
    item.iconPath = new vscode.ThemeIcon("circle-filled", colorOf(structure?.grade));
    item.tooltip = tooltip(skill, meanOf(profile));
    item.command = reveal(uri, weakest?.[1], worstFinding(skill)?.line);
    return item;
  }
}

function metricItem({ skill, code, metric }: Node & { kind: "metric" }): vscode.TreeItem {
  const item = new vscode.TreeItem(`${code} ${metric.name}`);
  const surface = metric.label === "surface" ? " (surface)" : "";
  item.description = `${percent(metric.probability)}${surface}`;
  const level =
    (metric.probability ?? 0) < 0.25 ? "F" : (metric.probability ?? 0) < 0.5 ? "C" : "A";
  item.iconPath = new vscode.ThemeIcon("dash", colorOf(level));
  item.command = reveal(vscode.Uri.file(skill.path), metric, undefined);
  const lines = worstLines(metric);
  item.tooltip = lines
    ? `Pulled down most by line${lines.first === lines.last ? "" : "s"} ${[...new Set([lines.first, lines.last])].join(" to ")}`
    : "No line pulls it down";
  return item;
}

function findingsItem(skill: Skill): vscode.TreeItem {
  const item = new vscode.TreeItem(counts(skill));
  const worst = worstFinding(skill);
  item.iconPath = new vscode.ThemeIcon(worst ? "warning" : "pass");
  item.tooltip = worst ? `Line ${worst.line}: ${worst.message}` : "";
  item.command = reveal(vscode.Uri.file(skill.path), undefined, worst?.line);
  return item;
}

function reveal(
  uri: vscode.Uri,
  metric: Metric | undefined,
  line: number | undefined,
): vscode.Command {
  const lines = metric ? worstLines(metric) : undefined;
  const place = lines ?? (line === undefined ? undefined : { first: line, last: line });
  return {
    command: "skillgauge.revealWorst",
    title: "Go to the Worst Lines",
    arguments: [uri, place],
  };
}

/** Opens a skill with the lines selected. */
export async function revealLines(
  uri: vscode.Uri,
  place?: { first: number; last: number },
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  if (place === undefined) {
    return;
  }
  const last = Math.min(place.last, document.lineCount) - 1;
  const first = Math.min(place.first - 1, last);
  const range = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function tooltip(skill: Skill, mean: number | undefined): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(`${skill.path}\n`);
  const { structure } = skill;
  const lines = [
    structure ? `structure ${structure.score}, grade ${structure.grade}` : "",
    mean === undefined ? "" : `scores ${percent(mean)} on average`,
    counts(skill),
  ];
  return text.appendMarkdown(
    `\n\n${lines
      .filter(Boolean)
      .map((line) => `- ${line}`)
      .join("\n")}`,
  );
}

function colorOf(grade: string | undefined): vscode.ThemeColor {
  const names: Record<string, string> = {
    A: "green",
    B: "green",
    C: "yellow",
    D: "orange",
    F: "red",
  };
  return new vscode.ThemeColor(`charts.${names[grade ?? ""] ?? "foreground"}`);
}
