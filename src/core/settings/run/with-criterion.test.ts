import { expect, it } from "vitest";
import type { FrozenRun } from "./frozen-run.ts";
import { runPolicy } from "./run-policy.ts";
import { settingsSchema } from "../settings.ts";
import { withCriterion } from "./with-criterion.ts";

it("makes the criterion's promise the only claim (CW-2B, S2-61)", () => {
  const settings = settingsSchema.parse({});
  const run: FrozenRun = {
    version: "1",
    projectDir: "/p",
    prompt: { kind: "text", text: "Do it." },
    settings,
    settingsFiles: {},
    policy: runPolicy(settings),
    startCommit: null,
  };
  const criterion = {
    role: "coder" as const,
    criterion: {
      promise: "CODE_DONE",
      description: "d",
      maxIterations: null,
      verification: { method: "string_match" as const, promise: null, isLoose: false },
    },
    outcome: "o",
    acceptanceCriteria: ["a"],
  };
  expect(withCriterion(run, criterion)).toMatchObject({
    criterion,
    settings: { completionResponse: "CODE_DONE" },
    policy: { completionText: "CODE_DONE" },
  });
});
