import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { newRun } from "../run/state.ts";
import { fatalReason } from "./fatal.ts";

function check(given: Partial<TurnReport> & { iteration?: number }, expected: string | null): void {
  const { iteration = 1, ...report } = given;
  expect(fatalReason({ ...newRun(plain), iteration }, { ...emptyReport, ...report })).toBe(expected);
}

const denied = (changes: number): TurnReport["tools"] => ({
  calls: 3,
  errors: 3,
  denied: 4,
  deniedChanges: 3,
  changes,
});

describe("fatalReason", () => {
  it("is null for an ordinary turn and an ordinary failure", () => {
    check({}, null);
    check({ failure: { kind: "other", message: "Overloaded", resetAt: null } }, null);
    check({ failure: { kind: "limit", message: "limit", resetAt: null } }, null);
  });

  it("names a failed sign-in and an unknown model in any iteration", () => {
    const failure = { message: "401. Check THE_KEY.", resetAt: null };
    check(
      { iteration: 7, failure: { kind: "authentication", ...failure } },
      "The agent could not sign in: 401. Check THE_KEY.",
    );
    check(
      { iteration: 7, failure: { kind: "model", ...failure } },
      "The agent does not know the model: 401. Check THE_KEY.",
    );
  });

  it("names the flag that allows edits when the first turn could not make any", () => {
    const text = "Every edit of the first turn was denied (3): add --full to agent.flags.";
    check({ tools: denied(0), deniedRemedy: "--full" }, text);
    check({ tools: denied(0) }, "Every edit of the first turn was denied (3): allow edits in agent.flags.");
  });

  it("lets a turn go on that changed something after all, or is not the first", () => {
    check({ tools: denied(1) }, null);
    check({ tools: denied(0), isTreeChanged: true }, null);
    check({ tools: denied(0), iteration: 2 }, null);
  });
});
