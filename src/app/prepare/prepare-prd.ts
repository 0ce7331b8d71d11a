import { isAbout } from "../../core/contract/held-out.ts";
import { isListComplete } from "../../core/prd/choose-role.ts";
import { outcomeWithoutRun } from "../../core/prd/list-run.ts";
import { estimateIterations } from "../../core/prd/review-figures.ts";
import type { ReviewOptions, TaskFile } from "../../core/prd/list/task-file.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { prdPolicy, prdSettings } from "../../core/settings/run/prd-policy.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { Machine } from "../../shell/machine.ts";
import { branchWarning, ignoreWarning, switchBranch } from "../../shell/prd/folder/branch.ts";
import { settleListFiles } from "../../shell/prd/folder/commit-list.ts";
import { readOrProblem } from "../../shell/prd/list-files.ts";
import { requireList, treePlace } from "../../shell/prd/prd-work.ts";
import type { RalphFolder } from "../../shell/prd/folder/ralph-folder.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { drivenOf } from "../query/find/is-driven.ts";
import { withAgentOnPath } from "./find-agent.ts";
import { freezeRun } from "./freeze-run.ts";
import type { Program } from "./load-run-settings.ts";
import { refuseUnready, type Safety } from "./refuse-unready.ts";
import { type HeldOutWish, withHeldOut } from "./with-held-out.ts";

/** What a person asks of a run on a task list. */
export type PrdWish = {
  projectDir: string;
  folder: RalphFolder;
  loaded: LoadedSettings;
  isReviewSkipped: boolean;
  /** The flag that set the cap, for messages; null: the settings did. */
  capFlag: string | null;
  /** A list of held-out checks in the place of the project's own. */
  heldOutFile?: string | null;
  safety: Safety;
};

/** A run on a task list, ready to start; or its outcome, where no run is needed to know it. */
export type PreparedPrd = { known: Outcome } | { known: null; frozen: PrdFrozen; file: TaskFile };

/** A frozen run on a task list. */
export type PrdFrozen = FrozenRun & Required<Pick<FrozenRun, "prd">>;

/** Reads the list and freezes a run on it. Rejects with a `RalphError` when the list or the agents are not ready. */
export async function preparePrd(program: Program, wish: PrdWish): Promise<PreparedPrd> {
  const { folder, projectDir, isReviewSkipped, capFlag } = wish;
  const settings = await withAgentOnPath(program, wish.loaded.settings, projectDir);
  const loaded = { ...wish.loaded, settings };
  const { cap: reviewCap, atCap } = settings.review;
  const review = { isReviewSkipped, reviewCap, ...(capFlag === null ? {} : { capFlag }), atCap };
  const { file } = requireList(program.disk, { folder, review });
  const known = outcomeWithoutRun(file, review);
  if (known !== null) return { known };
  const list = await freezeList(program, { ...wish, loaded }, { file, review });
  const ids = new Set(file.tasks.map(({ id }) => id));
  const isAsked: HeldOutWish["isAsked"] = (check) => isAbout(check, ids);
  const frozen = await withHeldOut(program, list, { file: wish.heldOutFile ?? null, isAsked });
  await refuseUnready(program, frozen, wish.safety);
  return { known: null, frozen, file };
}

/**
 * What happens right before the start: the branch, and on it the files of the list, committed with delivery, else a
 * sentence says how. A directory that is worked on is left as it is; the start says who holds it.
 */
export async function settlePrd(
  machine: Machine,
  { frozen, file }: { frozen: PrdFrozen; file: TaskFile },
  { isBranchCreated, say }: { isBranchCreated: boolean; say: (line: string) => void },
): Promise<void> {
  const runs = await machine.store.list({ directory: frozen.projectDir, limit: 100 });
  if ((await drivenOf(machine, runs)).length > 0) return;
  // Of this process alone: what is left of a call is ended by its turn marker, and others may start at the same moment.
  const { git } = treePlace({ ...machine, runId: `start-${process.pid}`, frozen }, frozen.prd);
  const word = isBranchCreated ? await switchBranch(git, file.branchName) : await branchWarning(git, file.branchName);
  const { scm } = frozen.settings;
  const hasDelivery = scm !== null && scm.tasks.includes("commit");
  const list = await settleListFiles(git, { folder: frozen.prd.folder.name, hasDelivery });
  for (const line of [word, list, await ignoreWarning(git)]) if (line !== null) say(line);
  if (!isListComplete(file, frozen.prd.review)) for (const line of budgetLines(file, frozen)) say(line);
}

async function freezeList(
  program: Program,
  { projectDir, folder, loaded }: PrdWish,
  { file, review }: { file: TaskFile; review: ReviewOptions },
): Promise<PrdFrozen> {
  const isLimitGiven = loaded.layers.some((layer) => hasKey(layer, "maximumIterations"));
  const settings = prdSettings(loaded.settings, {
    iterations: isLimitGiven ? loaded.settings.maximumIterations : null,
    verifyCommands: file.verifyCommands,
  });
  const prd = readOrProblem(program.disk, folder, "prd.md");
  if (typeof prd !== "string") throw new RalphError("task", `${prd.problem}.`, "Restore it from git.");
  const prompt = readOrProblem(program.disk, folder, "prompt.md");
  if (typeof prompt !== "string") throw new RalphError("prompt", `${prompt.problem}.`, "Restore it from git.");
  if (prompt.trim() === "")
    throw new RalphError("prompt", `${folder.name}/prompt.md is empty.`, "Restore it from git.");
  return freezeRun(program, {
    projectDir,
    prompt: { kind: "file" as const, path: `${folder.path}/prompt.md` },
    settings,
    settingsFiles: loaded.files,
    policy: prdPolicy(settings),
    prd: {
      folder: { path: folder.path, name: folder.name },
      review,
      settingsGuardrails: loaded.settings.guardrails.length,
      reviewer: settings.review.agent,
      prd,
    },
  });
}

/** How many iterations it may take, against how many there are (S4-92, S4-98). */
function budgetLines(file: TaskFile, { prd, policy }: PrdFrozen): string[] {
  const { sentence, minimum, worst } = estimateIterations(file, prd.review);
  const { iterationsMax } = policy;
  const limit = iterationsMax === null ? "no limit" : `${iterationsMax} at most`;
  return [
    `${sentence} (at least ${minimum}, in the worst case ${worst}; ${limit}).`,
    ...(iterationsMax !== null && minimum > iterationsMax
      ? [`${iterationsMax} iterations cannot be enough; give more with -n, or resume later with -m.`]
      : []),
  ];
}

function hasKey({ value }: SettingsLayer, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}
