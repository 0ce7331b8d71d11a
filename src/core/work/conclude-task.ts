import { assert } from "../assert.ts";
import { noFacts } from "../run/state.ts";
import type { Outcome } from "../run/outcome.ts";
import { wallWithinBudget } from "../policies/budget.ts";
import type { TaskProgress, TaskStatus } from "../tasks/task.ts";
import type { Gate } from "../contract/gate.ts";
import { backFromTip } from "./next-step.ts";
import { isProof } from "../verification/verdict-word.ts";
import { describeEvidence } from "./role-evidence.ts";
import { baseAfterUndo, sealedTip } from "./sealed-tip.ts";
import { judgeLook, judgePlace, type PlaceDecision, type TipFacts } from "./tip-place.ts";
import { judgeTip, nextTipGate, type TipAnswers, tipGates, tipReason } from "./verify-tip.ts";
import type { TipQuestion } from "./work-effect.ts";
import type { WorkObservation } from "./work-observation.ts";
import { isHalted } from "./lead-task.ts";
import {
  type LedTask,
  orderedFor,
  verifiedCommits,
  withBook,
  withTask,
  type WorkState,
  type WorkStep,
} from "./work-state.ts";

type Seen<Type extends WorkObservation["type"]> = Extract<WorkObservation, { type: Type }>;

/**
 * Merges what the roles of a task did, verifies the merged tip, and ends the task; everything else is kept where it is,
 * and named. Null: it waits, because the work run is paused.
 */
export function concludeTask(state: WorkState, task: LedTask): WorkStep | null {
  const { phase, progress } = task;
  assert(phase.kind === "played", "only a task whose roles are over is concluded");
  const { status, outcome } = phase;
  // It was done before this work run; a kill may have come before its place was cleared.
  if (task.isOver) return endTask(state, task, { status, outcome, isClear: true });
  assert(progress !== null, "a task whose roles are over was on its way");
  if (status !== "done" && status !== "conflict")
    return close(state, task, { status, outcome: withPlace(outcome, task), progress });
  if (progress.tip?.undoing !== undefined) return undo(state, task);
  if (isHalted(state)) return null;
  // In the project directory nothing is merged: the tip is the project as the last role left it.
  if (task.place === null) return verifyTip(state, marked(task, null), null);
  const { asked, stuckBy } = state.work;
  // A merge is something new, too: it waits for a resume.
  if (asked !== null) return close(state, task, notMerged(task, { status, outcome, progress }, asked));
  if (stuckBy !== null) {
    const reason = `Not merged: the merge of ${stuckBy} is red and could not be undone.`;
    return close(state, task, { status: "conflict", outcome: { name: "waiting", reason }, progress });
  }
  if (progress.tip !== undefined && state.work.tip === undefined) return merge(state, task, progress.tip.before);
  return orderedFor(state, task, {
    effect: { type: "find-tip", taskId: task.id, ...questionOf(state, task) },
    phase: (effectId) => ({ kind: "finding-tip", effectId, status, outcome }),
  });
}

/** What is asked of the branch where its place is known. */
function questionOf({ work }: WorkState, { progress }: LedTask): Partial<TipQuestion> {
  if (work.tip === undefined) return {};
  return { verified: verifiedCommits(work), since: progress?.tip?.before ?? null };
}

/** Whether the branch is where ralph left it; a work run of an earlier version does not know where that is. */
function placeOf({ work }: WorkState, facts: TipFacts | undefined): PlaceDecision {
  if (work.tip === undefined || facts === undefined) return { kind: "stands" };
  return judgePlace(work.tip, facts, work.verified ?? []);
}

/** Merges onto the tip that was found, unless something was asked meanwhile or somebody moved it. */
export function afterTip(state: WorkState, task: LedTask, { head, place: facts }: Seen<"tip-found">): WorkStep {
  const { phase } = task;
  assert(phase.kind === "finding-tip", "only a task that looks for the tip finds it");
  const { status, outcome } = phase;
  if (state.work.asked !== null || isHalted(state))
    return [withTask(state, { ...task, phase: { kind: "played", status, outcome } }), []];
  const place = placeOf(state, facts);
  return place.kind === "moved"
    ? holdMoved(state, task, place.reason)
    : merge(state, task, task.progress?.tip === undefined ? head : task.progress.tip.before);
}

/** Nothing is merged onto what no gate has seen, nor is a merge verified there: a person decides what the branch shall be. */
function holdMoved(state: WorkState, task: LedTask, why: string): WorkStep {
  const { progress } = task;
  assert(progress !== null, "a task that is merged was on its way");
  if (progress.tip !== undefined) {
    const outcome = notVerified(task, { name: "waiting", reason: why });
    return close(state, task, { status: "ready", outcome, progress });
  }
  const reason = `Its roles are done, but it is not merged: ${why}${whereOf(task, " Its work is in")}`;
  return close(state, task, { status: "conflict", outcome: { name: "waiting", reason }, progress });
}

