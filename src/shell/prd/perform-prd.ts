import { join } from "node:path";
import { emptyReport, type StartError } from "../../core/agents/turn-report.ts";
import { assert } from "../../core/assert.ts";
import { fillTaskFilePrompt } from "../../core/prompts/task-file-prompt.ts";
import { readTaskFile } from "../../core/prd/list/read-task-file.ts";
import { snapshotOf } from "../../core/prd/list/snapshot.ts";
import { taskListGateId } from "../../core/contract/task-list.ts";
import type { TurnRole } from "../../core/contract/assignment.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { alsoStream } from "../perform/also-stream.ts";
import type { EventBuffer } from "../perform/event-buffer.ts";
import type { Perform } from "../perform/news.ts";
import { createPerform } from "../perform/perform.ts";
import { performTurn, type TurnTools } from "../perform/perform-turn.ts";
import type { RunContext } from "../run-context.ts";
import type { BeginTurn } from "../perform/turn-process.ts";
import type { LogFile } from "../ports.ts";
import { contentMark, repositoryTop } from "./content-mark.ts";
import { fixCandidate } from "../delivery/run-candidate.ts";
import { ensureOwnFolder, padded, readOrProblem } from "./list-files.ts";
import { nothingSeen, type PrdWork } from "./prd-work.ts";
import { lookAtTree } from "./work-tree.ts";

/** What a run on a task list needs beside its work: where events go, and who the agent of a role is. */
export type PrdTools = {
  events: EventBuffer;
  agentOfRole: (
    role: TurnRole,
  ) => Pick<RunContext, "adapter" | "command" | "flags" | "agentEnv"> & { model: string | null };
};

/** Carries out the effects of a run on a task list: each turn has a role, and after it the list is put in order. */
export function createPrdPerform(work: PrdWork, tools: PrdTools & Pick<RunContext, "askGate">): Perform {
  const context = { ...work.context, askGate: tools.askGate };
  const performOther = createPerform(context, tools.events);
  return async (effect, signal, post) => {
    work.effectId = effect.id;
    // The list itself says when it changed files; whatever else runs may have.
    const isListAsked = effect.type === "run-gate" && effect.gate.id === taskListGateId;
    if (effect.type !== "begin-turn" && !isListAsked) work.lastLook.forget();
    if (effect.type !== "begin-turn") return performOther(effect, signal, post);
    if (effect.isRecheck) {
      const report = { ...emptyReport, isSkipped: true };
      work.seen = { ...nothingSeen, report };
      const candidate = await fixCandidate(context, `${context.runId}.${effect.id}`);
      return post({ type: "turn-ended", effectId: effect.id, report, candidate });
    }
    return performRole(effect, work, { ...tools, context, post, signal });
  };
}

/** One turn in its role: the prompt is made of `prompt.md` as it is now, and what the turn did is remembered. */
async function performRole(effect: BeginTurn, work: PrdWork, tools: TurnTools & PrdTools): Promise<void> {
  const { assignment } = effect;
  assert(assignment !== null, "a turn on a task list has a task");
  const fail = (startError: StartError): void =>
    tools.post({ type: "turn-ended", effectId: effect.id, report: { ...emptyReport, startError } });
  const template = readOrProblem(work.files.disk, work.files.folder, "prompt.md");
  if (typeof template !== "string" || template.trim() === "") {
    const problem = typeof template === "string" ? `${work.prd.folder.name}/prompt.md is empty` : template.problem;
    return fail({ kind: "prompt", message: `${problem}; restore it and resume.` });
  }
  const before = work.lastLook.recent() ?? (await lookAtTree(work.place));
  work.lastLook.forget();
  work.seen = { ...nothingSeen, before };
  const fault = await markTurn(effect, work, before.dirty);
  if (fault !== null) return fail(fault);
  const log = openTurnLog(work, `.ralph/prd_${padded(effect.iteration)}_${assignment.role}.log`);
  const context = roleContext(effect, work, { tools, log, prompt: promptOf(effect, work, template) });
  await performTurn(effect, {
    ...tools,
    context,
    post: (news) => {
      if (news.type === "turn-ended") work.seen = { ...work.seen, report: news.report };
      tools.post(news);
    },
  });
  await log.close();
  if (readOrProblem(work.files.disk, work.files.folder, "prompt.md") !== template)
    await tools.context.note(
      "warning",
      `${work.prd.folder.name}/prompt.md was changed during iteration ${effect.iteration}.`,
    );
}

