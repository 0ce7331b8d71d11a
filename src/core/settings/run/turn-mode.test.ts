import { expect, it } from "vitest";
import { settingsSchema } from "../settings.ts";
import { turnMode } from "./turn-mode.ts";

it.each([
  ["a stream by default", {}, "run", "stream"],
  ["its text when streaming is off", { streamAgentOutput: false }, "run", "text"],
  ["a stream when money is counted", { streamAgentOutput: false, budget: { spend: 5 } }, "run", "stream"],
  ["a stream when tokens are counted", { streamAgentOutput: false, budget: { tokens: 5 } }, "run", "stream"],
  ["its text when only time is counted", { streamAgentOutput: false, budget: { time: "1h" } }, "run", "text"],
  ["a stream when its session goes on", { streamAgentOutput: false, agent: { context: "continue" } }, "run", "stream"],
  ["a stream where reviews and roles read it", { streamAgentOutput: false }, "prd", "stream"],
] as const)("the agent prints %s (S1-31, S1-32)", (_, given, kind, expected) => {
  expect(turnMode({ policy: { kind }, settings: settingsSchema.parse(given) })).toBe(expected);
});
