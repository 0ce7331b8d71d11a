import { homedir } from "node:os";
import { ampAdapter } from "./agents/amp/amp-adapter.ts";
import { claudeAdapter } from "./agents/claude/claude-adapter.ts";
import { codexAdapter } from "./agents/codex/codex-adapter.ts";
import { commandAdapter } from "./agents/command/command-adapter.ts";
import { opencodeAdapter } from "./agents/opencode/opencode-adapter.ts";
import type { AdapterList } from "./agents/registry.ts";
import { createSimAdapter } from "./agents/sim/sim-adapter.ts";
import { createDisk } from "./disk.ts";
import type { Machine } from "./machine.ts";
import { createProcesses, hostName } from "./processes/processes.ts";
import { realClock } from "./real-clock.ts";
import { treeFingerprint } from "./scm/tree-fingerprint.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import { stateFolder } from "./stores/state-folder.ts";

/** SIGTERM to SIGKILL (design §8). `RALPH_KILL_GRACE_MS` shortens it for tests. */
const killGraceMsDefault = 5000;

/** Every agent this program knows. `selfArgv` starts this program again. */
export function allAgents(selfArgv: readonly string[]): AdapterList {
  const imitated = [claudeAdapter, codexAdapter, ampAdapter, opencodeAdapter];
  return { known: [...imitated, createSimAdapter(selfArgv, imitated)], fallback: commandAdapter };
}

/** The one place that knows every implementation. A test replaces ports through `fakes`. */
export async function wire(fakes: Partial<Machine> = {}): Promise<Machine> {
  const env = fakes.env ?? ownEnvironment();
  const folder = fakes.folder ?? stateFolder(env, process.platform, homedir());
  const processes = fakes.processes ?? createProcesses();
  const host = fakes.host ?? hostName();
  return {
    clock: realClock,
    processes,
    disk: createDisk(),
    store: fakes.store ?? (await openSqliteStore({ folder })),
    folder,
    host,
    env,
    agents: allAgents([process.execPath, process.argv[1] ?? ""]),
    random: Math.random,
    killGraceMs: Number(env["RALPH_KILL_GRACE_MS"] ?? killGraceMsDefault),
    fingerprint: treeFingerprint,
    isOwnerAlive: (owner) => owner.host !== host || processes.isAlive(owner),
    ...fakes,
  };
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
