import { expect, it } from "vitest";
import type { JournalNews } from "./journal-entry.ts";
import { emptyView } from "./run-view.ts";
import { changeBy, type ViewEnd } from "./view-change.ts";

const { iterations: _, notes: __, ...facts } = emptyView;
const nothing: ViewEnd = { facts, last: null, count: 0 };
const moment = { at: 5, upMs: 1 };

function step(observation: Extract<JournalNews, { kind: "step" }>["observation"]): JournalNews {
  return { kind: "step", at: 5, observation, effects: [] };
}

it("adds a remark and changes nothing else", () => {
  const change = changeBy({ kind: "note", at: 7, level: "info", text: "said" }, nothing);
  expect(change).toEqual({ facts, note: { at: 7, level: "info", text: "said" }, iteration: null });
});

it("begins an iteration with its number, also where no order named one", () => {
  const started = step({ type: "turn-started", effectId: 3, pid: 1, startTime: "1", ...moment });
  const { iteration } = changeBy(started, { ...nothing, count: 4 });
  expect(iteration).toMatchObject({ isNew: true, view: { number: 5, effectId: 3, report: null } });
});

it("changes no iteration where there is none yet", () => {
  const answer = { effectId: 1, verdicts: [], isCut: false, stop: null, slot: null, word: null };
  const spend = { usd: null, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(changeBy(step({ type: "gate-finished", ...answer, spend, ...moment }), nothing).iteration).toBeNull();
});
