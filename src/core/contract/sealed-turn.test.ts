import { expect, it } from "vitest";
import { settingsSchema } from "../settings/settings.ts";
import type { ContractSources } from "./contract.ts";
import { sealedGates } from "./sealed.ts";
import { sealedTurnGates } from "./sealed-turn.ts";

function sourcesOf(surface: ContractSources["surface"]): ContractSources {
  const seal = { checks: "claims" };
  const settings = settingsSchema.parse({ guardrails: [{ command: "make test", failAction: "APPEND" }], seal });
  const project = { projectCriteria: [], role: null, verifyCommandsFrom: null };
  return { surface, settings, settingsFiles: {}, ...project, hasBaseline: false, isInRepository: true };
}

it("verifies a task list after its turns and on its claim, and remembers one seal", () => {
  const sources = sourcesOf("prd");
  expect([...sealedTurnGates(sources), ...sealedGates(sources)]).toMatchObject([
    { id: "sealed", kind: "sealed-turn", when: "every-turn", isAlways: false },
    { id: "sealed-claim", kind: "sealed", when: "on-claim", isBeforeDelivery: true },
  ]);
});

it("is no part of other runs, or where nothing is sealed", () => {
  expect(sealedTurnGates(sourcesOf("run"))).toEqual([]);
  expect(sealedTurnGates({ ...sourcesOf("prd"), isInRepository: false })).toEqual([]);
});
