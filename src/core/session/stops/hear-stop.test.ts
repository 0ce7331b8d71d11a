import { describe, expect, it } from "vitest";
import { sampleLoop as loop } from "../../../../tests/session/sample-loop.ts";
import { hearStop } from "./hear-stop.ts";
import { beginSession } from "../session-journal.ts";
import type { SessionRecord } from "../session-record.ts";

const moment = { at: 9, upMs: 2 };
const begun = beginSession(loop, { directory: "/p", continuationDelay: 0, criterionCount: 1, mark: 0, at: 7 }).record;

function stop(record: SessionRecord, words: string, hasWork = false) {
  const messages = [{ role: "assistant" as const, content: words }];
  const { record: next, steps, effects } = hearStop(record, { messages, hasWork, isTreeChanged: null }, moment);
  return { next, heard: steps.map(({ observation }) => observation.type), orders: effects.map(({ type }) => type) };
}

describe("hearStop", () => {
  it("judges the turn: the next one without a claim, the checks with one", () => {
    expect(stop(begun, "Hi.")).toMatchObject({ heard: ["turn-ended"], orders: ["begin-turn"] });
    expect(stop(begun, "<promise>DONE</promise>")).toMatchObject({ heard: ["turn-ended"], orders: ["run-gate"] });
  });

  it("waits for work that is left, and goes on with the stop that follows (R-38)", () => {
    const { next, heard, orders } = stop(begun, "Hi.", true);
    expect([heard, orders]).toEqual([["turn-unsettled", "turn-ended"], ["set-timer"]]);
    expect(stop(next, "Hi.")).toMatchObject({ heard: ["turn-reopened", "turn-ended"], orders: ["begin-turn"] });
  });

  it("orders again what a killed process had begun", () => {
    const claimed = stop(begun, "<promise>DONE</promise>").next;
    expect(stop(claimed, "Hi.")).toMatchObject({ heard: ["run-resumed"], orders: ["run-gate"] });
    const ordered = stop(begun, "Hi.").next;
    expect(stop(ordered, "Hi.")).toMatchObject({ heard: ["run-resumed"], orders: ["begin-turn"] });
  });
});
