import { endsStages, foldStages, needsAnswer } from "../../core/verification/fold-stages.ts";
import type { StageVerdict } from "../../core/verification/verdict.ts";
import { truncateText } from "../../core/text/truncate.ts";
import type { Stage, Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { type Found, found, type FoundFacts, type Unasked } from "./found.ts";
import { needsJudge } from "./needs-judge.ts";

type MultiStage = Extract<Verification, { method: "multi_stage" }>;

/** Performs the verification of one stage. */
export type VerifyStage = (stage: Stage) => Promise<Found>;

/** A reason within the state; the whole is in the log. */
const reasonCharsMax = 200;

/** Stages named in a verdict, inner ones included: with their reasons they stay far below what a state may hold. */
const stagesNamedMax = 60;

/**
 * Runs stages in order, or several at once, and folds what they found. A failed required stage ends it when all are
 * required: nothing new begins, what is at work finishes.
 */
export async function verifyStages(verification: MultiStage, verify: VerifyStage): Promise<Found> {
  const { stages, requireAll } = verification;
  const done = new Map<Stage, FoundFacts>();
  for (const batch of batchesOf(verification)) {
    const isStopped = await runBatch(batch, { verification, verify, done });
    if (typeof isStopped !== "boolean") return isStopped;
    if (isStopped) break;
  }
  const ran = stages.flatMap((stage) => {
    const facts = done.get(stage);
    return facts === undefined ? [] : [{ stage, facts }];
  });
  const verdicts = ran.map(({ stage, facts }) => stageVerdict(stage, facts));
  const { isPassed, reason } = foldStages(verdicts, { stageCount: stages.length, requireAll });
  const failed = ran.find(({ stage, facts }) => !facts.isPassed && (stage.isRequired || isPassed))?.facts;
  return found(isPassed, reason, {
    exitCode: isPassed ? 0 : (failed?.exitCode ?? 0) || 1,
    isTimedOut: ran.some(({ facts }) => facts.isTimedOut),
    durationMs: ran.reduce((sum, { facts }) => sum + facts.durationMs, 0),
    output: failed?.output ?? "",
    logFile: failed?.logFile ?? null,
    evidence: failed?.evidence ?? null,
    stages: ran.flatMap(({ stage, facts }) => namedStages(stage, facts)).slice(0, stagesNamedMax),
    ...(ran.some(({ facts }) => facts.isFallback === true) ? { isFallback: true as const } : {}),
    ...(ran.every(({ facts }) => !facts.isPassed || facts.isUnverified === true)
      ? { isUnverified: true as const }
      : {}),
  });
}

/** Stages that may run side by side. A judge runs alone: what others write meanwhile would look like its own edits. */
function batchesOf({ stages, parallelMax }: MultiStage): Stage[][] {
  if (parallelMax === 1) return stages.map((stage) => [stage]);
  return stages.reduce<Stage[][]>((batches, stage) => {
    const last = batches.at(-1);
    const isAlone = needsJudge(stage.verification);
    if (last === undefined || isAlone || last.some((each) => needsJudge(each.verification)))
      return [...batches, [stage]];
    last.push(stage);
    return batches;
  }, []);
}

type Batch = { verification: MultiStage; verify: VerifyStage; done: Map<Stage, FoundFacts> };

/** True when a required stage failed and no further stage may begin. */
async function runBatch(batch: Stage[], { verification, verify, done }: Batch): Promise<boolean | "cut" | Unasked> {
  const waiting = [...batch];
  let ended: "cut" | Unasked | null = null;
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage !== undefined && ended === null && !isStopped; stage = waiting.shift()) {
      const facts = withoutNeed(await verify(stage), stage, done);
      if (facts === "cut" || "stop" in facts) {
        ended = facts;
        return;
      }
      done.set(stage, facts);
      if (endsStages({ ...stage, isPassed: facts.isPassed }, verification.requireAll)) isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(verification.parallelMax, batch.length) }, work));
  return ended ?? isStopped;
}

/** A judge whose answer cannot change the result is not waited for. */
function withoutNeed(facts: Found, stage: Stage, done: Batch["done"]): Found {
  if (facts === "cut" || !("stop" in facts)) return facts;
  const others = Array.from(done, ([{ isRequired }, { isPassed }]) => ({ isRequired, isPassed }));
  return needsAnswer(stage, others) ? facts : found(false, facts.stop.reason);
}

function stageVerdict(stage: Stage, facts: FoundFacts): StageVerdict {
  const { isPassed, exitCode, durationMs, logFile, evidence, isCached, isFallback, isUnverified, isSealed, tests } =
    facts;
  return {
    name: stage.name,
    method: stage.verification.method,
    isPassed,
    isRequired: stage.isRequired,
    reason: truncateText(facts.reason, reasonCharsMax, "head"),
    exitCode,
    durationMs,
    logFile,
    evidence,
    ...(isCached === true ? { isCached } : {}),
    ...(isFallback === true ? { isFallback } : {}),
    ...(isUnverified === true ? { isUnverified } : {}),
    ...(isSealed === true ? { isSealed } : {}),
    ...(tests === undefined ? {} : { tests }),
  };
}

function namedStages(stage: Stage, facts: FoundFacts): StageVerdict[] {
  const inner = (facts.stages ?? []).map((each) => ({ ...each, name: `${stage.name}/${each.name}` }));
  return [stageVerdict(stage, facts), ...inner];
}
