import { describe, expect, it } from "vitest";
import { noClaims } from "../claims/claim-report.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { noFacts } from "../run/state.ts";
import { unclaimedWhy } from "./outcome-reasons.ts";

const why = (report: Partial<TurnReport> | null): string | null =>
  unclaimedWhy({
    facts: { ...noFacts, report: report === null ? null : { ...emptyReport, isEmpty: false, ...report } },
  });
const denied = (count: number) => ({ calls: 3, errors: count, denied: count, deniedChanges: count, changes: 1 });

describe("why nothing was claimed", () => {
  it.each([
    [null, null],
    [{}, null],
    [{ tools: denied(1) }, "In the last turn 1 tool call of the agent was denied."],
    [{ tools: denied(2) }, "In the last turn 2 tool calls of the agent were denied."],
    [{ isEmpty: true }, "The agent printed nothing in its last turn."],
    [
      { claims: { ...noClaims, isMentioned: true } },
      "The agent mentioned the completion tag in its last turn and did not claim.",
    ],
  ])("is told of %j", (report, expected) => expect(why(report)).toBe(expected));
});
