import { RalphError } from "../core/ralph-error.ts";
import type { Machine } from "../shell/machine.ts";
import type { AgentFunction } from "./functions/agent-function.ts";
import type { OwnFunctions } from "./functions/own-functions.ts";
import { type HandleSide, type LoopHandle, openHandle, workConnection } from "./loop-handle.ts";
import { isDriven } from "./query/find/is-driven.ts";
import { aFunction, flag, type OptionRules, readOptions, required, ruleOf, text, wholeNumber } from "./read-options.ts";
import { chooseResumable } from "./resume/resumable.ts";
import { resumeHere, type ResumeEnd } from "./resume/resume-here.ts";
import { type CommonOptions, commonRules, withMachine } from "./run-loop.ts";

/**
 * What `resumeRun` takes. Settings, commands and limits of the run are frozen with it; functions are not, so the program
 * gives them again.
 *
 * @example
 * ```ts
 * import { resumeRun, type ResumeRunOptions } from "ralph";
 *
 * const options: ResumeRunOptions = { runId: "20261116-120000-abcd", answer: "Use PostgreSQL." };
 * resumeRun(options).outcome.catch((error: Error) => console.log(error.message));
 * ```
 */
export type ResumeRunOptions = Pick<
  CommonOptions,
  "signal" | "sinks" | "agents" | "gates" | "stateFolder" | "store"
> & {
  /** The whole id of the run. */
  runId: string;
  /** The agent function that the run was started with. */
  agent?: AgentFunction;
  /** The checks that the run was started with: the same functions in the same order. Other commands are refused. */
  checks?: NonNullable<CommonOptions["checks"]>;
  /** The answer to the question that the run waits for. */
  answer?: string;
  /** Iterations beyond those that it has used; those of its limit unless told. */
  moreIterations?: number;
  /** Budgets that replace the old ones. */
  maxCost?: number;
  maxTokens?: number;
  maxTimeMs?: number;
  /** Resume although edits of a task list removed checks. */
  acceptEdits?: boolean;
};

/**
 * Takes a run that ended early, or whose program was killed, and continues where it stopped, in this process. A run with an
 * agent or checks that are functions can be resumed only so, with the same functions; `ralph resume` takes every other one.
 * Rejects with code `own-run` inside a turn of that run.
 *
 * @example
 * ```ts
 * import { resumeRun, runLoop } from "ralph";
 *
 * let turn = 0;
 * const agent = (): string => ((turn += 1) === 1 ? "Not yet." : "<promise>DONE</promise>");
 * const first = runLoop({ prompt: "Try.", agent, checks: ["true"], settings: { maximumIterations: 1 } });
 * console.log((await first.outcome).name); // exhausted
 * const again = resumeRun({ runId: first.id, agent, moreIterations: 1 });
 * console.log((await again.outcome).name); // completed
 * ```
 */
export function resumeRun(options: ResumeRunOptions): LoopHandle {
  const given = readOptions("resumeRun", options, rules);
  const { runId, signal } = given;
  return openHandle({ id: runId, signal }, (side) =>
    withMachine(given, side.sink, async (machine) => {
      const end = await resume(machine, given, side);
      if (end.kind === "driven") return end;
      throw new RalphError("not-resumable", `Run ${runId} was resumed by another program meanwhile.`);
    }),
  );
}

const anAmount = ruleOf("a number above zero", (value) => typeof value === "number" && value > 0 && value < Infinity);

const rules: OptionRules<ResumeRunOptions> = {
  runId: required(text),
  agent: aFunction,
  checks: commonRules.checks,
  answer: text,
  moreIterations: wholeNumber(1),
  maxCost: anAmount,
  maxTokens: wholeNumber(1),
  maxTimeMs: wholeNumber(1),
  acceptEdits: flag,
  signal: commonRules.signal,
  sinks: commonRules.sinks,
  agents: commonRules.agents,
  gates: commonRules.gates,
  stateFolder: commonRules.stateFolder,
  store: commonRules.store,
};

async function resume(machine: Machine, given: ResumeRunOptions, side: HandleSide): Promise<ResumeEnd> {
  const { talk, connectionOf } = side;
  const place = { ...machine, onProblem: talk.say };
  const resumable = await chooseResumable(place, { id: given.runId }, functionsIn(given));
  const { id, owner } = resumable.run;
  if (await isDriven(machine, resumable.run))
    throw new RalphError(
      "not-resumable",
      `Run ${id} is still running in process ${owner?.pid ?? "unknown"}.`,
      `Wait for its end, or let a paused one continue: ralph resume ${id}`,
    );
  return resumeHere(machine, resumable, {
    answer: given.answer ?? null,
    limits: {
      more: given.moreIterations ?? null,
      usd: given.maxCost ?? null,
      tokens: given.maxTokens ?? null,
      timeMs: given.maxTimeMs ?? null,
    },
    consent: { isGiven: given.acceptEdits ?? false, ask: () => Promise.resolve(false) },
    listener: {
      run: (run, drive) => drive(connectionOf(run.id)),
      work: (run, drive) => drive(workConnection(side, run.id, () => {})),
    },
  });
}

function functionsIn({ agent, checks = [] }: ResumeRunOptions): OwnFunctions {
  const names = checks.flatMap((check) => (typeof check === "string" ? [] : [check.name]));
  const commands = checks.filter((check) => typeof check === "string");
  return { hasAgent: agent !== undefined, checks: names, commands };
}
