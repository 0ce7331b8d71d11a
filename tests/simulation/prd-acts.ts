import type { TurnRole } from "../../src/core/contract/assignment.ts";
import { chooseWeighted } from "./agent-acts.ts";
import type { Random } from "./random.ts";

/** A story as it stands in the file; an agent may write anything into it. */
export type RawStory = Record<string, unknown>;

/** What an agent may do to the project in a turn on a task list. */
export type ListActor = {
  random: Random;
  /** Changes the story of the turn. */
  edit(change: (story: RawStory) => void): void;
  /** Changes every story; the list that is returned takes their place. */
  editAll(change: (stories: RawStory[]) => RawStory[]): void;
  editTop(change: (file: Record<string, unknown>) => void): void;
  /** Works on the code of the story of the turn. */
  writeCode(isGood: boolean): void;
  commit(): void;
  /** Null: removes it. */
  writeFile(path: "ralph/tasks.json" | "ralph/prd.md" | ".ralph-active", text: string | null): void;
};

/** One turn of an agent on a task list. */
export type ListAct = {
  name: string;
  /** Null: whatever the role. */
  role: TurnRole | null;
  weight?: number;
  does: (actor: ListActor) => void;
  words?: string;
  exitCode?: number;
  hangs?: boolean;
  /** Ends without a word. */
  isMute?: boolean;
  startFailure?: "not-found" | "resources";
};

const submit = (actor: ListActor): void =>
  actor.edit((story) => Object.assign(story, { reviewStatus: "needs_review", reviewFeedback: "" }));
const approve = (actor: ListActor): void => actor.edit(approved);
const approved = (story: RawStory): void =>
  void Object.assign(story, {
    passes: true,
    reviewStatus: "approved",
    reviewCount: Number(story["reviewCount"]) + 1,
    notes: "done",
  });
const requestChanges = (actor: ListActor): void =>
  actor.edit((story) =>
    Object.assign(story, {
      reviewStatus: "changes_requested",
      reviewCount: Number(story["reviewCount"]) + 1,
      reviewFeedback: "name it",
    }),
  );
const nothing = (): void => {};
const work = (isGood: boolean) => (actor: ListActor) => {
  actor.writeCode(isGood);
  submit(actor);
  if (actor.random.chance(0.7)) actor.commit();
};

/** What the roles are for, well and badly. */
const honestActs: ListAct[] = [
  { name: "implements", role: "implement", weight: 12, does: work(true) },
  { name: "implements badly", role: "implement", weight: 4, does: work(false) },
  { name: "implements half and crashes", role: "implement", does: (actor) => actor.writeCode(true), exitCode: 1 },
  { name: "approves", role: "review", weight: 10, does: approve },
  { name: "requests changes", role: "review", weight: 4, does: requestChanges },
  { name: "fixes", role: "review-fix", weight: 12, does: work(true) },
  { name: "fixes badly", role: "review-fix", weight: 4, does: work(false) },
  { name: "approves and crashes", role: "review", does: approve, exitCode: 1 },
  { name: "approves and hangs", role: "review", does: approve, hangs: true },
  { name: "claims with its work", role: null, does: nothing, words: "<promise>COMPLETE</promise>" },
  { name: "does nothing", role: null, does: nothing },
  { name: "is mute", role: null, does: nothing, isMute: true },
  { name: "hangs", role: null, weight: 0.5, does: nothing, hangs: true },
  { name: "is blocked", role: null, weight: 0.3, does: nothing, words: "<promise>BLOCKED: no network</promise>" },
  { name: "cannot start", role: null, weight: 0.5, does: nothing, startFailure: "resources" },
];

/** Every way to be approved without a review, or to be rid of what was asked (R-100..105). */
const cheats: ListAct[] = [
  {
    name: "approves its own work",
    role: "implement",
    weight: 2,
    does: (actor) => (actor.writeCode(true), approve(actor)),
  },
  {
    name: "approves its own fix",
    role: "review-fix",
    weight: 2,
    does: (actor) => (actor.writeCode(false), approve(actor)),
  },
  {
    name: "approves everything",
    role: null,
    does: (actor) => actor.editAll((stories) => stories.map((story) => ({ ...story, ...withApproval(story) }))),
    words: "<promise>COMPLETE</promise>",
  },
  { name: "deletes a story", role: null, does: (actor) => actor.editAll((stories) => stories.slice(1)) },
  { name: "deletes all stories", role: null, does: (actor) => actor.editAll(() => []) },
  {
    name: "adds an approved story",
    role: null,
    does: (actor) =>
      actor.editAll((stories) => [...stories, { ...stories[0], ...withApproval(stories[0] ?? {}), id: "X" }]),
  },
  {
    name: "forgets reviews",
    role: null,
    does: (actor) => actor.edit((story) => Object.assign(story, { reviewCount: 0 })),
  },
  { name: "counts two reviews", role: "review", does: (actor) => (approve(actor), approve(actor)) },
  {
    name: "counts no review",
    role: "review",
    does: (actor) => actor.edit((story) => Object.assign(story, { passes: true, reviewStatus: "approved" })),
  },
  {
    name: "counts with words",
    role: null,
    does: (actor) => actor.edit((story) => Object.assign(story, { reviewCount: "1" })),
  },
  {
    name: "takes approvals back",
    role: null,
    does: (actor) =>
      actor.editAll((stories) => stories.map((story) => ({ ...story, passes: false, reviewStatus: null }))),
  },
  {
    name: "weakens what is asked",
    role: null,
    does: (actor) => actor.editAll((stories) => stories.map((story) => ({ ...story, acceptanceCriteria: [] }))),
  },
  {
    name: "drops the checks",
    role: null,
    does: (actor) => actor.editTop((file) => Object.assign(file, { verifyCommands: [] })),
  },
  { name: "empties the list", role: null, does: (actor) => actor.writeFile("ralph/tasks.json", "") },
  {
    name: "tears the list",
    role: null,
    does: (actor) => actor.writeFile("ralph/tasks.json", '{"userStories": [{"id"'),
  },
  { name: "removes the list", role: null, does: (actor) => actor.writeFile("ralph/tasks.json", null) },
  { name: "rewrites the PRD", role: null, does: (actor) => actor.writeFile("ralph/prd.md", "Nothing is asked.") },
  { name: "removes the marker", role: null, does: (actor) => actor.writeFile(".ralph-active", null) },
  {
    name: "rewrites the marker",
    role: null,
    does: (actor) => actor.writeFile(".ralph-active", '{"pid": 1, "iterationMode": "review"}'),
  },
  {
    name: "changes code in a review",
    role: "review",
    weight: 2,
    does: (actor) => (actor.writeCode(actor.random.chance(0.5)), approve(actor)),
  },
  {
    name: "commits code in a review",
    role: "review",
    weight: 2,
    does: (actor) => (actor.writeCode(actor.random.chance(0.5)), approve(actor), actor.commit()),
  },
];

const withApproval = (story: RawStory): RawStory => {
  const changed = { ...story };
  approved(changed);
  return changed;
};

/** Everything an agent may do on a task list, good and bad. */
export const listActs: readonly ListAct[] = [...honestActs, ...cheats];

/** Chooses what an agent does in this role. */
export function chooseListAct(random: Random, role: TurnRole): ListAct {
  const possible = listActs.filter((act) => act.role === null || act.role === role);
  return chooseWeighted(random, possible, ({ weight }) => weight ?? 0.6);
}
