import {
  type ChainCheck,
  chainStart,
  type ChainWalk,
  endChain,
  followChain,
  type JournalChain,
} from "../../core/journal/chain.ts";
import { beginReplay, differingFields, type Replay, replayEntry } from "../../core/journal/replay.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord, Store } from "../../shell/ports.ts";
import { sha256 } from "../../shell/stores/sha256.ts";
import { endedRoles } from "../../core/work/open-work-state.ts";
import { runsOfWork } from "./find/role-runs.ts";

/**
 * What a check of a journal found. Intact: no entry was changed, and the engine leads from the first to the stored state,
 * as far as `unreplayed` and `isReplayed` say. Broken: at an entry, because what the run was started with was changed (`frozen`), or because of the fields of the state that differ.
 */
export type JournalCheck =
  | (Extract<ChainCheck, { isIntact: true }> & {
      /** False: an earlier version wrote the steps, and nothing says what they lead to. */
      isReplayed: boolean;
      /** Steps that an earlier version wrote. */
      unreplayed: number;
    })
  | { isIntact: false; seq: number | null; problem: string; fields: string[] };

/** The same of a run with what belongs to it: a work run has role runs, each with a journal. */
export type RunCheck = JournalCheck & { roles?: ({ id: string } & JournalCheck)[] };

/** Entries read at a time: a long journal is never held whole. */
const pageSize = 500;

/** Checks the journal of a run, and those of the role runs of a work run; one that is broken breaks the whole. */
export async function checkRun(machine: Pick<Machine, "store">, run: RunRecord): Promise<RunCheck> {
  const own = await checkJournal(machine, run);
  if (run.frozen.work === undefined) return own;
  const roles: NonNullable<RunCheck["roles"]> = [];
  for (const role of await runsOfWork(machine, run))
    roles.push({ id: role.id, ...(await checkJournal(machine, role)) });
  const problem = roleProblem(run, roles);
  if (!own.isIntact || problem === null) return { ...own, roles };
  return { isIntact: false, seq: null, problem, fields: [], roles };
}

/** What is wrong with the role runs of a work run: one is broken, or one that ended is not stored as its child any more. */
function roleProblem({ state }: RunRecord, roles: NonNullable<RunCheck["roles"]>): string | null {
  const broken = roles.find(({ isIntact }) => !isIntact);
  if (broken !== undefined) return `the journal of its role run ${broken.id} is broken`;
  const gone = endedRoles(state).find((id) => !roles.some((role) => role.id === id));
  return gone === undefined ? null : `its role run ${gone} is gone`;
}

/** Whether the journal of a run is unchanged and leads to the stored state; its evidence depends on it. */
export async function checkJournal({ store }: Pick<Machine, "store">, run: RunRecord): Promise<JournalCheck> {
  let walk = chainStart;
  let replay = beginReplay(run);
  for (;;) {
    const [stored = run] = await store.find(run.id);
    const { links, ...chain } = await store.readChain(run.id, walk.seq, pageSize);
    const followed = followChain(walk, links, sha256);
    // A living run writes on: only with nothing after them do the entries end at the head and at the state read before.
    if (links.length === 0 || followed.broken !== null) return conclude({ walk: followed, ...chain }, replay, stored);
    replay = await replayPage({ store, runId: run.id }, { replay, walk, links });
    walk = followed;
  }
}

type Page = { replay: Replay; walk: ChainWalk; links: { version: number }[] };

async function replayPage({ store, runId }: { store: Store; runId: string }, page: Page): Promise<Replay> {
  const entries = await store.readJournal(runId, page.walk.seq, page.links.length);
  return entries.reduce(
    (replay, entry, index) => replayEntry(replay, entry, page.links[index]?.version ?? 0),
    page.replay,
  );
}

type Followed = { walk: ChainWalk } & Pick<JournalChain, "head" | "frozenHash">;

function conclude({ walk, head, frozenHash }: Followed, replay: Replay, stored: RunRecord): JournalCheck {
  const chain = endChain(walk, head);
  if (!chain.isIntact) return { ...chain, fields: [] };
  // Before the replay, which follows what was frozen: entries that other settings do not lead to were not changed.
  if (walk.frozenHash !== null && walk.frozenHash !== frozenHash)
    return { isIntact: false, seq: null, problem: "what it was started with was changed", fields: ["frozen"] };
  if (replay.broken !== null) return { isIntact: false, ...replay.broken, fields: [] };
  const fields = differingFields(replay, stored);
  const problem = "its entries lead to another state than the stored one";
  if (fields.length > 0) return { isIntact: false, seq: null, problem, fields };
  return { ...chain, isReplayed: replay.position !== null, unreplayed: replay.unreplayed };
}
