import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { stateFolder } from "../stores/state-folder.ts";
import type { OldFile } from "./file-session-store.ts";

/** Where a host's loops are kept: `stateDir`, else `sessions/` beside the store. */
export function sessionsFolder(stateDir: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (stateDir !== undefined && stateDir !== "") return resolve(stateDir);
  return join(stateFolder(env, process.platform, homedir()), "sessions");
}

/** Files in which the older generation kept its one loop (S0-09). */
export function oldStateFiles(stateDir: string | undefined, workdir: string): OldFile[] {
  const isOwn = stateDir !== undefined && stateDir !== "";
  if (isOwn) return [{ path: join(resolve(stateDir), "ralph-loop-state.json"), isTrusted: true }];
  return [{ path: join(workdir, ".supercoin", "ralph-loop-state.json"), isTrusted: false }];
}
