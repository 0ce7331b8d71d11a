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
  const end = await endFamily({ ...order, family: { survey: () => [row], doubt: () => null, hasExempt: () => false } });
  expect(end).toEqual({ toldPids: new Set([pid]), isForced: true, survivors: [pid] });
});

it("looks once where a look cannot have missed anyone", async () => {
  const surveys = [[], [row], [row], [row]];
  const family = { survey: () => surveys.shift() ?? [], doubt: () => null, hasExempt: () => false };
  const end = await endFamily({ ...order, graceMs: 1_000, family });
  expect(end).toEqual({ toldPids: new Set(), isForced: false, survivors: [] });
});

it.each(["birth", "blank"] as const)(
  "looks twice before it believes that all are gone where it may have missed someone: %s",
  async (doubt) => {
    const surveys = [[], [row], [row], [row]];
    const family = { survey: () => surveys.shift() ?? [], doubt: () => doubt, hasExempt: () => false };
    const end = await endFamily({ ...order, graceMs: 1_000, family });
    expect(end).toEqual({ toldPids: new Set([pid]), isForced: false, survivors: [] });
  },
);

it("looks a third time when one born meanwhile shows no environment yet", async () => {
  const looks: [TableRow[], "birth" | "blank" | null][] = [
    [[], "birth"],
    [[], "blank"],
    [[row], null],
    [[row], null],
    [[row], null],
  ];
  let doubt: "birth" | "blank" | null = null;
  const survey = (): TableRow[] => {
    const [members, next] = looks.shift() ?? [[], null];
    doubt = next;
    return members;
  };
  const end = await endFamily({
    ...order,
    graceMs: 1_000,
    family: { survey, doubt: () => doubt, hasExempt: () => false },
  });
  expect(end).toEqual({ toldPids: new Set([pid]), isForced: false, survivors: [] });
});

it("tells nobody to end who ends by itself meanwhile", async () => {
  const surveys = [[row], [row]];
  const end = await endFamily({
    ...order,
    settleMs: 10_000,
    family: { survey: () => surveys.shift() ?? [], doubt: () => null, hasExempt: () => false },
  });
  expect(end).toEqual({ toldPids: new Set(), isForced: false, survivors: [] });
});
