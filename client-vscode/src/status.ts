// The status item of a skill's editor: server, model, device, and whether something is going on.
import * as vscode from "vscode";
import { CONFIG_GLOB, EVALS_GLOB, SKILL_GLOB } from "./documents";
import type { ScorerState } from "./doctor";
import type { State } from "./server";

const SELECTOR: vscode.DocumentSelector = [SKILL_GLOB, EVALS_GLOB, CONFIG_GLOB].map((pattern) => {
  return { scheme: "file", pattern };
});

export interface Shown {
  readonly text: string;
  readonly detail: string;
  readonly severity: vscode.LanguageStatusSeverity;
  readonly busy: boolean;
  readonly command: vscode.Command;
}

export class Status implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem("skillgauge.server", SELECTOR);
  #state: State = { kind: "stopped" };
  #scorer: ScorerState | undefined;
  #scoring = false;

  constructor() {
    this.#item.name = "Skillgauge";
    this.#show();
  }

  set state(state: State) {
    this.#state = state;
    this.#show();
  }

  set scorer(scorer: ScorerState | undefined) {
    this.#scorer = scorer;
    this.#show();
  }

  /** Whether a skill's scores are on their way. */
  set scoring(scoring: boolean) {
    if (scoring !== this.#scoring) {
      this.#scoring = scoring;
      this.#show();
    }
  }

  dispose(): void {
    this.#item.dispose();
  }

  #show(): void {
    const shown = describe(this.#state, this.#scorer);
    Object.assign(this.#item, shown, { busy: shown.busy || this.#scoring });
  }
}

const LOG: vscode.Command = { command: "skillgauge.showLog", title: "Show Log" };
const INSTALL: vscode.Command = { command: "skillgauge.installServer", title: "Install" };
const RESTART: vscode.Command = { command: "skillgauge.restartServer", title: "Restart" };

/** What is shown of a state. */
export function describe(state: State, scorer: ScorerState | undefined): Shown {
  const { Information, Warning, Error } = vscode.LanguageStatusSeverity;
  const calm = { severity: Information, busy: false, command: LOG };
  switch (state.kind) {
    case "stopped":
      return { ...calm, text: "Skillgauge", detail: "no server" };
    case "looking":
      return { ...calm, text: "Skillgauge", detail: "looking for a server", busy: true };
    case "starting":
      return {
        ...calm,
        text: `Skillgauge ${state.launch.version}`,
        detail: "starting",
        busy: true,
      };
    case "running":
      return { ...calm, text: `Skillgauge ${state.version}`, detail: scoring(scorer) };
    case "waiting": {
      const detail = `the server ended; again in ${state.seconds} s`;
      return { ...calm, text: "Skillgauge", detail, severity: Warning, busy: true };
    }
    case "missing":
      return {
        text: "Skillgauge",
        detail: "no server found",
        severity: Warning,
        busy: false,
        command: INSTALL,
      };
    case "wrong":
      return {
        ...calm,
        text: "Skillgauge",
        detail: `${state.setting}: ${state.why}`,
        severity: Error,
      };
    case "failed":
      return {
        text: "Skillgauge",
        detail: state.why,
        severity: Error,
        busy: false,
        command: RESTART,
      };
  }
}

function scoring(scorer: ScorerState | undefined): string {
  if (scorer === undefined) {
    return "rules";
  }
  return scorer.trouble
    ? `rules; no scores: ${scorer.trouble}`
    : `scores by ${scorer.model} on ${scorer.device}`;
}
