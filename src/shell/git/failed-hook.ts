import { join } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { Disk } from "../ports.ts";
import type { GitCall } from "./git.ts";
import type { ToolEnd } from "./run-tool.ts";

/** A hook that git ran and that failed. */
export type FailedHook = { name: string; exitCode: number };

/**
 * Runs a call of git and says which hook failed in it; git itself does not. It tells of its processes in a file beside the
 * store of the run.
 */
export async function watchHooks(
  place: { disk: Disk; folder: string },
  call: (options: GitCall) => Promise<ToolEnd>,
): Promise<{ end: ToolEnd; hook: FailedHook | null }> {
  const path = join(place.folder, "processes-of-git");
  place.disk.remove(path);
  try {
    const end = await call({ env: { GIT_TRACE2_EVENT: path } });
    return { end, hook: end.exitCode === 0 ? null : findFailedHook(readOrNothing(place.disk, path)) };
  } finally {
    place.disk.remove(path);
  }
}

/** The last hook that failed, of the first git that tells; hooks may start others. */
export function findFailedHook(text: string): FailedHook | null {
  const events = text.split("\n").flatMap(readEvent);
  const own = events.filter(({ sid }) => sid === events[0]?.sid);
  const failed = own.findLast(({ event, code }) => event === "child_exit" && typeof code === "number" && code !== 0);
  const start = own.find(({ event, child_id: id }) => event === "child_start" && id === failed?.child_id);
  if (failed === undefined || typeof start?.hook_name !== "string") return null;
  return { name: start.hook_name, exitCode: Number(failed.code) };
}

type TraceEvent = { event?: unknown; sid?: unknown; child_id?: unknown; hook_name?: unknown; code?: unknown };

function readEvent(line: string): TraceEvent[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    // Half a line, or none.
    return [];
  }
}

function readOrNothing(disk: Disk, path: string): string {
  try {
    return readSharedText(path, disk) ?? "";
  } catch {
    // A hook that starts a flood of gits: its name is not worth more.
    return "";
  }
}
