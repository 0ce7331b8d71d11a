import { describe, expect, it } from "vitest";
import { settingsSchema } from "../settings/settings.ts";
import type { Verification } from "../tasks/criteria/completion-spec.ts";
import { canonicalContract, type ContractSources } from "./contract.ts";
import { sealedCommands, sealedGates, unsealedNote } from "./sealed.ts";

function sourcesOf(seal: object, over: Partial<ContractSources> = {}): ContractSources {
  const settings = settingsSchema.parse({ guardrails: [{ command: "make test", failAction: "APPEND" }], seal });
  const project = { projectCriteria: [], role: null, verifyCommandsFrom: null };
  return {
    surface: "run",
    settings,
    settingsFiles: {},
    ...project,
    hasBaseline: false,
    isInRepository: true,
    ...over,
  };
}

const external: Verification = {
  method: "external",
  command: "make lint",
  successExitCode: 0,
  outputContains: null,
  outputNotContains: null,
  timeoutMs: 1000,
  workingDir: ".",
};

describe("sealed verification", () => {
  it("is asked on a claim before anything is delivered, within its own limit", () =>
    expect(sealedGates(sourcesOf({ checks: "claims", timeout: "2m" }))).toMatchObject([
      { id: "sealed", when: "on-claim", isBeforeDelivery: true, limits: { wallMs: 120_000 } },
    ]));

  it("is no part of a run without a repository, without a command, or with sealing switched off", () => {
    expect(sealedGates(sourcesOf({ checks: "claims" }, { isInRepository: false }))).toEqual([]);
    expect(sealedGates(sourcesOf({ checks: "off" }))).toEqual([]);
    const bare = settingsSchema.parse({ seal: { checks: "claims" } });
    expect(sealedGates(sourcesOf({}, { settings: bare }))).toEqual([]);
  });

  it("is there for held-out checks alone", () => {
    const bare = settingsSchema.parse({ seal: { checks: "claims" } });
    const heldOut = [{ name: "edges", command: "true", files: [], hint: null, tasks: [] }];
    expect(sealedGates(sourcesOf({}, { settings: bare, heldOut }))).toHaveLength(1);
  });

  it("is there for a judge alone, who must look where the agent never was", () => {
    const bare = settingsSchema.parse({ seal: { checks: "claims" } });
    const semantic: Verification = { method: "semantic", checkFor: [], negativePatterns: [], model: null };
    const stage = { name: "read", isRequired: true, isAlways: false, verification: semantic };
    const staged: Verification = { method: "multi_stage", stages: [stage], requireAll: true, parallelMax: 1 };
    for (const verification of [semantic, staged]) {
      const criterion = { promise: "DONE", description: "It works", maxIterations: null, verification };
      const role = { role: "coder" as const, criterion, outcome: "o", acceptanceCriteria: [] };
      expect(sealedGates(sourcesOf({}, { settings: bare, projectCriteria: [role] }))).toHaveLength(1);
    }
  });

  it("makes another contract of other settings", () => {
    const hashed = (seal: object): string => canonicalContract(sealedGates(sourcesOf(seal)));
    expect(hashed({ checks: "claims", probe: false })).not.toBe(hashed({ checks: "claims" }));
  });

  it("knows the commands of guardrails and criteria, each once", () => {
    const stages = [external, { ...external, command: "make test" }].map((verification, index) => ({
      name: `${index}`,
      isRequired: true,
      isAlways: false,
      verification,
    }));
    const verification: Verification = { method: "multi_stage", stages, requireAll: true, parallelMax: 1 };
    const criterion = { promise: "DONE", description: "It works", maxIterations: null, verification };
    const role = { role: "coder" as const, criterion, outcome: "o", acceptanceCriteria: [] };
    expect(sealedCommands(sourcesOf({}, { projectCriteria: [role] }))).toEqual(["make test", "make lint"]);
  });
});

it("says whether the settings mislead: checks that they want sealed and that are not", () => {
  const wanted = { checks: "claims" };
  const expected: [ContractSources, string | null][] = [
    [sourcesOf(wanted), null],
    [sourcesOf({ checks: "off" }, { surface: "work" }), null],
    [sourcesOf(wanted, { surface: "supervise" }), null],
    [sourcesOf(wanted, { surface: "prd" }), null],
    [sourcesOf(wanted, { surface: "work" }), null],
    [sourcesOf(wanted, { surface: "session" }), "only ralph run, ralph prd run, ralph supervise, ralph work"],
    [sourcesOf(wanted, { isInRepository: false }), "the project is not at a commit"],
    [sourcesOf(wanted, { settings: settingsSchema.parse({ seal: wanted }) }), "no check is a command"],
  ];
  for (const [sources, obstacle] of expected)
    expect(unsealedNote(sources) ?? "none").toContain(obstacle === null ? "none" : `is "claims": ${obstacle}`);
});

it("seals the roles of a work run by their own commands, and its merged tips only by those of the project", () => {
  const criterion = { promise: "DONE", description: "It works", maxIterations: null, verification: external };
  const workCriteria = [{ role: "coder" as const, criterion, outcome: "o", acceptanceCriteria: [] }];
  const settings = settingsSchema.parse({ seal: { checks: "claims" } });
  const work = sourcesOf({ checks: "claims" }, { surface: "work", settings, workCriteria });
  expect([unsealedNote(work), sealedCommands(work), sealedGates(work)]).toEqual([null, [external.command], []]);
  expect(sealedGates(sourcesOf({ checks: "claims" }, { surface: "work", workCriteria }))).toHaveLength(1);
});
