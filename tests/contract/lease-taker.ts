import { writeSync } from "node:fs";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { nobodyLives, takeRun } from "./store-samples.ts";

// A driver that waits for a line, takes run "a" from a dead one, and says whether it got it and whether it can renew.
const [folder = "", host = "", now = ""] = process.argv.slice(2);
const store = await openSqliteStore({ folder, now: () => Number(now) });
const owner = { pid: process.pid, startTime: "1", host };
writeSync(1, "ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const taken = await takeRun(store, "a", owner, ({ pid }) => (pid === 101 ? nobodyLives() : true));
const isRenewed = taken.isTaken
  ? await store.renew({ runId: "a", epoch: taken.epoch }).then(
      () => true,
      () => false,
    )
  : null;
writeSync(1, `${JSON.stringify({ isTaken: taken.isTaken, isRenewed })}\n`);
await store.close();
process.stdin.destroy();
