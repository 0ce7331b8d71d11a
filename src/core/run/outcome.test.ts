import { describe, expect, it } from "vitest";
import { exitCodes, isFinal, type OutcomeName, outcomeSentence } from "./outcome.ts";

describe("outcomes", () => {
  it("have the exit codes of the documents (CB-08, S1-65)", () =>
    expect(exitCodes).toEqual({
      completed: 0,
      exhausted: 1,
      failed: 2,
      waiting: 3,
      stopped: 4,
      cancelled: 5,
      interrupted: 130,
    }));

  it("are one sentence with their reason, in which a wait is said once (S3-28)", () => {
    expect(outcomeSentence({ name: "exhausted", reason: "No DONE." })).toBe("exhausted: No DONE.");
    expect(outcomeSentence({ name: "waiting", reason: "Blocked: no key" })).toBe("waiting: Blocked: no key");
    expect(outcomeSentence({ name: "waiting", reason: "waits: exit code 42" })).toBe("waits: exit code 42");
  });

  it("are final only when the work is done or a person ended it", () => {
    const names: OutcomeName[] = ["completed", "exhausted", "failed", "waiting", "stopped", "cancelled", "interrupted"];
    expect(names.filter((name) => isFinal({ name, reason: "" }))).toEqual(["completed", "cancelled"]);
  });
});
