import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { realClock } from "./real-clock.ts";
import { patient } from "../../../tests/patience.ts";

it("ends a wait when it is over or aborted", async () => {
  expect(await realClock.wait(1, new AbortController().signal)).toBe(true);
  expect(await realClock.wait(3_600_000, AbortSignal.abort())).toBe(false);
  const late = new AbortController();
  const waiting = realClock.wait(3_600_000, late.signal, "background");
  late.abort();
  expect(await waiting).toBe(false);
});

it("does not keep a program alive by a wait in the background", () => {
  const module = JSON.stringify(new URL("real-clock.ts", import.meta.url).href);
  const script = `import { realClock } from ${module};
    void realClock.wait(3_600_000, new AbortController().signal, "background");`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", script], { timeout: patient(10_000) });
  expect({ status: ended.status, signal: ended.signal }).toEqual({ status: 0, signal: null });
});
