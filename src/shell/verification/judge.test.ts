import { expect, it } from "vitest";
import { settingsSchema } from "../../core/settings/settings.ts";
import type { AskContext } from "../agents/ask-agent.ts";
import { asOwn } from "../lib/as-own.ts";
import type { ProcessOrder } from "../ports.ts";
import { allAgents } from "../wire-agents.ts";
import { createJudge } from "./judge.ts";

it("asks for verdicts as a judge, whatever the run's own agent is started as", async () => {
  const orders: ProcessOrder[] = [];
  const start = (order: ProcessOrder) => {
    orders.push(order);
    return Promise.resolve({ isStarted: false as const, kind: "not-found" as const, message: "" });
  };
  const agents = allAgents([]);
  const settings = settingsSchema.parse({ agent: { command: "claude" } });
  const place = asOwn<AskContext>({
    runId: "r",
    frozen: { settings, projectDir: "/" },
    env: {},
    adapter: agents.known[0],
    adapters: agents.known,
    command: "claude",
    flags: [],
    agentEnv: {},
    killGraceMs: 0,
    processes: { start },
    artefacts: { put: () => Promise.resolve(), localPath: () => "/answer" },
    onStderr: () => undefined,
  });
  const judge = createJudge(place, agents, () => {});
  await judge({ prompt: "Is it done?", model: null, turnMarker: "m", wallMs: 1, signal: new AbortController().signal });
  expect(orders.map(({ purpose }) => purpose)).toEqual(["judge"]);
});
