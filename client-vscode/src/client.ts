// Makes the language client: what it is told of, and what it tells the server.
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type DocumentSelector,
  type ErrorHandler,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";
import { GLOBS } from "./documents";
import type { Launch } from "./find/find";
import type { Logs } from "./log";
import { PREVIEW } from "./fix-preview";
import { isReport, showReport } from "./report";
import { serverOptions } from "./settings";

export type Client = LanguageClient;

const SELECTOR: DocumentSelector = [
  ...GLOBS.map((pattern) => ({ scheme: "file", pattern })),
  { scheme: "untitled", language: "skill" },
];

/** From this version on the editor knows SKILL.md itself; what it says and offers is left out. */
const KNOWS_SKILLS: readonly [number, number] = [1, 110];

/** The keys that it completes then. */
const COMPLETED = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "argument-hint",
  "context",
  "user-invocable",
  "disable-model-invocation",
]);

export interface Hooks {
  /** The server ended by itself. */
  closed(): void;
  /** Scores of a skill came or went. */
  scores(params: unknown): void;
  /** The quick fixes of a place, before they are shown. */
  fixes(document: vscode.TextDocument, actions: (vscode.Command | vscode.CodeAction)[]): void;
}

/** What goes wrong with the connection is told by us, once, and not by each client that was tried. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export function makeClient(launch: Launch, folder: string, logs: Logs, hooks: Hooks): Client {
  const server: ServerOptions = {
    command: launch.command,
    args: [...launch.args, "server"],
    // Never in the workspace, whose modules Python would find first.
    options: { cwd: folder, env: { ...process.env, ...launch.env } },
  };
  const client = new QuietClient("skillgauge", "Skillgauge", server, options(logs, hooks));
  client.registerFeature({
    fillClientCapabilities(capabilities) {
      capabilities.experimental = {
        ...(capabilities.experimental as object | undefined),
        skillgaugeScores: true,
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onNotification("skillgauge/scores", (params: unknown) => {
    hooks.scores(params);
  });
  return client;
}

function options(logs: Logs, hooks: Hooks): LanguageClientOptions {
  const errorHandler: ErrorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      hooks.closed();
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
  return {
    documentSelector: SELECTOR,
    initializationOptions: {
      ...hostOptions(),
      // Without trust the server starts no lift run, whatever is asked.
      trusted: vscode.workspace.isTrusted,
    },
    outputChannel: logs.server,
    traceOutputChannel: isTracing() ? logs.trace : undefined,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler,
    initializationFailedHandler: () => false,
    middleware: {
      workspace: {
        configuration: async (params, token, next) => {
          const found = await next(params, token);
          return Array.isArray(found)
            ? found.map((value, at) =>
                params.items[at]?.section === "skillgauge"
                  ? { ...serverOptions(value), ...hostOptions() }
                  : (value as unknown),
              )
            : found;
        },
        didChangeConfiguration: async (sections, next) => {
          await next(sections);
        },
      },
      window: {
        showDocument: async (params, token, next) => {
          if (isReport(params.uri) && (await showReport(vscode.Uri.parse(params.uri).fsPath))) {
            return { success: true };
          }
          return next(params, token);
        },
      },
      executeCommand: (command, args: unknown[], next) => {
        const active = vscode.window.activeTextEditor?.document.uri.toString();
        return next(
          command,
          args.length === 0 && active !== undefined ? [active] : args,
        ) as unknown;
      },
      provideCompletionItem: async (document, position, context, token, next) => {
        const found = await next(document, position, context, token);
        if (!found || document.languageId !== "skill" || !knowsSkills(vscode.version)) {
          return found;
        }
        const items = Array.isArray(found) ? found : found.items;
        const left = items.filter((item) => !isCompleted(item));
        return Array.isArray(found) ? left : new vscode.CompletionList(left, found.isIncomplete);
      },
      // The entry of our own is complete; the server would not know it.
      resolveCodeAction: (action, token, next) =>
        action.command?.command === PREVIEW ? action : next(action, token),
      provideCodeActions: async (document, range, context, token, next) => {
        const actions = await next(document, range, context, token);
        if (actions && context.only?.contains(vscode.CodeActionKind.Source) !== true) {
          hooks.fixes(document, actions);
        }
        return actions;
      },
    },
  };
}

/** The editor judges skills in workspaces that are trusted; in others the server says it all. */
function hostOptions(): { hostDiagnostics?: "vscode" } {
  const judges = knowsSkills(vscode.version) && vscode.workspace.isTrusted;
  return judges ? { hostDiagnostics: "vscode" } : {};
}

export function knowsSkills(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > KNOWS_SKILLS[0] || (major === KNOWS_SKILLS[0] && minor >= KNOWS_SKILLS[1]);
}

function isCompleted(item: vscode.CompletionItem): boolean {
  const label = typeof item.label === "string" ? item.label : item.label.label;
  return item.kind === vscode.CompletionItemKind.Property && COMPLETED.has(label);
}

function isTracing(): boolean {
  const level = vscode.workspace.getConfiguration("skillgauge").get<string>("trace.server", "off");
  return level !== "off";
}
