import type { HookedRun } from "../adapter.ts";
import { hasFlag } from "../command-line.ts";

/** The stop hook asks git; the others only look at what they are given. */
const stopSeconds = 60;
const otherSeconds = 15;

/** With these no hook is called, or settings of one's own are given, of which there can be only one. */
const ruledOutBy = ["--settings", "--bare", "--safe-mode"];

/**
 * Settings of one session that let it call our hooks: the guard, and on a task list context monitor and stop checks. Each
 * hook costs a process per call, so a run gives no more than it needs. `hook` starts the program.
 */
export function claudeHookFlags(hook: readonly string[], flags: readonly string[], kind: HookedRun): string[] | null {
  const [command = "", ...words] = hook;
  if (hasFlag(flags, ruledOutBy)) return null;
  const call = (name: string, timeout: number) => ({
    type: "command",
    command,
    args: [...words, name, "--host", "claude-code", "--for", "run", "--timeout", String(timeout)],
    timeout,
  });
  const guard = { PreToolUse: [{ matcher: "*", hooks: [call("pre-tool-use", otherSeconds)] }] };
  if (kind === "run") return ["--settings", JSON.stringify({ hooks: guard })];
  const hooks = {
    SessionStart: [{ hooks: [call("session-start", otherSeconds)] }],
    ...guard,
    PostToolUse: [{ matcher: "*", hooks: [call("post-tool-use", otherSeconds)] }],
    Stop: [{ hooks: [call("stop", stopSeconds)] }],
  };
  return ["--settings", JSON.stringify({ hooks })];
}
