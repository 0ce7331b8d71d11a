import { taskListGateId } from "../../core/contract/task-list.ts";
import type { PolicyChange } from "../../core/run/policy.ts";
import type { RunBegin, RunState } from "../../core/run/state.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { revisedGuardrails } from "../../core/settings/run/prd-policy.ts";
import { readTaskFile } from "../../core/prd/list/read-task-file.ts";
import { consentNeeded } from "../../core/prd/list-run.ts";
import { findRevision, type ListVersion } from "../../core/prd/revision.ts";
import type { Revision } from "../../core/run/revision.ts";
import type { TaskListState } from "../../core/prd/task-list-state.ts";
import { assert } from "../../core/assert.ts";
import { reviseContract } from "../gates/freeze-contract.ts";
import type { GateKind } from "../gates/gate-kind.ts";
import type { Store } from "../ports.ts";
import { asOwn } from "../lib/as-own.ts";
import { readOrProblem } from "./list-files.ts";
import { beginOf, type ListContext, listState, requireList, textOf, treePlace } from "./prd-work.ts";
import { lookAtTree } from "./work-tree.ts";

/** Where a list is compared with what its run last knew. */
export type RevisionContext = Pick<ListContext, "frozen" | "disk"> & { store: Pick<Store, "getBlob"> };

/** The list as people left it, and what they changed; null: nothing. */
export type RevisedList = { begin: RunBegin; revision: Revision | null; change: PolicyChange };

/** The list as the last turn's end left it: whatever differs now, people changed. Null while an agent may be at work on it. */
export function peoplesList({ slots, dueGates }: Pick<RunState, "slots" | "dueGates">): TaskListState | null {
  return dueGates.includes(taskListGateId) ? null : asOwn<TaskListState | null>(slots[taskListGateId] ?? null);
}

/** What people changed since the last turn's end. Throws a `RalphError` when the list cannot be worked on. */
export async function readRevision(context: RevisionContext, known: TaskListState): Promise<Revision | null> {
  return findRevision(await knownVersion(context, known), readVersion(context).version);
}

/** The same with the list itself, which takes the place of the known one. */
export async function openRevisedList(
  context: ListContext & RevisionContext & { gateKinds: readonly GateKind[] },
  known: TaskListState,
  former: number,
): Promise<RevisedList> {
  const { text, version } = readVersion(context);
  const revision = findRevision(await knownVersion(context, known), version);
  const look = await lookAtTree(treePlace(context, context.frozen.prd));
  const begin = beginOf(await listState(context, { text, look, ...version }));
  const { frozen } = context;
  const guardrails = revisedGuardrails(frozen.settings, frozen.prd, version.file.verifyCommands);
  const change = revision === null ? {} : await reviseContract(context.gateKinds, { frozen, guardrails, former });
  return { begin, revision, change };
}

/** Throws when a revision removes checks and nobody said that this is meant. */
export function requireConsent(revision: Revision | null, runId: string): void {
  const question = consentNeeded(revision);
  if (question !== null)
    throw new RalphError("task", question, `If that is meant: ralph resume ${runId} --accept-edits`);
}

function readVersion({ disk, frozen }: RevisionContext): { text: string; version: ListVersion } {
  const { text, file } = requireList(disk, frozen.prd);
  const prd = readOrProblem(disk, frozen.prd.folder, "prd.md");
  if (typeof prd !== "string") throw new RalphError("task", `${prd.problem}.`, "Restore it from git.");
  return { text, version: { file, prd } };
}

async function knownVersion({ store, frozen }: RevisionContext, known: TaskListState): Promise<ListVersion> {
  const { file } = readTaskFile(await textOf(store, known.copy));
  assert(file !== undefined, "the copy of a list is a list");
  return { file, prd: known.prd === undefined ? frozen.prd.prd : await textOf(store, known.prd) };
}
