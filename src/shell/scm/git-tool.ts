import type { Machine } from "../machine.ts";
import { runTool, type ToolEnd } from "../git/run-tool.ts";

/** Calls git in a directory, by argv and without a terminal. */
export type Git = (directory: string, ...words: string[]) => Promise<ToolEnd>;

/** Git for what happens around runs; `runId` marks its processes. */
export function createGit(machine: Pick<Machine, "processes" | "env" | "killGraceMs">, runId: string): Git {
  const { processes, env, killGraceMs } = machine;
  let calls = 0;
  return (projectDir, ...words) => {
    calls += 1;
    const context = { processes, env, killGraceMs, runId, frozen: { projectDir } };
    // Nothing cuts it short: half a merge is worse than a second more.
    const { signal } = new AbortController();
    return runTool(context, { argv: ["git", ...words], marker: `${runId}.git/${calls}`, signal });
  };
}
