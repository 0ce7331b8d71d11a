import { expect, it } from "vitest";
import { runPolicy } from "../../settings/run-policy.ts";
import { settingsSchema } from "../../settings/settings.ts";
import { newRun } from "../state.ts";
import { upgradeNote } from "./upgrade-note.ts";

const policy = runPolicy(settingsSchema.parse({}));

it("names the gates that a run keeps, with the version they come from, and holds the state it goes on with", () => {
  const state = newRun({ ...policy, guardrailCount: 2, criterionCount: 1, hasTasks: true, hasChildren: true });
  const { text, upgraded } = upgradeNote(1, state);
  expect(text).toContain("its gates stay: 2 guardrails, 1 criterion, the task list, children gone (origin: version 1)");
  expect(upgraded).toEqual({ from: 1, to: state.version, state });
});

it("says so when there were none", () => expect(upgradeNote(1, newRun(policy)).text).toContain("it had no gates then"));