/** The mark that the merge happens is stored before it is made. */
function merge(state: WorkState, task: LedTask, before: string | null): WorkStep {
  return orderedFor(state, marked(task, before), {
    effect: { type: "merge-task", taskId: task.id, before, ...questionOf(state, marked(task, before)) },
    phase: (effectId) => ({ kind: "merging", effectId }),
  });
}

function marked(task: LedTask, before: string | null): LedTask {
  assert(task.progress !== null, "a task that is merged was on its way");
  return { ...task, progress: { ...task.progress, tip: { before } } };
}

/** Merged: every check of the project on the tip, before the task is done. Else it waits for a person. */
export function afterMerge(state: WorkState, task: LedTask, answer: Seen<"task-merged">): WorkStep {
  const { problem, merge: commit, place: facts } = answer;
  if (problem === null) {
    const found = placeOf(state, facts);
    if (found.kind === "moved") return holdMoved(state, task, found.reason);
    return verifyTip(leftAt(state, facts?.head ?? null), task, commit);
  }
  const { place, progress } = task;
  assert(progress !== null, "a task that is merged was on its way");
  const remedy = `Merge it by hand: git merge ${place?.branch ?? ""}; then: ralph work ${task.id} --worktrees`;
  const reason = `Its roles are done, but it is not merged: ${problem} In the meantime${whereOf(task, " its work is in")} ${remedy}`;
  const { tip: _tip, ...rest } = progress;
  return close(state, task, { status: "conflict", outcome: { name: "waiting", reason }, progress: rest });
}

/** The branch is left at this commit now. */
function leftAt(state: WorkState, commit: string | null): WorkState {
  const { tip } = state.work;
  return tip === undefined || commit === null ? state : withBook(state, { tip: { ...tip, commit } });
}

/** Begins the look at a merged tip: an iteration of the work run. */
function verifyTip(state: WorkState, task: LedTask, commit: string | null): WorkStep {
  const { rules, asked } = state.work;
  const tip = { answers: {}, commit, said: null };
  if (rules.gates.length === 0 || asked !== null) return judge(state, task, tip);
  const begun = { ...state, iteration: state.iteration + 1, facts: noFacts };
  return isCompared(begun, task) ? compare(begun, task, { merge: commit, isGreen: false }) : askNext(begun, task, tip);
}

/** Gates run in the main work tree, where anybody may have changed something: only where tasks are merged is there a commit to compare with. */
function isCompared({ work }: WorkState, { place }: LedTask): boolean {
  return place !== null && work.tip !== undefined && work.rules.gates.length > 0;
}

function compare(
  state: WorkState,
  task: LedTask,
  { merge: commit, isGreen }: { merge: string | null; isGreen: boolean },
): WorkStep {
  const { tip } = state.work;
  assert(tip !== undefined, "only a tip whose place is known is compared");
  const question = { verified: verifiedCommits(state.work), since: null };
  return orderedFor(state, task, {
    effect: { type: "compare-tip", taskId: task.id, commit: tip.commit, ...question },
    phase: (effectId) => ({ kind: "comparing", effectId, merge: commit, isGreen }),
  });
}

/** The gates may begin, or what they said stands: they see what the commit holds, and nothing else. */
export function afterComparing(state: WorkState, task: LedTask, answer: Seen<"tip-compared">): WorkStep {
  const { phase, progress } = task;
  assert(phase.kind === "comparing" && progress !== null, "only a task that is compared has a comparison");
  const { merge: commit, isGreen } = phase;
  const look = judgeLook(placeOf(state, answer.place), answer.foreign);
  switch (look.kind) {
    case "hold":
      return holdMoved(state, task, look.reason);
    case "undo":
      return undo(state, undoingOf(task, commit, look.reason));
    case "same": {
      if (isGreen) return keep(state, task);
      return askNext(state, task, { answers: {}, commit, said: null });
    }
  }
}

/** What is known of a tip; `said` is what the first red verdict printed. */
type Tip = { answers: TipAnswers; commit: string | null; said: string | null };

function askNext(state: WorkState, task: LedTask, tip: Tip): WorkStep {
  const { rules, asked } = state.work;
  const gate = asked === null ? nextTipGate(rules.gates, tip.answers) : null;
  return gate === null ? judge(state, task, tip) : askGate(state, task, { gate, tip });
}