function promptOf({ assignment, iteration, iterationsMax }: BeginTurn, { prd }: PrdWork, template: string): string {
  assert(assignment !== null, "a turn on a task list has a task");
  const { review, folder } = prd;
  const { reviewCap, isReviewSkipped } = review;
  return fillTaskFilePrompt(template, {
    ...assignment,
    iteration,
    iterationsMax,
    reviewCap,
    isReviewSkipped,
    ralphDir: folder.name,
  }).replace(/[\r\n]+$/, "");
}

/** `.ralph-active` tells hooks about the turn; without it they would judge by the last one. */
async function markTurn(effect: BeginTurn, work: PrdWork, dirty: string[]): Promise<StartError | null> {
  const text = readOrProblem(work.files.disk, work.files.folder, "tasks.json");
  const file = typeof text === "string" ? readTaskFile(text).file : undefined;
  try {
    await ensureOwnFolder(work.files);
    await work.activeFile.write({
      ...activeFields(work, effect.iterationsMax),
      iterationMode: effect.assignment?.role ?? null,
      preIterationSnapshot: file === undefined ? {} : snapshotOf(file),
      dirtyAtStart: marksOf(work, dirty),
    });
    return null;
  } catch (error) {
    const reason = thrownText(error);
    return { kind: "bad-directory", message: `The turn could not be prepared: ${reason}` };
  }
}

/** What each of these paths of git holds now. */
function marksOf({ files }: PrdWork, paths: readonly string[]): Record<string, string> {
  const top = repositoryTop(files.disk, files.projectDir);
  return Object.fromEntries(paths.map((path) => [path, contentMark(files.disk, join(top, path))]));
}

/** What `.ralph-active` says whatever the turn. */
export function activeFields({ context, prd }: Pick<PrdWork, "context" | "prd">, iterationsMax: number | null) {
  return {
    timestamp: new Date(context.clock.now()).toISOString(),
    max_iterations: iterationsMax,
    mode: "direct" as const,
    skipReview: prd.review.isReviewSkipped,
    reviewCap: prd.review.reviewCap,
    run: context.runId,
    ralphDir: prd.folder.name,
  };
}

/** The context of the role's own agent; the files before and after the turn are read once for all. */
function roleContext(
  { assignment }: BeginTurn,
  work: PrdWork,
  { tools, log, prompt }: { tools: TurnTools & PrdTools; log: LogFile; prompt: string },
): RunContext {
  const { context } = tools;
  const { model, ...agent } = tools.agentOfRole(assignment?.role ?? "implement");
  const { frozen } = context;
  let isBegun = false;
  return {
    ...context,
    ...agent,
    frozen: {
      ...frozen,
      prompt: { kind: "text", text: prompt },
      settings: { ...frozen.settings, agent: { ...frozen.settings.agent, model } },
    },
    artefacts: alsoStream(context.artefacts, log),
    async fingerprint() {
      const look = isBegun ? await lookAtTree(work.place) : work.seen.before;
      if (isBegun && look !== null) {
        work.seen = { ...work.seen, after: look };
        if (look.tree !== null) work.lastLook.keep(look);
      }
      isBegun = true;
      // A verdict is progress, too, and shows in the list alone where nothing is committed. A commit is only where files
      // no longer differ from HEAD.
      const list = readOrProblem(work.files.disk, work.files.folder, "tasks.json");
      return JSON.stringify([look?.dirty, look?.tree, look?.files, list]);
    },
  };
}

/** Kept of a turn's output in the project, head and tail; the store keeps more. */
const logBytesMax = 16 * 1024 * 1024;

function openTurnLog({ files }: PrdWork, name: string): LogFile {
  const path = join(files.projectDir, name);
  // A link that an agent left there would lead the output anywhere.
  if (files.disk.look(path)?.kind === "other") files.disk.remove(path);
  return files.disk.openLog(path, logBytesMax);
}
