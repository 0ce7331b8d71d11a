import { expect, it } from "vitest";
import { canonicalContract, type ContractSources } from "./contract.ts";
import type { HeldOutCheck } from "./held-out-check.ts";
import { gatesAbout, heldOutGates } from "./held-out.ts";

const check: HeldOutCheck = {
  name: "edges",
  command: "sh .held-out/edges.sh",
  files: [{ path: "edges.sh", hash: "1" }],
  hint: null,
  tasks: [],
};

const sources: ContractSources = {
  surface: "run",
  settings: {
    guardrails: [],
    guardrailTimeout: null,
    children: { wait: null },
    seal: { checks: "claims", timeout: 1000 },
  },
  settingsFiles: {},
  verifyCommandsFrom: null,
  role: null,
  projectCriteria: [],
  hasBaseline: false,
  isInRepository: true,
  heldOut: [check],
};

const hashed = (heldOut: HeldOutCheck[]): string => canonicalContract(heldOutGates({ ...sources, heldOut }));

it("is one gate on a claim, before delivery, and prints nothing but names", () => {
  const gates = heldOutGates({ ...sources, heldOut: [check, { ...check, name: "speed" }] });
  expect(gates).toEqual([
    expect.objectContaining({ name: "held-out: edges, speed", when: "on-claim", isBeforeDelivery: true }),
  ]);
});

it.each([
  ["its command", { command: "true" }],
  ["its hint", { hint: "Look at the edges." }],
  ["the content of its files", { files: [{ path: "edges.sh", hash: "2" }] }],
])("has another hash with another form of %s", (_, change) => {
  expect(hashed([{ ...check, ...change }])).not.toBe(hashed([check]));
});

it("asks nothing without a seal, outside of git, and where no check is held out", () => {
  const off = { ...sources.settings, seal: { checks: "off" as const, timeout: null } };
  expect(heldOutGates({ ...sources, settings: off })).toEqual([]);
  expect(heldOutGates({ ...sources, isInRepository: false })).toEqual([]);
  expect(heldOutGates({ ...sources, heldOut: [] })).toEqual([]);
});

it("asks a check of a task only in a run of that task", () => {
  const heldOut = [{ ...check, tasks: ["auth"] }];
  expect(heldOutGates({ ...sources, heldOut })).toEqual([]);
  expect(heldOutGates({ ...sources, heldOut, taskId: "other" })).toEqual([]);
  expect(heldOutGates({ ...sources, heldOut, taskId: "auth" })).toHaveLength(1);
});

it("asks on a merged tip about the tasks that it holds", () => {
  const heldOut = [check, { ...check, name: "login", tasks: ["auth"] }];
  const gates = heldOutGates({ ...sources, surface: "work", heldOut });
  const asked = (...ids: string[]): unknown => gatesAbout(gates, new Set(ids))[0]?.spec;
  expect(asked("other")).toMatchObject({ checks: [{ name: "edges" }] });
  expect(asked("auth", "other")).toMatchObject({ checks: [{ name: "edges" }, { name: "login" }] });
});
