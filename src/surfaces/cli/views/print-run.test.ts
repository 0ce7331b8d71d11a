import { describe, expect, it } from "vitest";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { checks, policyOf, startAt, turn } from "../../../../tests/engine/play.ts";
import { readEnd, readIterations, readView } from "../../../app/query/read-view.ts";
import { runJson } from "../../../app/query/run-json.ts";
import { summarise } from "../../../app/query/summary/run-summary.ts";
import type { PrintedRun, WholeRun } from "../../../app/query/whole-run.ts";
import { decide } from "../../../core/engine/decide.ts";
import type { JournalEntry } from "../../../core/journal/journal-entry.ts";
import { newRun } from "../../../core/run/state.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { asOwn } from "../../../shell/lib/as-own.ts";
import type { RunRecord, Store } from "../../../shell/ports.ts";
import { printRun, printRunJson } from "./print-run.ts";
import { renderRun } from "./render-run.ts";

/** Several pages, and a last one that is not full. */
const iterations = 150;

/** The journal of a run whose guardrail is red every other time, with an output that lies apart. */
function playLong(): { state: RunRecord["state"]; journal: JournalEntry[] } {
  let state = newRun(policyOf({ guardrails: 1, iterationsMax: iterations }));
  const journal: JournalEntry[] = [];
  const moves = Array.from({ length: iterations }, (_, index) => [turn(), checks(index % 2)]).flat();
  const begin = { news: () => [{ type: "run-started" as const }] };
  for (const { news } of [begin, ...moves]) {
    for (const each of news(state.pending?.id ?? 0)) {
      const at = startAt + journal.length;
      const observation = { ...each, at, upMs: journal.length };
      const [next, effects] = decide(state, observation);
      state = next;
      journal.push({ runId: "long", seq: journal.length + 1, kind: "step", at, observation, effects });
    }
  }
  return { state, journal: journal.map(withBlob) };
}

function withBlob(entry: JournalEntry): JournalEntry {
  if (entry.kind !== "step" || entry.observation.type !== "gate-finished") return entry;
  const verdicts = entry.observation.verdicts.map((each) => ({ ...each, output: { blob: `${entry.seq % 40}` } }));
  return { ...entry, observation: { ...entry.observation, verdicts: asOwn(verdicts) } };
}

/** `endSeq`: where the journal ended when the head was made. */
async function openLong(endSeq?: number): Promise<{ whole: WholeRun; printed: PrintedRun }> {
  const { state, journal } = playLong();
  const record = { createdAt: startAt, epoch: 1, owner: null, expiresAt: null, updatedAt: startAt, endedAt: startAt };
  const run: RunRecord = { ...sampleRun("long"), ...record, state, outcome: state.outcome };
  const store = asOwn<Store>({
    readJournal: (_: string, afterSeq: number, limit: number) =>
      Promise.resolve(journal.slice(afterSeq, afterSeq + limit)),
    getBlob: (hash: string) => Promise.resolve(`output ${hash}`),
  });
  const traces = { toldModel: null, lastWords: null, changes: null };
  const facts = { run, summary: summarise(run, false), folder: "/state", traces };
  const { lastSeq, ...view } = await readEnd({ store }, run, () => undefined);
  const readPages: PrintedRun["readPages"] = () => readIterations({ store }, run, endSeq ?? lastSeq);
  return {
    whole: { ...facts, view: await readView({ store }, run) },
    printed: { ...facts, view, results: [], readPages },
  };
}

async function joined(parts: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

describe("a run printed while its journal is read", () => {
  it("has the text of the whole run", async () => {
    const { whole, printed } = await openLong();
    const text = await joined(printRun(printed, startAt));
    expect(whole.view.iterations).toHaveLength(iterations);
    expect(text).toBe(renderRun(whole, startAt));
    expect(text).toContain("the same output as in iteration");
  });

  it("has the JSON of the whole run", async () => {
    const { whole, printed } = await openLong();
    expect(await joined(printRunJson(printed))).toBe(jsonResult(runJson(whole)));
  });

  it("ends with the entry that its head was made of, though a living run writes on", async () => {
    const { whole, printed } = await openLong(100);
    expect(await joined(printRun(printed, startAt))).toContain("Iteration 33 ");
    expect(await joined(printRun(printed, startAt))).not.toContain("Iteration 34");
    expect(whole.view.iterations).toHaveLength(iterations);
  });

  it("of no iteration is JSON, too", async () => {
    const { printed } = await openLong(1);
    expect(JSON.parse(await joined(printRunJson(printed)))).toMatchObject({ iterations: [] });
  });
});
