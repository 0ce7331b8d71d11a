import { join } from "node:path";
import { expect } from "vitest";
import { createProtections, type ProtectRules } from "../../src/core/verification/protect/protection.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { planBinds } from "../../src/shell/seal/namespace/bind-plan.ts";
import { probeBubblewrap } from "../../src/shell/seal/namespace/bubblewrap.ts";
import type { NamespaceRules } from "../../src/shell/seal/namespace/namespace.ts";
import { runSealed, type SealedRun, type SealedRunOptions } from "../../src/shell/seal/copy/run-sealed.ts";
import { sealedEnvironment } from "../../src/shell/seal/namespace/sealed-environment.ts";
import type { SealedCopy } from "../../src/shell/seal/copy/sealed-copy.ts";
import type { WrittenTree } from "../../src/shell/seal/copy/tree-files.ts";
import { runCheckCommand, shellArgv, type CommandEnd } from "../../src/shell/processes/run-check-command.ts";
import { newMarker } from "../process/start-program.ts";
import { noRules, type SealScene } from "./seal-scene.ts";

const processes = createProcesses();
const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** What this machine can do; suites of namespaces are left out where it is null. */
export const { bubblewrap } = await probeBubblewrap({ processes, env, directory: "/" });

/** How a command is run in a copy. */
export type CheckOptions = {
  scene: SealScene;
  copy: SealedCopy;
  sealed: WrittenTree;
  isPlain?: boolean;
  rules?: Partial<ProtectRules>;
  namespace?: Partial<NamespaceRules>;
  report?: SealedRunOptions["report"];
  hostEnv?: Record<string, string>;
  directory?: string;
  wallMs?: number;
  path?: string;
};

/** Runs a shell command as a check in a copy that holds the sealed tree. */
export async function runIn(
  command: string,
  options: CheckOptions,
): Promise<SealedRun<CommandEnd> & { output: string }> {
  const { copy, sealed, scene } = options;
  const protections = createProtections({ ...noRules, ...options.rules });
  const files = sealed.files.map(({ path, mode, protection, from }) => ({
    path,
    mode,
    isReadOnly: (protection !== null || from === "merged") && !protections.isWritable(path),
  }));
  const turnMarker = newMarker();
  const { home, temporary } = copy;
  const environment = {
    env: options.hostEnv ?? {},
    path: options.path ?? env.PATH,
    home,
    temporary,
    kept: [],
    turnMarker,
    toolchains: {},
  };
  const objects = join(scene.store.folder, "objects");
  const namespace =
    bubblewrap === null || options.isPlain === true
      ? null
      : {
          bubblewrap,
          binds: planBinds(files),
          readOnly: [{ source: objects, target: objects }],
          caches: [],
          programs: [],
          network: "loopback" as const,
          ...options.namespace,
        };
  const order: SealedRunOptions = {
    copy,
    processes,
    env: sealedEnvironment(environment),
    directory: options.directory ?? "",
    namespace,
    protectedFiles: files.filter(({ isReadOnly }) => isReadOnly).map(({ path }) => path),
    isInTree: (path) => files.some((file) => file.path === path),
    report: options.report ?? null,
  };
  const result = await runSealed(order, (place) =>
    runCheckCommand(
      {
        argv: shellArgv(command),
        cwd: place.cwd,
        env: { ...place.env, REPORT: place.reportPath },
        stdin: null,
        turnMarker,
        wallMs: options.wallMs ?? null,
        log: null,
        output: { charsMax: 20_000, keep: "both" },
      },
      { processes: place.processes, killGraceMs: 500, signal: new AbortController().signal },
    ),
  );
  return { ...result, output: result.end.kind === "ended" ? result.end.output : "" };
}

/** The same, and the command must end with this code. */
export async function expectIn(command: string, exitCode: number, options: CheckOptions): Promise<string> {
  const { end, output } = await runIn(command, options);
  expect([command, end.kind === "ended" ? end.exitCode : end, output]).toEqual([command, exitCode, output]);
  return output;
}