/** One gate is asked at a time; it is the `pending` of the work run, so that what it leaves alive is found. */
function askGate(state: WorkState, task: LedTask, { gate, tip }: { gate: Gate; tip: Tip }): WorkStep {
  const { iteration, nextEffectId: id } = state;
  const wallMs = wallWithinBudget(state, gate.limits.wallMs);
  const pending = {
    type: "run-gate" as const,
    id,
    gate,
    iteration,
    hasClaim: true,
    isGreenSoFar: true,
    slot: null,
    candidate: null,
    wallMs,
  };
  const runId = task.progress?.runId ?? null;
  return orderedFor({ ...state, pending }, task, {
    effect: {
      type: "verify-tip",
      taskId: task.id,
      runId,
      gate,
      iteration,
      wallMs,
      ...sealedTip(state, task, tip.answers),
    },
    phase: (effectId) => ({ kind: "verifying", effectId, merge: tip.commit, said: tip.said }),
  });
}

/** The answer of a gate: the next one, or what becomes of the merge. `isCut`: it says nothing of the tip. */
export function afterTipGate(
  state: WorkState,
  task: LedTask,
  { answer, gate, isCut }: { answer: Seen<"gate-finished">; gate: Gate; isCut: boolean },
): WorkStep {
  assert(task.phase.kind === "verifying", "only a task that is verified has a gate");
  const now = isCut ? { verdicts: [], isCut: true, stop: null } : answer;
  const answers: TipAnswers = { ...formerAnswers(state), [gate.id]: now };
  const { merge: commit, said } = task.phase;
  return askNext(state, task, { answers, commit, said: said ?? answer.said });
}

function formerAnswers({ facts }: WorkState): TipAnswers {
  const answers = Object.entries(facts.verdicts).map(
    ([id, verdicts]) => [id, { verdicts, isCut: false, stop: null }] as const,
  );
  return Object.fromEntries(answers);
}

function judge(state: WorkState, task: LedTask, { answers, commit, said }: Tip): WorkStep {
  assert(task.progress !== null, "a task that is verified was on its way");
  const decision = judgeTip(state.work.rules.gates, answers);
  switch (decision.kind) {
    case "keep": {
      if (!isCompared(state, task)) return keep(state, task);
      const { asked } = state.work;
      if (asked === null) return compare(state, task, { merge: commit, isGreen: true });
      return close(state, task, { status: "ready", outcome: notVerified(task, asked), progress: task.progress });
    }
    case "hold": {
      const outcome = state.work.asked ?? { name: "waiting", reason: decision.reason };
      return close(state, task, { status: "ready", outcome: notVerified(task, outcome), progress: task.progress });
    }
    case "undo":
      return undo(state, undoingOf(task, commit, tipReason(decision.red, said ?? "")));
  }
}

/** The merge stays and its task is done. */
function keep(state: WorkState, task: LedTask): WorkStep {
  assert(task.progress !== null, "a task that is done was on its way");
  const { tip: _tip, ...progress } = task.progress;
  const { tip, verified = [] } = state.work;
  const known =
    tip === undefined ? state : withBook(state, { verified: [...verified, { taskId: task.id, commit: tip.commit }] });
  return close(known, task, { status: "done", outcome: doneOutcome(state, task, formerAnswers(state)), progress });
}

function undoingOf(task: LedTask, commit: string | null, reason: string): LedTask {
  assert(task.progress !== null, "a task whose merge is undone was on its way");
  const before = task.progress.tip?.before ?? null;
  return { ...task, progress: { ...task.progress, tip: { before, undoing: { merge: commit, reason } } } };
}

/** Takes the red merge back; what is undone is stored before it happens. */
function undo(state: WorkState, task: LedTask): WorkStep {
  const undoing = task.progress?.tip?.undoing;
  assert(undoing !== undefined, "only what is marked is undone");
  return orderedFor(state, task, {
    effect: { type: "undo-merge", taskId: task.id, ...undoing },
    phase: (effectId) => ({ kind: "undoing", effectId }),
  });
}

/** The task goes back to its coder with the reason; or it has failed, or waits for a person. */
export function afterUndo(before: WorkState, task: LedTask, answer: Seen<"merge-undone">): WorkStep {
  const { problem } = answer;
  const state = leftAt(before, answer.tip ?? null);
  assert(task.progress !== null, "a task whose merge is undone was on its way");
  const { tip, ...progress } = task.progress;
  assert(tip?.undoing !== undefined, "only what is marked is undone");
  const { merge: commit, reason } = tip.undoing;
  if (problem !== null) {
    const remedy = `Mend it, or undo it by hand: git revert -m 1 ${commit ?? ""}; then: ralph work ${task.id} --worktrees`;
    const words = `${reason} The merge could not be undone: ${problem} ${remedy}`;
    return close(withBook(state, { stuckBy: task.id }), task, {
      status: "conflict",
      outcome: { name: "waiting", reason: words },
      progress: { ...progress, tip: { before: tip.before } },
    });
  }
  const step = backFromTip({ ...progress, ...baseAfterUndo(state, task, commit) }, reason, state.work.rules);
  if (step.kind === "role")
    return [withTask(state, { ...task, progress: step.progress, phase: { kind: "waiting" } }), []];
  return close(state, task, { ...step, outcome: withPlace(step.outcome, task) });
}

