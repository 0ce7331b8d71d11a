import { expect, it } from "vitest";
import type { Gate } from "../../contract/gate.ts";
import { runPolicy } from "../../settings/run/run-policy.ts";
import { settingsSchema } from "../../settings/settings.ts";
import { newRun } from "../state.ts";
import { upgradeNote } from "./upgrade-note.ts";

const policy = runPolicy(settingsSchema.parse({}));
const gate = (name: string, when: Gate["when"] = "every-turn"): Gate => ({
  id: name,
  kind: "guardrail",
  name,
  when,
  isBeforeDelivery: true,
  isAlways: false,
  origin: "version 1",
  limits: { wallMs: null },
  tells: "output",
});

it("names the gates that a run keeps, with the version they come from, and holds the state it goes on with", () => {
  const state = newRun({
    ...policy,
    gates: [gate("before", "before-first-turn"), gate("npm test"), gate("the task list")],
  });
  const { text, upgraded } = upgradeNote(1, state);
  expect(text).toContain("its gates stay: npm test, the task list (origin: version 1)");
  expect(upgraded).toEqual({ from: 1, to: state.version, state });
});

it("counts those that are too many for a sentence", () => {
  const gates = Array.from({ length: 12 }, (_, index) => gate(`g${index}`));
  expect(upgradeNote(1, newRun({ ...policy, gates })).text).toContain("g9, 2 more (");
});

it("says so when there were none", () => expect(upgradeNote(1, newRun(policy)).text).toContain("it had no gates then"));
