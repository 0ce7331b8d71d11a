import { delimiter } from "node:path";
import { describeTurnEnd, isFailedTurn, type TurnReport } from "../../core/agents/turn-report.ts";
import { composeSupervisedPrompt } from "../../core/prompts/supervised-prompt.ts";
import type { SupervisedTask } from "../../core/supervise/supervised-task.ts";
import {
  inheritedMismatches,
  pathWithFirst,
  type RunIdentity,
  supervisedEnvironment,
} from "../../core/supervise/supervised-environment.ts";
import { isRestart, isStaleDoneRemoved, isTurnSkipped } from "../../core/supervise/supervised-turn.ts";
import type { EventBuffer } from "../perform/event-buffer.ts";
import type { News } from "../../core/run/news.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Perform } from "../perform/news.ts";
import { createPerform } from "../perform/perform.ts";
import { performTurn } from "../perform/perform-turn.ts";
import type { RunContext } from "../run-context.ts";
import { fixCandidate } from "../delivery/run-candidate.ts";
import { type BeginTurn, turnPrompt } from "../perform/turn-process.ts";
import { childProcesses } from "./children-gate.ts";
import { makeOwnProgram } from "./own-program.ts";
import { closeStaleRuns } from "./close-stale-runs.ts";
import { closeRootRun, openRootRun, recordProcess, type RootRun } from "./root-run.ts";
import type { Supervision } from "./supervision.ts";
import { supervisedBefore, refuseDone, removeStaleDone, skippedReport, withSupervised } from "./task-end.ts";
import { openTurnFiles, type TurnFiles } from "./turn-files.ts";

/** What performing a supervised run needs beyond its context. */
export type SupervisedTools = {
  supervision: Supervision;
  task: SupervisedTask;
  events: EventBuffer;
  isResumed: boolean;
  /** When the run was made, and whether no turn of it had begun when this program took it. */
  run: { createdAt: number; isUnbegun: boolean };
  /** Starts this program again. */
  selfArgv: readonly string[];
};

/** Carries out the effects of a supervised run: turns leave a record and speak by files in the task folder, all else is as in any run. */
export function createSupervisedPerform(context: RunContext, tools: SupervisedTools): Perform {
  const performOther = createPerform(context, tools.events);
  return async (effect, signal, post) => {
    if (effect.type !== "begin-turn") return performOther(effect, signal, post);
    const { iteration, isRecheck } = effect;
    if (isStaleDoneRemoved({ isFresh: tools.task.isFresh, isUnbegun: tools.run.isUnbegun, iteration }))
      await removeStaleDone(tools.supervision, tools.run.createdAt);
    if (effect.refusal !== null) await refuseDone(tools.supervision, effect.refusal);
    const found = supervisedBefore(tools.supervision);
    const isSkipped =
      "kind" in found || isTurnSkipped({ isDone: found.isDone, isWaiting: found.waiting !== null, isRecheck });
    if (isSkipped && "isDone" in found && found.isDone && effect.id === 1)
      await context.note("info", "DONE present before the first run; --fresh removes it.");
    if (isSkipped) {
      // A former supervisor may have died before it could.
      await closeStaleRuns(tools.supervision, parentOf(context)).catch(() => null);
      const report = skippedReport(found);
      const candidate = await doneCandidate(report, context, effect.id);
      return post({ type: "turn-ended", effectId: effect.id, report, candidate });
    }
    return superviseTurn({ effect, signal, post }, context, tools);
  };
}

type Turn = { effect: BeginTurn; signal: AbortSignal; post: (news: News) => void };

/** Registers the run, lets the agent work, closes the record and looks at the task folder; only then the turn has ended. */
async function superviseTurn(turn: Turn, context: RunContext, tools: SupervisedTools): Promise<void> {
  const { effect, signal, post } = turn;
  const { supervision } = tools;
  const prepared = await prepareTurn(effect, context, tools);
  if ("startError" in prepared) return post({ type: "turn-ended", effectId: effect.id, report: prepared });
  const { run, files, agentContext } = prepared;
  let report: TurnReport | null = null;
  let recording = Promise.resolve();
  await performTurn(
    { ...effect, feedback: [] },
    {
      context: agentContext,
      events: tools.events,
      signal,
      post: (news) => {
        if (news.type === "turn-ended") {
          report = news.report;
          return;
        }
        if (news.type === "turn-started") recording = recordProcess(supervision, run, news);
        post(news);
      },
    },
  );
  await recording;
  if (report === null) return;
  const ended = await withSupervised(report, supervision, run.startedAt);
  await closeTurn({ run, files, attempt: effect.iteration - 1 }, ended, supervision);
  const candidate = await doneCandidate(ended, context, effect.id);
  post({ type: "turn-ended", effectId: effect.id, report: ended, candidate });
}

