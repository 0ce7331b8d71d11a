import { expect, it } from "vitest";
import { createFamily, type Family } from "./family.ts";
import type { ProcessTable, TableRow } from "./process-table.ts";

/** Far above any real pid, so that no row is this very process. */
const base = 10_000_000;

type Given = { pid: number; parent?: number; session?: number; start?: number; isZombie?: boolean };

function rowOf({ pid, parent = 1 - base, session = pid, start = 100, isZombie = false }: Given): TableRow {
  const startTime = `boot:${start}`;
  const sessionId = base + session;
  return {
    pid: base + pid,
    parentPid: base + parent,
    groupId: sessionId,
    sessionId,
    startTime,
    startedAt: start,
    isZombie,
  };
}

type MomentGiven = { rows: Given[]; carriers?: number[]; blank?: number[]; births?: number };

function familyOf(moments: MomentGiven[]): { family: Family; asked: number[][] } {
  const asked: number[][] = [];
  const left = [...moments];
  let carriers: number[] = [];
  let blank: number[] = [];
  let count = 0;
  const table: ProcessTable = {
    readAll: () => {
      const moment = left.shift();
      carriers = moment?.carriers ?? [];
      blank = moment?.blank ?? [];
      count += moment?.births ?? 0;
      return (moment?.rows ?? []).map(rowOf);
    },
    readOne: () => null,
    startedAtOf: () => null,
    findCarriers: (pids) => {
      asked.push(pids.map((pid) => pid - base));
      return { carriers: carriers.map((pid) => base + pid), blank: blank.map((pid) => base + pid) };
    },
    births: () => ({ count, lastPid: base }),
  };
  const root = { pid: base + 10, startTime: "boot:100" };
  return { family: createFamily(table, { root, turnMarker: "m", since: 100, births: null }), asked };
}

function check(moments: Parameters<typeof familyOf>[0], expected: number[]): void {
  const { family } = familyOf(moments);
  const surveys = moments.map(() => family.survey().map((row) => row.pid - base));
  expect(surveys.at(-1)).toEqual(expected);
}

it("takes in children and grandchildren in whatever order they are listed (R-80)", () => {
  check([{ rows: [{ pid: 12, parent: 11 }, { pid: 11, parent: 10 }, { pid: 10 }, { pid: 13 }] }], [12, 11, 10]);
});

it("takes in everyone of a member's session, parent or not (R-80)", () => {
  check([{ rows: [{ pid: 10 }, { pid: 20, session: 10 }] }], [10, 20]);
});

it("remembers a member whose parent is gone (R-80)", () => {
  check([{ rows: [{ pid: 10 }, { pid: 11, parent: 10 }] }, { rows: [{ pid: 11 }] }], [11]);
});

it("takes in carriers of the marker with their descendants (R-80)", () => {
  check([{ rows: [{ pid: 30 }, { pid: 31, parent: 30 }, { pid: 40 }], carriers: [30] }], [30, 31]);
});

it("does not take a reused number for the member it belonged to", () => {
  const first = { rows: [{ pid: 10 }, { pid: 11, parent: 10 }] };
  check([first, { rows: [{ pid: 10 }, { pid: 11, start: 200 }, { pid: 12, parent: 11, start: 201 }] }], [10]);
});

it("forgets the number of a member that is gone with its session", () => {
  const first = { rows: [{ pid: 10 }, { pid: 11, parent: 10 }] };
  check([first, { rows: [{ pid: 10 }] }, { rows: [{ pid: 10 }, { pid: 12, parent: 11, session: 11 }] }], [10]);
});

it("does not count zombies, nor anyone older than the first process", () => {
  check([{ rows: [{ pid: 10 }, { pid: 11, parent: 10, isZombie: true }, { pid: 12, parent: 10, start: 99 }] }], [10]);
});

it("reads the environment only of strangers that started since the first process", () => {
  const { family, asked } = familyOf([
    { rows: [{ pid: 10 }, { pid: 11, parent: 10 }, { pid: 5, start: 99 }, { pid: 20 }] },
  ]);
  family.survey();
  expect(asked).toEqual([[20]]);
});

it.each([
  ["does not doubt a survey during which nobody was born and everybody showed an environment", {}, null],
  ["doubts a survey when somebody was born meanwhile (R-80)", { births: 1 }, "birth"],
  ["doubts a survey when somebody showed no environment, as in the middle of an exec (R-80)", { blank: [20] }, "blank"],
  ["doubts the environment first", { births: 1, blank: [20] }, "blank"],
])("%s", (_, moment, expected) => {
  const { family } = familyOf([{ rows: [{ pid: 20 }], ...moment }]);
  family.survey();
  expect(family.doubt()).toBe(expected);
});

it("leaves out who is exempt, with group, session and descendants, but never the root (S3-37, R-95)", () => {
  const rows = [
    { pid: 10 },
    { pid: 11, parent: 10, session: 10 },
    { pid: 20, parent: 10 },
    { pid: 21, parent: 20 },
    { pid: 22, parent: 21, session: 21 },
  ];
  const { family } = familyOf([{ rows }, { rows }, { rows }]);
  const survey = (): number[] => family.survey().map((row) => row.pid - base);
  family.exempt(new Set([base + 20]));
  expect(survey()).toEqual([10, 11]);
  expect(family.hasExempt(base + 10)).toBe(false);
  // Registered under the root's own group: only the process itself is spared, and its group gets no signal as a whole.
  family.exempt(new Set([base + 10, base + 11]));
  expect(survey()).toEqual([10, 20, 21, 22]);
  expect(family.hasExempt(base + 10)).toBe(true);
});
