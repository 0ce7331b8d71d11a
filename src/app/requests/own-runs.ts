import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Forebear } from "../../shell/processes/lineage.ts";

/** Where the caller stands: what it descends from, and which runs there are. */
export type Caller = Pick<Machine, "host" | "isOwnerAlive"> & {
  store: Pick<Machine["store"], "list" | "find">;
  /** The calling process first. */
  lineage: readonly Forebear[];
};

/** A loop inside a host's session, as far as the rule needs it. */
export type LivingSession = { id: string; directory: string };

/** Refuses to change the run that the caller is a turn or a check of, and the runs that one is part of. */
export async function refuseOwnRun(caller: Caller, run: Pick<RunRecord, "id">): Promise<void> {
  const own = await ownRuns(caller);
  if (own.some(({ id }) => id === run.id)) throw refusal(`Run ${run.id} cannot be changed from inside itself.`);
}

/** Refuses to change the loop of the session that the caller is a tool of. */
export function refuseOwnSession({ lineage }: Pick<Caller, "lineage">, { id }: Pick<LivingSession, "id">): void {
  if (isSaid(lineage, id)) throw refusal(`The loop of session ${id} cannot be changed from inside itself.`);
}

/** Refuses to change tasks, files or settings of a project from inside a run or a session loop of that project. */
export async function refuseOwnProject(
  caller: Caller,
  directory: string,
  sessions: readonly LivingSession[],
): Promise<void> {
  const own = await ownRuns(caller);
  const run = own.find(({ directory: locked, frozen }) => [locked, frozen.projectDir].includes(directory));
  const session = sessions.find((each) => each.directory === directory && isSaid(caller.lineage, each.id));
  const id = run?.id ?? session?.id;
  if (id !== undefined) throw refusal(`${directory} cannot be changed from inside run ${id}, which works there.`);
}

/** What all runs of one user share. */
export type SharedThing = "plugins" | "keys";

/** Refuses to change what all runs of this user share, from inside any run. */
export async function refuseInsideRun(caller: Caller, thing: SharedThing): Promise<void> {
  const [run] = await ownRuns(caller);
  if (run !== undefined) throw refusal(`${names[thing]} cannot be changed from inside run ${run.id}.`);
}

const names: Readonly<Record<SharedThing, string>> = { plugins: "Plugins", keys: "Keys" };

function refusal(sentence: string): RalphError {
  return new RalphError("own-run", sentence, "An agent cannot act on its own run. Do it from another terminal.");
}

/**
 * The runs whose driver, turn or check the caller descends from, with those they are part of. Runs that the caller
 * started itself are not among them.
 */
async function ownRuns(caller: Caller): Promise<RunRecord[]> {
  const { store, lineage } = caller;
  const held = await store.list({ directory: null, limit: null, isHeld: true });
  const own = new Map<string, RunRecord>();
  for (const run of held) if (await isAbove(run, caller)) own.set(run.id, run);
  const named = [...namedRuns(lineage), ...Array.from(own.values(), ({ parentId }) => parentId)];
  for (let id = named.pop(); id !== undefined; id = named.pop()) {
    const run = id === null || own.has(id) ? undefined : await exactRun(store, id);
    if (run === undefined) continue;
    own.set(run.id, run);
    named.push(run.parentId);
  }
  return [...own.values()];
}

/**
 * By parents: the driver or the process of its turn is among them. By session: a turn is started in one of its own, and
 * while its driver lives nobody else gets that number. The driver's session proves nothing: it is a person's terminal. By PID
 * namespace: inside that of a turn numbers are others, and nobody but the turn's processes is there.
 */
async function isAbove({ owner, state }: RunRecord, { lineage, host, isOwnerAlive }: Caller): Promise<boolean> {
  const { turnProcess } = state;
  const isDrivenHere = owner !== null && owner.host === host && (await isOwnerAlive(owner));
  return lineage.some(({ pid, startTime, sessionId, namespace }) => {
    const isOneOf = [owner, turnProcess].some((known) => known?.pid === pid && known.startTime === startTime);
    if (isOneOf || !isDrivenHere || turnProcess === null) return isOneOf;
    if (namespace !== undefined && namespace === turnProcess.ownNamespace) return true;
    const isNumberedAlike = owner.namespace === undefined || namespace === undefined || namespace === owner.namespace;
    return isNumberedAlike && sessionId === turnProcess.pid;
  });
}

/** By turn marker: every process of a turn is started with it, and its children inherit it. */
function namedRuns(lineage: readonly Forebear[]): (string | null)[] {
  return lineage.flatMap(({ environment }) =>
    environment.flatMap((setting) => {
      const match = /^RALPH_(?:RUN_ID=(?<run>.+)|TURN=(?<turn>.+)\.\d+(?:\/.*)?)$/.exec(setting);
      return match === null ? [] : [match.groups?.["run"] ?? match.groups?.["turn"] ?? null];
    }),
  );
}

/** Hosts tell their tools the session's id, each by a variable of its own name. */
function isSaid(lineage: readonly Forebear[], sessionId: string): boolean {
  return lineage.some(({ environment }) => environment.some((setting) => setting.endsWith(`=${sessionId}`)));
}

async function exactRun(store: Caller["store"], id: string): Promise<RunRecord | undefined> {
  const found = await store.find(id);
  return found.find((run) => run.id === id);
}
