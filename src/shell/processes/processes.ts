import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { assert } from "../../core/assert.ts";
import type { ProcessIdentity, ProcessOrder, Processes, ProcessStart } from "../ports.ts";
import { endFamily } from "./end-family.ts";
import { createFamily } from "./family.ts";
import { createIdentities, systemTable } from "./identities.ts";
import { openEmitting, type OpenOutput } from "./output.ts";
import { createOutputPipes, type OutputPipe } from "./output-pipes.ts";
import type { ProcessTable } from "./process-table.ts";
import { runOnTerminal } from "./run-on-terminal.ts";
import { superviseProcess } from "./running-process.ts";
import { startFailure } from "./start-failure.ts";

export type ProcessesOptions = {
  table?: ProcessTable;
  /** How often the descendants of a running process are noted. */
  sampleMs?: number;
};

/** The processes of this machine. Whatever is started here is ended here, with all it started itself. */
export function createProcesses(options: ProcessesOptions = {}): Processes {
  const table = options.table ?? systemTable();
  const sampleMs = options.sampleMs ?? 2_000;
  return {
    start: (order) => start(order, table, sampleMs),
    runOnTerminal,
    ...createIdentities(table),
    endLeftovers: (turnMarker, recorded, killGraceMs, exempt = new Set()) =>
      endLeftovers({ table, turnMarker, recorded, killGraceMs, exempt }),
  };
}

// Descriptors belong to the whole program, however many ports it makes.
const outputPipes = createOutputPipes();

async function start(order: ProcessOrder, table: ProcessTable, sampleMs: number): Promise<ProcessStart> {
  if ((order.argv[0] ?? "") === "") return startFailure(order, null);
  const pipes = await outputPipes.open();
  const births = table.births();
  let child: ChildProcess;
  try {
    child = spawnDetached(order, pipes);
    if (child.pid === undefined) throw await new Promise<Error>((resolve) => child.once("error", resolve));
  } catch (error) {
    for (const pipe of pipes ?? []) pipe.abandon();
    return startFailure(order, error);
  }
  const stdout = pipes?.[0].read ?? openMade(child.stdout);
  const stderr = pipes?.[1].read ?? openMade(child.stderr);
  return { isStarted: true, process: superviseProcess({ child, stdout, stderr, order, table, births, sampleMs }) };
}

function openMade(stream: Readable | null): OpenOutput {
  assert(stream !== null, "output is always piped");
  return openEmitting(stream);
}

// Detached is a new session, and so a process group of its own, whose id is the child's pid.
function spawnDetached(order: ProcessOrder, pipes: [OutputPipe, OutputPipe] | null): ChildProcess {
  const [program = "", ...parameters] = order.argv;
  const { cwd, env } = order;
  const stdin = order.stdin === null ? "ignore" : "pipe";
  const stdio = [stdin, pipes?.[0].writeEnd ?? "pipe", pipes?.[1].writeEnd ?? "pipe"] as const;
  return spawn(program, parameters, { cwd, env, detached: true, stdio: [...stdio], windowsHide: true });
}

type LeftoverOptions = {
  table: ProcessTable;
  turnMarker: string;
  recorded: ProcessIdentity | null;
  killGraceMs: number;
  exempt: ReadonlySet<number>;
};

async function endLeftovers(options: LeftoverOptions): Promise<{ ended: number; survivors: number[] }> {
  const { table, turnMarker, recorded } = options;
  const since = recorded === null ? null : table.startedAtOf(recorded.startTime);
  // A process recorded in another boot is gone, and its pid may be anyone's. A turn of this very process is a function's:
  // only the turn marker tells its processes from the others that the program started.
  const root = since === null || recorded?.pid === process.pid ? null : recorded;
  const family = createFamily(table, { root, turnMarker, since: since ?? 0, births: null });
  family.exempt(options.exempt);
  const end = await endFamily({
    family,
    groupId: root?.pid ?? null,
    isRootRunning: () => false,
    settleMs: 0,
    graceMs: options.killGraceMs,
  });
  const survivors = new Set(end.survivors);
  assert(
    end.survivors.every((pid) => end.toldPids.has(pid)),
    "whoever survives was told to end",
  );
  return { ended: end.toldPids.size - survivors.size, survivors: end.survivors };
}
