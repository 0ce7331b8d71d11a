import { describe, expect, it } from "vitest";
import { unknownContract } from "../../contract/session-checks.ts";
import {
  beginStops,
  hearNativeStop,
  isLeftToLoop,
  isStopsRun,
  nativeVerdict,
  sentBack,
  sessionOver,
} from "./native-stops.ts";
import { foldLine, linesOf, readLine, type SessionLine } from "../session-journal.ts";
import { redVerdict } from "../read-verdicts.ts";
import { parseStored, type SessionRecord } from "../session-record.ts";
import { type SessionStep, stepRecord } from "../step-session.ts";

const moment = { at: 9, upMs: 2 };
const start = { sessionId: "s1", directory: "/p", host: "h", criterionCount: 1, contract: unknownContract, at: 7 };

/** A session whose stops have checks with these results, each a reason or null for green. */
function stops(...reasons: (string | null)[]): { record: SessionRecord; kinds: string[]; steps: SessionStep[] } {
  const begun = beginStops(start);
  const steps = [...begun.steps];
  const kinds: string[] = [];
  let { record } = begun;
  for (const reason of reasons) {
    const heard = hearNativeStop(record, moment);
    const order = heard.effects.at(-1);
    if (order?.type !== "run-gate") throw new Error("a stop is judged");
    const verdict = { ...redVerdict(reason ?? "", 0), isPassed: reason === null };
    const nothing = { isCut: false, spend: record.run.spend, stop: null, slot: null, word: null };
    const finished = { type: "gate-finished" as const, effectId: order.id, verdicts: [verdict], ...nothing };
    const judged = stepRecord(heard.record, [finished], moment);
    const { kind } = nativeVerdict(judged.record);
    const back = kind === "refused" ? sentBack(judged.record, moment) : { record: judged.record, steps: [] };
    kinds.push(kind);
    steps.push(...heard.steps, ...judged.steps, ...back.steps);
    ({ record } = back);
  }
  return { record, kinds, steps };
}

describe("stops of a session without a loop", () => {
  it("are allowed when verified, and judged again the next time (S4-95)", () =>
    expect(stops(null, "red", null, null).kinds).toEqual(["verified", "refused", "verified", "verified"]));

  it("are refused five times for one reason, then allowed, and counted anew (CW-4R)", () => {
    const red = Array.from({ length: 7 }, () => "red");
    const refused = Array.from({ length: 5 }, () => "refused");
    expect(stops(...red).kinds).toEqual([...refused, "given-up", "refused"]);
    expect(stops("red", "red", "other", ...red).kinds.indexOf("given-up")).toBe(8);
    expect(stops("red", "red", null, ...red).kinds.indexOf("given-up")).toBe(8);
  });

  it("are iterations of one run, one more for each time the agent is sent back", () => {
    const { record } = stops("red", null, "red");
    expect(record).toMatchObject({ loop: { active: false, sessionId: "s1" }, run: { iteration: 3, outcome: null } });
    expect(isStopsRun(record)).toBe(true);
    expect(parseStored(JSON.parse(JSON.stringify(record)))).toMatchObject({ isUpgraded: false });
  });

  it("leave a journal that leads to the state", () => {
    const { record, steps } = stops("red", null);
    const change = { begin: beginStops(start).begin, steps, record };
    const folded = linesOf(change, 0, 7).reduce<SessionRecord | string | null>((before, line, index) => {
      const read: SessionLine | string = readLine(JSON.stringify(line), index + 1);
      if (typeof before === "string" || typeof read === "string") return "a line does not fold";
      return foldLine(before, read);
    }, null);
    expect(folded).toEqual(record);
  });

  it("end with the session, and say whether the last one was verified", () => {
    const over = (...reasons: (string | null)[]) => sessionOver(stops(...reasons).record, moment).record.run.outcome;
    expect(over(null)).toEqual({ name: "interrupted", reason: "The session ended; its last stop was verified." });
    expect(over("red")?.reason).toContain("not verified");
  });

  it("are judged again when a process was killed before it answered", () => {
    const heard = hearNativeStop(stops().record, moment).record;
    expect(hearNativeStop(heard, moment).effects.map(({ type }) => type)).toEqual(["run-gate"]);
  });
});

it("is one run per session: stops begin none beside a loop", () => {
  expect([isLeftToLoop("stops", true), isLeftToLoop("stops", false)]).toEqual([true, false]);
  expect([isLeftToLoop("loop", true), isLeftToLoop("loop", false)]).toEqual([false, false]);
});
