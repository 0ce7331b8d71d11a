import { expect, it } from "vitest";
import { checks, done, play, turn, turnStarts } from "../../../tests/engine/play.ts";
import { lastChecksText } from "./last-checks.ts";

it("says what the last checks came to, and green only by evidence", () => {
  expect(lastChecksText(play({ guardrails: 1 }, turnStarts).state)).toBeNull();
  expect(lastChecksText(play({ guardrails: 1 }, turn(), checks(1)).state)).toMatch(/^checks red: /);
  const { state } = play({ guardrails: 1 }, done, checks(0));
  expect(lastChecksText(state)).toBe("checks green");
  const believed = Object.entries(state.facts.verdicts).map(([id, verdicts]) => [
    id,
    verdicts.map((verdict) => ({ ...verdict, isUnverified: true as const })),
  ]);
  const unproven = { ...state, facts: { ...state.facts, verdicts: Object.fromEntries(believed) } };
  expect(lastChecksText(unproven)).toBe("met by the claim alone, unverified");
  expect(lastChecksText(play({ guardrails: 1 }, turn(), checks(0), turnStarts).state)).toBe("checks green");
});
