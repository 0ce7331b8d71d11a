import { expect, it } from "vitest";
import { parseRows } from "./ps-table.ts";

it("reads the listing of ps, the session being the group", () => {
  const listing =
    "    1     0     1 Ss   Thu Oct  2 09:00:00 2025\n  420     1   419 Z+   Thu Oct  2 09:00:05 2025\nheader\n";
  const rows = parseRows(listing);
  expect(rows).toMatchObject([
    { pid: 1, parentPid: 0, groupId: 1, isZombie: false },
    { pid: 420, parentPid: 1, groupId: 419, sessionId: 419, startTime: "Thu Oct  2 09:00:05 2025", isZombie: true },
  ]);
  expect((rows[1]?.startedAt ?? 0) - (rows[0]?.startedAt ?? 0)).toBe(5_000);
});