/** What a person can repair ends this task for now. */
export function failTask(state: WorkState, task: LedTask, reason: string): WorkStep {
  const { progress } = task;
  const outcome: Outcome = { name: "failed", reason };
  const noted = progress === null ? null : { ...progress, note: `failed: ${reason}` };
  const end = { id: task.id, status: "ready" as const, outcome, reason };
  return [withTask(state, { ...task, progress: noted, phase: { kind: "ended", end } }), []];
}

/** Ends a task that this work run never began. */
export function leaveTask(state: WorkState, task: LedTask, why: string): WorkStep {
  const end = { id: task.id, status: "ready" as const, outcome: null, reason: `not begun: ${why}` };
  // A driver that died left it as running: how it stands is stored again.
  const isBegun = task.isBegun || task.standing?.status === "running";
  return [withTask(state, { ...task, isBegun, phase: { kind: "ended", end } }), []];
}

type Closing = { status: TaskStatus; outcome: Outcome; progress: TaskProgress };

/** Stores how the task stands; the place of a task that is done is cleared afterwards. */
function close(state: WorkState, task: LedTask, { status, outcome, progress }: Closing): WorkStep {
  const noted = { ...task, progress: { ...progress, note: `${outcome.name}: ${outcome.reason}` } };
  return endTask(state, noted, { status, outcome, isClear: status === "done" });
}

function endTask(
  state: WorkState,
  task: LedTask,
  { status, outcome, isClear }: { status: TaskStatus; outcome: Outcome; isClear: boolean },
): WorkStep {
  const end = { id: task.id, status, outcome, reason: outcome.reason };
  if (!isClear || task.place === null) return [withTask(state, { ...task, phase: { kind: "ended", end } }), []];
  return orderedFor(state, task, {
    effect: { type: "clear-place", taskId: task.id },
    phase: (effectId) => ({ kind: "clearing", effectId, end }),
  });
}

/** Its roles are done and something was asked: it is as far as it was found, merged or not. */
function notMerged(task: LedTask, found: Closing, asked: Outcome): Closing {
  const { status, progress } = found;
  if (status === "conflict") return found;
  if (progress.tip !== undefined) return { status: "ready", outcome: notVerified(task, asked), progress };
  const reason = `${asked.reason} Its roles are done, but it is not merged:${whereOf(task, " its work is in")}`;
  return { status: "ready", outcome: { ...asked, reason }, progress };
}

function notVerified({ place }: LedTask, outcome: Outcome): Outcome {
  const what = place === null ? "Not verified" : "Merged, but not verified";
  const reason = `${outcome.reason} ${what} by the checks of the project; the next resume or work does it.`;
  return { ...outcome, reason };
}

/** What done rests on, in the words of `ralph show`. */
function doneOutcome({ work }: WorkState, { place, progress }: LedTask, answers: TipAnswers): Outcome {
  assert(progress !== null, "a task that is done was on its way");
  const { roles, gates } = work.rules;
  const known = progress.evidence ?? [{ role: progress.role, checks: [] }];
  const where = place === null ? "Then" : "Merged, then";
  const named = tipGates(gates).map(({ id, name }) => ({ name, verdicts: answers[id]?.verdicts ?? [] }));
  const green = named.filter(({ verdicts }) => verdicts.some(isProof)).map(({ name }) => name);
  const believed = named.filter(({ verdicts }) => !verdicts.some(isProof)).map(({ name }) => name);
  const tip = [
    ...(green.length === 0 ? [] : [` ${where} green: ${green.join(", ")}.`]),
    ...(believed.length === 0 ? [] : [` Met by the claim alone: ${believed.join(", ")}.`]),
  ].join("");
  const isVerified = green.length > 0 || known.some(({ checks }) => checks.length > 0);
  const reason = `${describeEvidence(known, roles)}${tip}`;
  return { name: "completed", reason, ...(isVerified ? {} : { isVerified }) };
}

function withPlace(outcome: Outcome, task: LedTask): Outcome {
  const where = whereOf(task, " Its work is in");
  return outcome.reason.endsWith(where) ? outcome : { ...outcome, reason: `${outcome.reason}${where}` };
}

function whereOf({ place }: LedTask, words: string): string {
  return place === null ? "" : `${words} ${place.path} (${place.branch}).`;
}
