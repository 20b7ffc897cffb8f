// The Python that is selected in an extension for Python, if there is one; neither is required.
import * as vscode from "vscode";

/** The part of the Python extension's interface that is used. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(
      path: unknown,
    ): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The part of the Python environments extension's interface that is used. */
interface EnvironmentsApi {
  getEnvironment(
    scope: vscode.Uri | undefined,
  ): Promise<{ readonly execInfo: { readonly run: { readonly executable: string } } } | undefined>;
  readonly onDidChangeEnvironment: vscode.Event<unknown>;
}

const WAIT = 5000;

/** Returns the path of the selected Python; undefined without one, or without such an extension. */
export async function selectedPython(log: vscode.LogOutputChannel): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  try {
    const python = await api<PythonApi>("ms-python.python");
    if (python) {
      const active = python.environments.getActiveEnvironmentPath(folder);
      const resolved = await inTime(python.environments.resolveEnvironment(active));
      return resolved?.executable.uri?.fsPath;
    }
    const environments = await api<EnvironmentsApi>("ms-python.vscode-python-envs");
    return (await inTime(environments?.getEnvironment(folder)))?.execInfo.run.executable;
  } catch (error) {
    log.warn(`The Python extension does not tell which Python is selected: ${String(error)}`);
    return undefined;
  }
}

/** Calls back when another Python is selected. */
export async function onPythonSelected(changed: () => void): Promise<vscode.Disposable[]> {
  const python = await api<PythonApi>("ms-python.python").catch(() => undefined);
  if (python) {
    return [python.environments.onDidChangeActiveEnvironmentPath(changed)];
  }
  const other = await api<EnvironmentsApi>("ms-python.vscode-python-envs").catch(() => undefined);
  return other ? [other.onDidChangeEnvironment(changed)] : [];
}

async function api<T>(id: string): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<T>(id);
  return extension ? await inTime(extension.activate()) : undefined;
}

/** Another extension may take its time, and ours must not wait for ever. */
async function inTime<T>(asked: Thenable<T> | undefined): Promise<T | undefined> {
  if (asked === undefined) {
    return undefined;
  }
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, WAIT);
  });
  try {
    return await Promise.race([asked, end]);
  } finally {
    clearTimeout(timer);
  }
}
