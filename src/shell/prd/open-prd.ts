import { createLastLook } from "../perform/turn-looks.ts";
import type { RunState } from "../../core/run/state.ts";
import { reviewStatistics } from "../../core/prd/review-figures.ts";
import { isListComplete } from "../../core/prd/choose-role.ts";
import type { PrdRun } from "../../core/prd/prd-run.ts";
import type { GateKind, GateContext, OwnGates } from "../gates/gate-kind.ts";
import type { BeforeGoOn, Perform } from "../perform/news.ts";
import type { AskGate } from "../run-context.ts";
import { findFormerActiveFile, openActiveFile } from "./folder/active-file.ts";
import { describeRevision } from "../../core/prd/revision.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { openRevisedList, peoplesList } from "./revised-list.ts";
import { readList } from "./list-files.ts";
import { createPrdPerform, activeFields, type PrdTools } from "./perform-prd.ts";
import { settleList } from "./settle-list.ts";
import { ownTaskList } from "../gates/task-list.ts";
import { nothingSeen, type PrdWork, treePlace } from "./prd-work.ts";

/** How a run on a task list is carried out, and what is left to do when it has ended. */
export type OpenedPrd = {
  perform: Perform;
  beforeGoOn: BeforeGoOn;
  conclude: (state: RunState) => Promise<void>;
};

/** What opening needs of the run around it. */
type OpenTools = {
  state: RunState;
  gateKinds: readonly GateKind[];
  gatesOf: (own: OwnGates) => AskGate;
};

/** Opens a run on a task list: `.ralph-active` says from here on that it is at work (S4-11). */
export async function openPrd(
  context: GateContext["context"],
  prd: PrdRun,
  tools: PrdTools & OpenTools,
): Promise<OpenedPrd> {
  const { disk, processes, frozen } = context;
  const { projectDir } = frozen;
  const { pid } = await processes.self();
  const former = findFormerActiveFile(disk, projectDir);
  const activeFile = openActiveFile(disk, projectDir, pid);
  const files = { disk, projectDir, folder: prd.folder };
  const place = treePlace(context, prd, () => work.effectId);
  const work: PrdWork = {
    context,
    prd,
    files,
    place,
    activeFile,
    seen: nothingSeen,
    lastLook: createLastLook(context),
    effectId: 0,
  };
  // The store's lock is ours, so whoever wrote it works here no more (S4-90, R-24).
  if (former !== null && former.pid !== pid) await context.note("info", takenOver(former.pid));
  const { iterationsMax } = tools.state.policy;
  const fields = {
    ...activeFields(work, iterationsMax),
    iterationMode: null,
    preIterationSnapshot: {},
    dirtyAtStart: {},
  };
  await activeFile.write(fields).catch((error: unknown) => context.note("warning", `.ralph-active: ${String(error)}`));
  return {
    perform: createPrdPerform(work, {
      ...tools,
      askGate: tools.gatesOf(ownTaskList((order) => settleList(work, order))),
    }),
    beforeGoOn: (state) => takeEdits(work, tools.gateKinds, state),
    async conclude() {
      activeFile.remove();
      await context.note("info", closingText(work));
    },
  };
}

/** The list as people left it during a pause. One that cannot be worked on keeps the run paused, and says why. */
async function takeEdits(
  { context, prd }: PrdWork,
  gateKinds: readonly GateKind[],
  state: RunState,
): ReturnType<OpenedPrd["beforeGoOn"]> {
  const known = peoplesList(state);
  if (known === null) return {};
  try {
    const place = { ...context, gateKinds, frozen: { ...context.frozen, prd } };
    const { begin, revision, change } = await openRevisedList(place, known, state.policy.contract.revision);
    if (revision === null) return { begin };
    await context.note("info", describeRevision(revision));
    return { begin, revision, change };
  } catch (error) {
    const reason = thrownText(error);
    await context.note("warning", `The run stays paused: ${reason}`);
    return null;
  }
}

function takenOver(pid: number | null): string {
  const whose = pid === null ? "that names no process" : `of process ${pid}`;
  return `A .ralph-active ${whose} was left here; this run takes over.`;
}

/** How the stories stand and how the reviews went (S4-99). */
function closingText({ files, prd }: PrdWork): string {
  const found = readList(files);
  if ("problem" in found) return `${prd.folder.name}/tasks.json cannot be read: ${found.problem}.`;
  const { file } = found;
  const done = file.tasks.filter((task) => isListComplete({ ...file, tasks: [task] }, prd.review)).length;
  const standing = `${done} of ${file.tasks.length} stories`;
  if (prd.review.isReviewSkipped) return `${standing} pass; reviews were skipped.`;
  const { reviews, sentence } = reviewStatistics(file, prd.review.reviewCap);
  return `${standing} approved, ${reviews === 1 ? "1 review" : `${reviews} reviews`}. ${sentence}`;
}
