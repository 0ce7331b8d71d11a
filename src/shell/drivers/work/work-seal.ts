import { join } from "node:path";
import { sealedGateId } from "../../../core/contract/sealed.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { sealSlot, type SealSlot } from "../../../core/verification/sealed/judge-dispute.ts";
import type { SealedTip } from "../../../core/work/work-effect.ts";
import type { RolePlace } from "../../../core/work/work-observation.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import { openRunGit, type RunGit } from "../../git/run-git.ts";
import { candidateTree } from "../../git/trees/candidate.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import type { RunContext } from "../../run-context.ts";
import { replaceFiles } from "../../seal/accept-changes.ts";
import { importObjects, openSealStore, type SealStore } from "../../seal/copy/seal-store.ts";
import { createRunSeal, type RunSeal } from "../../seal/run-seal.ts";
import { readSeal, sealFolder, type SealRecord, writeSeal } from "../../seal/seal-record.ts";
import { type SealedRunStart, sealedCommandsOf } from "../seal-run.ts";
import { type BaseChecks, createBaseChecks } from "./base-checks.ts";

/** The seal of a work run: programs, packages and files of before the first turn, with the bases of its tasks and tips beside them. */
export type WorkSeal = {
  hash: string;
  /** What a task that begins in a place is compared with; kept in the seal. Rejects with a `RalphError` when it cannot be read. */
  takeBase(place: RolePlace): Promise<string>;
  /** Seals a role run by the base of its task. Null: nothing of it runs sealed. Rejects likewise. */
  sealRole(start: SealedRunStart, task: { base: string; taskId: string }): Promise<SealSlot | null>;
  /** Opens what a tip is verified by, and names its tree; the one before it is closed. Rejects likewise. */
  openTip(tip: SealedTip, task: { taskId: string }): Promise<{ seal: RunSeal; candidate: string }>;
  /** Removes the copies. */
  close(): Promise<void>;
};

/** Opens the seal that a work run remembers; null: it has none. Rejects with a `RalphError` when it was changed. */
export async function openWorkSeal(
  machine: Machine,
  run: RunRecord,
  note: RunContext["note"],
): Promise<WorkSeal | null> {
  const hash = run.frozen.work?.seal;
  if (hash === undefined) return null;
  const { disk, folder } = machine;
  const record = await readSeal(disk, sealFolder(folder, run.id), hash);
  const own = { ...machine, processes: processesOf(machine, run.frozen.settings), runId: run.id, frozen: run.frozen };
  const git = await openRunGit(own, { turnMarker: `${run.id}.seal/${process.pid}` });
  if (git === null) throw new RalphError("scm", `${run.frozen.projectDir} is no longer in a git repository.`);
  const content = join(sealFolder(folder, run.id), "repo.git");
  const store = await openSealStore({ disk, git: git.git, folder: content, own: git.store });
  const checks = createBaseChecks({ ...own, record, tell: (line) => void note("info", line) });
  return sealOf({ machine: own, run, record, git, store, checks, hash });
}

type Parts = {
  machine: Machine;
  run: RunRecord;
  record: SealRecord;
  git: RunGit;
  store: SealStore;
  checks: BaseChecks;
  hash: string;
};

function sealOf(parts: Parts): WorkSeal {
  const { run, checks, hash } = parts;
  const { frozen } = run;
  let tip: { name: string; opened: Awaited<ReturnType<WorkSeal["openTip"]>> } | null = null;
  const closeTip = async (): Promise<void> => {
    await tip?.opened.seal.close();
    tip = null;
  };
  return {
    hash,
    takeBase: (place) =>
      readable(frozen.projectDir, async () => {
        const base = frozen.work?.worktrees === null ? await projectTree(parts) : place.startCommit;
        if (base === null) throw new Error("it is not at a commit");
        await treeOf(parts, base);
        return base;
      }),
    sealRole: (start, task) => readable(frozen.projectDir, () => sealRole(parts, start, task)),
    openTip: (order, { taskId }) =>
      readable(frozen.projectDir, async () => {
        const candidate = order.commit === null ? await projectTree(parts) : await treeOf(parts, order.commit);
        const name = JSON.stringify([order.base, candidate, taskId]);
        if (tip?.name === name) return tip.opened;
        if (tip !== null) await checks.learn(tip.opened);
        await closeTip();
        const opened = { seal: await sealTip(parts, order.base, taskId), candidate };
        checks.watch(opened);
        tip = { name, opened };
        return opened;
      }),
    close: closeTip,
  };
}

