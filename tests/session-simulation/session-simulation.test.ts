import { describe, expect, it } from "vitest";
import { sessionInvariants } from "./session-invariants.ts";
import { type PlantedFault, type SessionTrace, simulateSession } from "./simulate-session.ts";

/** Another seed explores other lives; the one a failure prints brings it back. */
const firstSeed = Number(process.env["RALPH_SESSION_SEED"] ?? 20261115);
const runs = Number(process.env["RALPH_SESSION_RUNS"] ?? 400);

const reached = { completed: 0, exhausted: 0, byPerson: 0, restarted: 0, notInjected: 0, recovered: 0 };

describe("a loop in a session, whatever its host does", () => {
  it("keeps every invariant (CW-0E, CW-0F, CW-0G, CW-0H, R-30, R-31, R-33, R-34, R-36)", async () => {
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const trace = await simulateSession(seed);
      count(trace);
      expect({ seed, problems: problemsOf(trace) }).toEqual({ seed, problems: [] });
    }
    const never = Object.entries(reached).filter(([, times]) => times === 0);
    expect(never).toEqual([]);
  }, 120_000);

  for (const [name, { fault }] of Object.entries(sessionInvariants))
    it(`"${name}" is broken by a planted fault`, async () => expect(await isCaught(name, fault)).toBe(true), 60_000);
});

async function isCaught(name: string, fault: PlantedFault): Promise<boolean> {
  for (let seed = firstSeed; seed < firstSeed + 100; seed += 1)
    if (sessionInvariants[name]?.invariant(await simulateSession(seed, fault)) !== null) return true;
  return false;
}

function problemsOf(trace: SessionTrace): string[] {
  return Object.entries(sessionInvariants).flatMap(([name, { invariant }]) => {
    const problem = invariant(trace);
    return problem === null ? [] : [`${name}: ${problem}`];
  });
}

/** A simulation that never meets a thing says nothing about it. */
function count({ happened }: SessionTrace): void {
  const logged = (text: string): number =>
    Number(happened.some((each) => each.type === "logged" && each.text.endsWith(text)));
  reached.completed += Number(happened.some(({ type }) => type === "completed"));
  reached.byPerson += Number(happened.some(({ type }) => type === "ended-by-person"));
  reached.restarted += Number(happened.some(({ type }) => type === "restarted"));
  reached.exhausted += logged("Max iterations reached");
  reached.notInjected += logged("Failed to inject continuation");
  reached.recovered += logged("Skipped: in recovery");
}
