import { requireRalphFolder } from "../shell/prd/folder/ralph-folder.ts";
import { newRunId } from "../shell/stores/run-id.ts";
import { type LoopHandle, openHandle } from "./loop-handle.ts";
import { preparePrd, settlePrd } from "./prepare/prepare-prd.ts";
import { flag, readOptions, text } from "./read-options.ts";
import { type CommonOptions, commonRules, realProjectDir, settingsOf, withMachine } from "./run-loop.ts";
import { startHere } from "./start/start-here.ts";

/**
 * What `runPrd` takes.
 *
 * @example
 * ```ts
 * import { type RunPrdOptions } from "ralph";
 *
 * const options: RunPrdOptions = { agent: "my-agent", skipReview: true, createBranch: true };
 * console.log(options.skipReview);
 * ```
 */
export type RunPrdOptions = CommonOptions & {
  /** The folder of the task list; `ralph` in the project unless told. */
  ralphDir?: string;
  /** Stories count as done without a review. */
  skipReview?: boolean;
  /** Switch to the branch that the list names, and make it where it is missing. */
  createBranch?: boolean;
  /** Start although nothing guards the commands of the agent. */
  unsafe?: boolean;
};

/**
 * Works through the task list of a project, every story implemented and reviewed in fresh contexts, in this process. The
 * run is an ordinary one: `ralph status`, `show`, `cancel` know it.
 *
 * @example
 * ```ts no-run
 * import { runPrd } from "ralph";
 *
 * const run = runPrd({ projectDir: ".", agent: "my-agent", createBranch: true });
 * for await (const event of run.events) if (event.kind === "said") console.log(event.text);
 * console.log((await run.outcome).name);
 * ```
 */
export function runPrd(options: RunPrdOptions): LoopHandle {
  const rules = { ...commonRules, ralphDir: text, skipReview: flag, createBranch: flag, unsafe: flag };
  const { signal, ralphDir = null } = readOptions("runPrd", options, rules);
  const id = newRunId(Date.now(), Math.random);
  return openHandle({ id, signal }, ({ talk, sink, connectionOf }) =>
    withMachine(options, sink, async (machine) => {
      const folder = requireRalphFolder(realProjectDir(options), ralphDir);
      const { projectDir, loaded } = await settingsOf(machine, options, { caller: "runPrd", say: talk.say });
      const prepared = await preparePrd(machine, {
        projectDir,
        folder,
        loaded,
        isReviewSkipped: options.skipReview ?? false,
        capFlag: null,
        safety: { isSandboxed: false, isUnsafe: options.unsafe ?? false },
      });
      if (prepared.known !== null) return { outcome: prepared.known };
      const how = { isBranchCreated: options.createBranch ?? false, say: talk.say };
      const prepare = (): Promise<void> => settlePrd(machine, prepared, how);
      const order = { frozen: prepared.frozen, talk, isDirtyAllowed: options.allowDirty ?? false, prepare, id };
      return startHere(machine, order, connectionOf(id));
    }),
  );
}