/** What a person can repair ends one task and not the work run. */
async function readable<Result>(projectDir: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    const reason = thrownText(cause);
    throw new RalphError("scm", `${projectDir} could not be sealed: ${reason}`);
  }
}

/** What the project directory would deliver now. */
async function projectTree({ git, run }: Parts): Promise<string> {
  const { settings, untrackedAtStart } = run.frozen;
  const rule = { stage: settings.scm?.stage ?? ("run" as const), untrackedAtStart: untrackedAtStart ?? null };
  return (await candidateTree(git, rule)).tree;
}

/** The tree of a commit or tree, with its objects in the seal. */
async function treeOf(parts: Parts, name: string): Promise<string> {
  const { git, store, record } = parts;
  const { head, isShallow } = record.history;
  const isKept = await store.call(["cat-file", "-e", `${name}^{tree}`]).then(
    () => true,
    () => false,
  );
  if (!isKept) {
    // Of a shallow history only the files are taken over.
    const wanted = isShallow ? [await resolved(git, name)] : [name];
    await importObjects(store, git, { wanted, known: head === null || isShallow ? [] : [head] });
  }
  return (await store.call(["rev-parse", "--verify", `${name}^{tree}`])).stdout.trim();
}

async function resolved({ git, store }: RunGit, name: string): Promise<string> {
  const end = await git(["rev-parse", "--verify", `${name}^{tree}`], { env: store.env });
  if (end.exitCode !== 0) throw new Error(`${name} is not there`);
  return end.stdout.trim();
}

async function sealRole(
  parts: Parts,
  { runId, frozen }: SealedRunStart,
  { base, taskId }: { base: string; taskId: string },
): Promise<SealSlot | null> {
  if (!frozen.contract.gates.some(({ id }) => id === sealedGateId)) return null;
  const { machine, git, run } = parts;
  const based = await onBase(parts, { base, taskId, commands: sealedCommandsOf(frozen) });
  const owner = { runId: run.id, top: git.store.start.repository.top };
  const record = { ...based, owner, contractHash: frozen.contract.hash };
  return { hash: await writeSeal(machine.disk, sealFolder(machine.folder, runId), record) };
}

async function sealTip(parts: Parts, base: string | null, taskId: string): Promise<RunSeal> {
  const { machine, run, record } = parts;
  const { frozen } = run;
  const commands = sealedCommandsOf(withoutRoles(frozen));
  const based = await onBase(parts, { base: base ?? record.base, taskId, commands });
  const hash = await writeSeal(machine.disk, sealFolder(machine.folder, run.id), based, false);
  return createRunSeal({ ...machine, runId: run.id, frozen }, { hash, rules: frozen.settings.seal });
}

/** On a tip only the checks of the project are asked. */
function withoutRoles({ work: _work, ...frozen }: RunRecord["frozen"]): RunRecord["frozen"] {
  return frozen;
}

type Based = { base: string; taskId: string; commands: readonly string[] };

/** The seal of the work run with another base: that of a task or of a tip, with the tests that people accepted for the task. */
async function onBase(parts: Parts, { base, taskId, commands }: Based): Promise<SealRecord> {
  const { store, record, checks } = parts;
  const start = await treeOf(parts, base);
  const accepted = await acceptedFor(parts, taskId);
  const tree =
    accepted === null
      ? start
      : await replaceFiles(store, { base: start, candidate: accepted.base, paths: accepted.paths });
  const kind = (await store.call(["cat-file", "-t", base])).stdout.trim();
  const isNewer = kind === "commit" && !record.history.isShallow;
  return {
    ...record,
    base: tree,
    ...(accepted === null ? {} : { accepted: { start, paths: accepted.paths } }),
    history: isNewer ? { ...record.history, head: base } : record.history,
    commands: [...commands],
    checks: await checks.of(tree, commands),
  };
}

/** What people accepted for a task in one of its role runs; a later one has it from those before it. */
async function acceptedFor({ machine, run }: Parts, taskId: string): Promise<{ base: string; paths: string[] } | null> {
  const { store, disk, folder } = machine;
  const children = await store.list({ directory: null, limit: null, parentId: run.id });
  const own = children.filter(({ frozen }) => frozen.task?.id === taskId);
  for (const { id, state } of own.toSorted((one, other) => other.createdAt - one.createdAt)) {
    const slot = sealSlot(state.slots[sealedGateId]);
    const seal = slot === null ? null : await readSeal(disk, sealFolder(folder, id), slot.hash);
    if (seal?.accepted !== undefined) return { base: seal.base, paths: seal.accepted.paths };
  }
  return null;
}