/** The tree that DONE speaks for. */
async function doneCandidate(
  { supervised }: TurnReport,
  context: RunContext,
  effectId: number,
): Promise<string | null> {
  return supervised?.isDone === true ? fixCandidate(context, `${context.runId}.${effectId}`) : null;
}

type Prepared = { run: RootRun; files: TurnFiles; agentContext: RunContext };

async function prepareTurn(
  effect: BeginTurn,
  context: RunContext,
  tools: SupervisedTools,
): Promise<Prepared | TurnReport> {
  const { supervision } = tools;
  const task = await turnPrompt(effect, context);
  if (typeof task !== "string") return skippedReport(task);
  try {
    const parentRunId = parentOf(context);
    const commandline = [context.command, ...context.flags].join(" ");
    const agent = { name: context.adapter.name, commandline, cwd: context.frozen.projectDir, parentRunId };
    const run = await openRootRun(supervision, agent);
    const variables = supervisedEnvironment(placeOf(run, supervision));
    if (effect.id === 1)
      for (const warning of inheritedMismatches(context.env, variables)) await context.note("warning", warning);
    const prompt = composeSupervisedPrompt({
      variables,
      outputPath: run.folder.outputFile,
      donePath: supervision.task.doneFile,
      waitPath: supervision.task.waitFile,
      subAgentCommand: `ralph supervise --project ${supervision.ids.projectId} --task NEW-TASK-ID -p "what it shall do"`,
      task,
      isRestart: isRestart({ iteration: effect.iteration, isResumed: tools.isResumed }),
    });
    await context.disk.writeAtomic(run.folder.promptFile, prompt);
    const ownFolder = await makeOwnProgram(context.disk, { folder: context.folder, id: context.runId }, tools.selfArgv);
    const files = openTurnFiles(run.folder, context.disk, context.adapter.createReader(context.flags) === null);
    await sayStart(supervision, run, effect.iteration - 1);
    const env = { ...context.env, ...variables, PATH: pathWithFirst(ownFolder, context.env["PATH"], delimiter) };
    const frozen = { ...context.frozen, prompt: { kind: "text" as const, text: prompt } };
    return { run, files, agentContext: files.watch({ ...exempting(context, supervision), env, frozen }) };
  } catch (error) {
    return skippedReport({ kind: "bad-directory", message: thrownText(error) });
  }
}

/** The run that started this program, when an agent did. */
function parentOf({ env }: RunContext): string | null {
  const id = env["JRUN_ID"] ?? "";
  return id === "" ? null : id;
}

function placeOf({ runId, folder, parentRunId }: RootRun, { task, ids }: Supervision): RunIdentity {
  return {
    ...ids,
    runId,
    parentRunId,
    runsRoot: task.rootPath,
    taskFolder: task.path,
    runFolder: folder.path,
    busPath: task.busFile,
    serverUrl: null,
  };
}

/** Registered children are waited for later; the end of a turn does not end them. */
function exempting(context: RunContext, supervision: Supervision): RunContext {
  const { processes } = context;
  const exempt = (): Promise<ReadonlySet<number>> => childProcesses(supervision);
  return { ...context, processes: { ...processes, start: (order) => processes.start({ ...order, exempt }) } };
}

async function sayStart(supervision: Supervision, { runId }: RootRun, attempt: number): Promise<void> {
  await supervision.say("INFO", `starting root agent (restart #${attempt})`, runId);
  await supervision.say("RUN_START", `run ${runId} started`, runId);
}

async function closeTurn(
  { run, files, attempt }: { run: RootRun; files: TurnFiles; attempt: number },
  report: TurnReport,
  supervision: Supervision,
): Promise<void> {
  const problems = await files.close();
  for (const problem of problems) await supervision.note("warning", `The run's output could not be kept: ${problem}`);
  // What we ended ourselves did not crash.
  const isKilled = !report.isCut && (report.signal !== null || report.timedOut !== null);
  const isCrash = report.startError !== null || (isKilled && isFailedTurn(report));
  const how = describeTurnEnd({ ...report, errorOutput: "" });
  const lines = files.lastErrorLines();
  const body = `run ${run.runId} ${how}${lines === "" ? "" : `\n${lines}`}`;
  await supervision.say(isCrash ? "RUN_CRASH" : "RUN_STOP", body, run.runId);
  await closeRootRun(supervision, run, report);
  if (isFailedTurn(report) && !report.isCut)
    await supervision.say("WARNING", `root agent failed on restart #${attempt}: ${describeTurnEnd(report)}`, run.runId);
}
