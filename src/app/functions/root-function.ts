import { RalphError } from "../../core/ralph-error.ts";
import type { Processes } from "../../shell/ports.ts";
import { type CallEnd, withFunction } from "./function-process.ts";

/** Runs the root agent of a supervised task once. Must not reject; null is exit code 0. */
export type RootFunction = (signal: AbortSignal) => Promise<Error | null>;

/** Processes where the command of functions runs the root agent of a supervised task, in this very process. */
export function withRootFunction(processes: Processes, runRoot: RootFunction): Processes {
  return withFunction(processes, async (order, { signal }) => {
    const error = await runRoot(signal);
    if (error !== null) void order.onStderr(Buffer.from(`${error.message}\n`));
    return endOf(error);
  });
}

function endOf(error: Error | null): CallEnd {
  if (error === null) return { exitCode: 0 };
  if (isFatal(error)) return { exitCode: 1, startError: { kind: "not-found", message: error.message } };
  return { exitCode: "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : 1 };
}

/** Not there, not allowed, or wrongly configured: trying again is useless (S3-33). */
function isFatal(error: Error): boolean {
  if (error instanceof RalphError) return ["usage", "settings", "agent", "prompt"].includes(error.code);
  return "code" in error && (error.code === "ENOENT" || error.code === "EACCES");
}
