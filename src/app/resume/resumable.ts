import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { readLineage } from "../../shell/processes/lineage.ts";
import {
  checkFunctionKind,
  functionsOf,
  howToResume,
  missingFunctions,
  noFunctions,
  type OwnFunctions,
  unknownFunctions,
} from "../functions/own-functions.ts";
import { chooseRun } from "../query/find/choose-run.ts";
import { isDriven } from "../query/find/is-driven.ts";
import { isUnfinished } from "../query/find/runs-of.ts";
import type { RunName, TargetContext } from "../query/find/target.ts";
import { refuseOwnRun } from "../requests/own-runs.ts";

/** A run that can continue. `taskId`: one role of a work run was named, and an answer is for it. */
export type Resumable = { run: RunRecord; taskId: string | null };

/**
 * The run that a resume means: the named one, else the newest unfinished one. Throws when it cannot continue, also because
 * it needs functions that the caller does not have.
 */
export async function chooseResumable(
  machine: Machine & TargetContext,
  name: RunName,
  given: OwnFunctions = noFunctions,
): Promise<Resumable> {
  const chosen = await chooseRun(machine, name, isUnfinished, {
    nothing: "There is no unfinished run",
    inSession,
  });
  const run = (await isDriven(machine, chosen)) ? chosen : await workOf(machine, chosen);
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (run.kind === "session")
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is a loop of a session, and continues only there.`,
      "Type /ralph with the task in that session.",
    );
  if (!isUnfinished(run))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is ${run.outcome?.name}; that is final.`,
      "Start a new one with `ralph run`.",
    );
  if (!(await isDriven(machine, run))) requireFunctions(machine, run, given);
  return { run, taskId: chosen.frozen.task?.id ?? null };
}

/** A run of a program continues only where its functions and kinds of gates are. */
function requireFunctions({ gateKinds }: Machine, run: RunRecord, given: OwnFunctions): void {
  const known = new Set([checkFunctionKind, ...gateKinds.map(({ name }) => name)]);
  const kinds = new Set((run.frozen.contract?.gates ?? []).map(({ kind }) => kind).filter((kind) => !known.has(kind)));
  const missing = [
    ...missingFunctions(functionsOf(run), given),
    ...Array.from(kinds, (kind) => `gates of the kind ${kind}`),
  ];
  if (missing.length > 0)
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} needs functions of the program that started it: ${missing.join("; ")}.`,
      `Resume it with: ${howToResume(run)}. To end it: ralph cancel ${run.id}`,
    );
  const unknown = unknownFunctions(functionsOf(run), given);
  if (unknown.length > 0)
    throw new RalphError(
      "usage",
      `Run ${run.id} was started without ${unknown.join(" and ")}; its agent and checks are frozen.`,
      "Leave that out, or start a new run with it.",
    );
}

/** A role is resumed as part of its work run, which knows what the other roles used and did. */
async function workOf(machine: Machine, run: RunRecord): Promise<RunRecord> {
  const [parent] = run.parentId === null ? [] : await machine.store.find(run.parentId);
  if (parent === undefined) return run;
  if (await isDriven(machine, parent))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is part of work ${parent.id}, which is still running.`,
      `Wait for its end, then: ralph resume ${run.id}`,
    );
  return parent;
}

function inSession(id: string): RalphError {
  return new RalphError(
    "not-resumable",
    `The run of session ${id} is alive and continues only in its session.`,
    `Look at it with: ralph show ${id}`,
  );
}
