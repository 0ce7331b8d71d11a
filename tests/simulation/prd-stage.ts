import type { TurnRole } from "../../src/core/contract/assignment.ts";
import type { ProcessOrder } from "../../src/shell/ports.ts";
import { type Act, init, result, text } from "./agent-acts.ts";
import type { FakeFiles } from "./fake-files.ts";
import { createFakeGit, type FakeGit } from "./fake-git.ts";
import { isTurn, type ProcessStage } from "./fake-processes.ts";
import { chooseListAct, type ListAct, type ListActor, type RawStory } from "./prd-acts.ts";
import { gitWords } from "./git-words.ts";
import type { Random } from "./random.ts";

/** Where the simulated list lies. */
export const list = { top: "/project", folder: "/project/ralph", file: "/project/ralph/tasks.json" } as const;

/** What the PRD says, before and after. */
export const prdText = "Build the shop.\n";

/** A review that came to its own end while its driver watched. */
type EndedReview = { taskId: string; startedAt: number; areChecksGreen: boolean };

/** What is true in the project, whatever its list says. */
export type ListTruth = {
  /** When the code of a story last changed. */
  changes: Map<string, number>;
  reviews: EndedReview[];
  /** Turns that count as an iteration. */
  turns: number;
  actNames: Set<string>;
};

/** The stage of a run on a task list: agents work, review and cheat; checks and git tell the truth. */
export function createPrdStage(files: FakeFiles, random: Random): ProcessStage & { truth: ListTruth } {
  const git = createFakeGit(files, list.top);
  const truth: ListTruth = { changes: new Map(), reviews: [], turns: 0, actNames: new Set() };
  let step = 0;
  const areChecksGreen = (): boolean =>
    (files.list(`${list.top}/src`) ?? []).every(
      ({ name }) => files.text(`${list.top}/src/${name}`)?.startsWith("good") ?? true,
    );
  const turnAct = (order: ProcessOrder): Act | null => {
    if (!isTurn(order)) return null;
    const [, role, taskId] = /^(\S+) of (\S+)$/m.exec(String(order.stdin)) ?? [];
    if (!isRole(role) || taskId === undefined) throw new Error(`a turn without a role: ${String(order.stdin)}`);
    const act = chooseListAct(random, role);
    truth.actNames.add(act.name);
    const startedAt = (step += 1);
    const onChange = (): void => void truth.changes.set(taskId, (step += 1));
    return {
      ...spoken(act),
      does: () => act.does(actorOf({ files, git, random, taskId, onChange })),
      onEnd: () => {
        if (role === "review" && (act.exitCode ?? 0) === 0)
          truth.reviews.push({ taskId, startedAt, areChecksGreen: areChecksGreen() });
      },
    };
  };
  return {
    truth,
    turnsMax: 1,
    turnAct,
    onTurn: ({ name }) => {
      if (name !== "is mute") truth.turns += 1;
    },
    toolAct(order) {
      if (gitWords(order.argv) !== null) return git.act(order);
      const act: Act = {
        name: "check",
        lines: () => {
          act.exitCode = areChecksGreen() ? 0 : 1;
          return ["checked"];
        },
      };
      return act;
    },
  };
}

function isRole(word: string | undefined): word is TurnRole {
  return word === "implement" || word === "review" || word === "review-fix";
}

/** The act as a program: what it prints and how it ends. */
function spoken({ name, words = "Worked on.", isMute, exitCode, hangs, startFailure }: ListAct): Act {
  const said = [init, text(words)];
  const isCrash = exitCode !== undefined || hangs === true;
  return {
    name,
    lines: () => (isMute === true ? [] : [...said, ...(isCrash ? [] : [result()])]),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(hangs === undefined ? {} : { hangs }),
    ...(startFailure === undefined ? {} : { startFailure }),
  };
}

type Place = { files: FakeFiles; git: FakeGit; random: Random; taskId: string; onChange: () => void };

function actorOf({ files, git, random, taskId, onChange }: Place): ListActor {
  const editTop = (change: (file: Record<string, unknown>) => void): void => {
    const file = parsed(files.text(list.file));
    if (file === null) return;
    change(file);
    files.put(list.file, Buffer.from(JSON.stringify(file, null, 2)));
  };
  const editAll: ListActor["editAll"] = (change) =>
    editTop((file) => {
      const stories = file["userStories"];
      if (Array.isArray(stories)) file["userStories"] = change(stories as RawStory[]);
    });
  return {
    random,
    editTop,
    editAll,
    edit: (change) =>
      editAll((stories) => {
        for (const story of stories) if (story["id"] === taskId) change(story);
        return stories;
      }),
    writeCode(isGood) {
      files.put(`${list.top}/src/${taskId}.txt`, Buffer.from(`${isGood ? "good" : "bad"} ${random.next()}`));
      onChange();
    },
    commit: () => git.commitAll(),
    writeFile: (path, content) =>
      content === null ? files.remove(`${list.top}/${path}`) : files.put(`${list.top}/${path}`, Buffer.from(content)),
  };
}

function parsed(content: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(content ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // Another agent broke it before; this one leaves it so.
    return null;
  }
}
