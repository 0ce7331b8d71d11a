import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureOutput } from "../lib/captured-output.ts";
import type { Processes } from "../ports.ts";

/** It takes a second; on a machine that is this busy hooks start without it. */
const compileWallMs = 30_000;
const killGraceMs = 1000;

/**
 * Lets the Node that the host will use compile the hooks ahead: the one on the PATH, which is often not ours. Null when it did, else
 * why not, in a few words. Hooks work without it.
 */
export async function compileHooks(
  script: string,
  { processes, env }: { processes: Pick<Processes, "start">; env: Readonly<Record<string, string>> },
): Promise<string | null> {
  const complaint = captureOutput(1000, "tail");
  const turnMarker = `plugin.${process.pid}`;
  const start = await processes.start({
    purpose: "tool",
    argv: ["node", script],
    cwd: tmpdir(),
    env: { ...env, RALPH_TURN: turnMarker },
    stdin: null,
    turnMarker,
    idleMs: null,
    wallMs: compileWallMs,
    killGraceMs,
    onStdout: () => undefined,
    onStderr: (chunk) => {
      complaint.add(chunk);
      return undefined;
    },
  });
  if (!start.isStarted) return start.message;
  const end = await start.process.ended;
  if (end.timedOut !== null) return `it took longer than ${compileWallMs / 1000} s`;
  return end.exitCode === 0 ? null : complaint.text().trim() || `exit code ${end.exitCode ?? "none"}`;
}

/** Removes what was compiled, for every Node. */
export function forgetCompiled(stateFolder: string): void {
  rmSync(join(stateFolder, "compiled"), { recursive: true, force: true });
}
