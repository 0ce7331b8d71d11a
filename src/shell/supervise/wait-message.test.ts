import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identitiesWith, scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { postMessage } from "../bus/post-message.ts";
import { realClock } from "../lib/real-clock.ts";
import { findWaitMessage } from "./wait-message.ts";
import { createDisk } from "../lib/disk.ts";

const disk = createDisk();

describe("a message that asks to wait without restart", () => {
  it("counts only when it is newer than the run's start (S3-27, CW-3C)", async () => {
    const path = join(scratchFolder(), "TASK-MESSAGE-BUS.md");
    const writing = { files: disk, clock: { ...realClock, now: () => 5_000 }, identities: identitiesWith() };
    const draft = { projectId: "shop", body: "until tomorrow" };
    await postMessage(path, { ...draft, type: "INFO" }, writing);
    expect(findWaitMessage(path, 0, disk)).toBeNull();
    const request = await postMessage(path, { ...draft, type: "wait_without_restart" }, writing);
    expect(findWaitMessage(path, 5_000, disk)).toEqual(request);
    expect(findWaitMessage(path, 5_001, disk)).toBeNull();
  });
});
