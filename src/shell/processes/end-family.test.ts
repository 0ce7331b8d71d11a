import { expect, it } from "vitest";
import { endFamily } from "./end-family.ts";
import type { TableRow } from "./process-table.ts";

/** No system gives out a pid this large, so signals to it reach nobody. */
const pid = 2 ** 30;
const row: TableRow = {
  pid,
  parentPid: 1,
  groupId: pid,
  sessionId: pid,
  startTime: "boot:1",
  startedAt: 1,
  isZombie: false,
};

const order = { groupId: null, isRootRunning: () => false, settleMs: 0, graceMs: 1 };

it("names those that cannot be ended instead of waiting for ever (S3-21)", async () => {
  const end = await endFamily({
    ...order,
    family: { survey: () => [row], isSure: () => true, hasExempt: () => false },
  });
  expect(end).toEqual({ toldPids: new Set([pid]), isForced: true, survivors: [pid] });
});

it("looks once where a look cannot have missed anyone", async () => {
  const surveys = [[], [row], [row], [row]];
  const family = { survey: () => surveys.shift() ?? [], isSure: () => true, hasExempt: () => false };
  const end = await endFamily({ ...order, graceMs: 1_000, family });
  expect(end).toEqual({ toldPids: new Set(), isForced: false, survivors: [] });
});

it("looks twice before it believes that all are gone where it may have missed someone", async () => {
  const surveys = [[], [row], [row], [row]];
  const family = { survey: () => surveys.shift() ?? [], isSure: () => false, hasExempt: () => false };
  const end = await endFamily({ ...order, graceMs: 1_000, family });
  expect(end).toEqual({ toldPids: new Set([pid]), isForced: false, survivors: [] });
});

it("tells nobody to end who ends by itself meanwhile", async () => {
  const surveys = [[row], [row]];
  const end = await endFamily({
    ...order,
    settleMs: 10_000,
    family: { survey: () => surveys.shift() ?? [], isSure: () => true, hasExempt: () => false },
  });
  expect(end).toEqual({ toldPids: new Set(), isForced: false, survivors: [] });
});
