import { expect, it } from "vitest";
import { newRun } from "../../core/run/state.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import { settingsSchema } from "../../core/settings/settings.ts";
import { mountSinks } from "./mount-sinks.ts";
import type { Sink } from "./sink.ts";

const state = newRun(runPolicy(settingsSchema.parse({ agent: { command: "sim" } })));

it("tells every sink of the run it is mounted on, also after one that throws and one that rejects", async () => {
  const heard: string[] = [];
  const throwing: Sink = {
    entry: () => {
      throw new Error("a fault of the sink");
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- a program in JavaScript may give such a sink
    agentEvent: () => Promise.reject(new Error("another one")),
  };
  const hearing: Sink = {
    entry: (entry, _, runId) => heard.push(`${runId}: ${entry.kind}`),
    agentEvent: (event, effectId, runId) => heard.push(`${runId}: ${event.type} of ${effectId}`),
  };
  const mounted = mountSinks([throwing, hearing], "run-1");
  mounted.entry({ kind: "note", at: 0, level: "info", text: "It begins." }, state);
  mounted.agentEvent({ type: "notice", text: "Hello." }, 7);
  await Promise.resolve();
  expect(heard).toEqual(["run-1: note", "run-1: notice of 7"]);
});
