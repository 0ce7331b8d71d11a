import { claudePlugin } from "./agents/claude/claude-plugin.ts";
import { opencodePlugin } from "./agents/opencode/opencode-plugin.ts";
import { createDisk } from "./lib/disk.ts";
import { children } from "./gates/children.ts";
import { criterion } from "./gates/criterion.ts";
import type { GateKind } from "./gates/gate-kind.ts";
import { guardrail } from "./gates/guardrail.ts";
import { heldOut } from "./gates/held-out.ts";
import { sealed } from "./gates/sealed.ts";
import { sealedTurn } from "./gates/sealed-turn.ts";
import { taskList } from "./gates/task-list.ts";
import type { Machine } from "./machine.ts";
import { standingSinks } from "./sinks/standing-sinks.ts";
import type { PluginHost } from "./plugins/plugin-host.ts";
import { createProcesses } from "./processes/processes.ts";
import { probePidNamespace, withPidNamespace } from "./seal/namespace/pid-namespace.ts";
import { createFileArtefacts } from "./stores/file-artefacts.ts";
import { createLivenessWorld } from "./supervise/records/run-liveness.ts";
import { lookAt, treeFingerprint } from "./git/trees/tree-fingerprint.ts";
import { allAgents } from "./wire-agents.ts";
import { ownEnvironment, wireStore } from "./wire-store.ts";

/** SIGTERM to SIGKILL. `RALPH_KILL_GRACE_MS` shortens it for tests. */
const killGraceMsDefault = 5000;

/** Every kind of gate. Their order is the order in which an iteration asks them. */
export const gateKinds: readonly GateKind[] = [guardrail, sealedTurn, taskList, criterion, sealed, heldOut, children];

/** Every program our plugin lives in. */
export const pluginHosts: readonly PluginHost[] = [claudePlugin, opencodePlugin];

/** The part of a machine that needs no store: for what is said before a run begins, and for commands that begin none. */
export function wireProgram(): Pick<Machine, "disk" | "env" | "agents" | "selfArgv" | "processes"> {
  const selfArgv = [process.execPath, process.argv[1] ?? ""];
  const env = ownEnvironment();
  const processes = createProcesses();
  return {
    disk: createDisk(),
    env,
    agents: allAgents(selfArgv),
    selfArgv,
    processes: withPidNamespace(processes, () => probePidNamespace({ processes, env, directory: "/" })),
  };
}

/** The one place that knows every implementation. A test replaces ports through `fakes`. */
export async function wire(fakes: Partial<Machine> = {}): Promise<Machine> {
  const records = await wireStore(fakes);
  const program = wireProgram();
  const processes = fakes.processes ?? program.processes;
  const killGraceMs = Number(records.env["RALPH_KILL_GRACE_MS"] ?? killGraceMsDefault);
  const looking = { ...program, ...records, processes, killGraceMs };
  return {
    ...program,
    ...records,
    liveness: createLivenessWorld(),
    artefacts: createFileArtefacts({ folder: records.folder, disk: fakes.disk ?? program.disk }),
    gateKinds,
    sinks: standingSinks,
    random: Math.random,
    killGraceMs,
    fingerprint: (directory, run) =>
      treeFingerprint(lookAt(looking, directory, run?.runId), run, run === undefined ? "commits" : "content"),
    isOwnerAlive: async (owner) => processes.isAlive(owner),
    ...fakes,
  };
}
