import { appendFileSync, closeSync, openSync, renameSync, rmSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { follow, post, scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { createMessage } from "../../core/bus/message.ts";
import { renderEntry } from "../../core/bus/render-entry.ts";
import { realClock } from "../lib/real-clock.ts";
import { entryCodec } from "./entry-codec.ts";
import { followBus } from "./follow-bus.ts";
import { createDisk } from "../lib/disk.ts";

const disk = createDisk();

function entry(id: string): Uint8Array {
  const message = createMessage({ type: "INFO", projectId: "shop", body: id }, { id, at: 0 });
  return renderEntry(message, entryCodec) ?? new Uint8Array();
}

function putAside(path: string, second: number): string {
  const archive = `${path}.20260102-0304${String(second).padStart(2, "0")}000.archived`;
  renameSync(path, archive);
  return archive;
}

/** The bodies seen once there are so many, or fewer when they do not come. */
async function bodiesSeen(following: ReturnType<typeof follow>, count: number): Promise<string[]> {
  await vi.waitUntil(() => following.seen.length >= count, { timeout: 20_000, interval: 5 });
  return following.seen.map(({ body }) => body);
}

describe("following a bus", () => {
  it("waits for one that is not there yet, and ends when asked to", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const following = follow(path, { tail: 5 });
    await post(path, "a");
    expect(await bodiesSeen(following, 1)).toEqual(["a"]);
    await post(path, "b");
    expect((await following.stop()).map(({ body }) => body)).toEqual(["a", "b"]);
  });

  it("begins with the tail, also of what was put aside, or after a message (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const first = await post(path, "a");
    await post(path, "b");
    putAside(path, 1);
    await post(path, "c");
    expect(await bodiesSeen(follow(path, { tail: 2 }), 2)).toEqual(["b", "c"]);
    expect(await bodiesSeen(follow(path, { tail: 1 }), 1)).toEqual(["c"]);
    expect(await bodiesSeen(follow(path, { since: first.id }), 2)).toEqual(["b", "c"]);
  });

  it("of an unknown message is an error of its own", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a");
    const order = {
      start: { since: "MSG-nobody" },
      files: disk,
      clock: realClock,
      signal: new AbortController().signal,
    };
    await expect(followBus(path, order).next()).rejects.toMatchObject({ code: "unknown-message" });
  });

  it("sees what several rotations between two looks put aside, in order (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a");
    const messages = followBus(path, {
      start: { tail: 1 },
      files: disk,
      clock: realClock,
      signal: AbortSignal.timeout(20_000),
      pollMs: 1,
    });
    const next = async (): Promise<string> => {
      const result = await messages.next();
      return result.done === true ? "ended" : result.value.body;
    };
    expect(await next()).toBe("a");
    for (const [index, body] of ["b", "c", "d"].entries()) {
      putAside(path, index);
      await post(path, body);
    }
    expect([await next(), await next(), await next()]).toEqual(["b", "c", "d"]);
    await messages.return(undefined);
  });

  it("sees what a stopped writer appends to a file that was put aside long ago (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a");
    const stoppedWriter = openSync(path, "a");
    const following = follow(path, { tail: 9 });
    expect(await bodiesSeen(following, 1)).toEqual(["a"]);
    putAside(path, 1);
    await post(path, "b");
    expect(await bodiesSeen(following, 2)).toEqual(["a", "b"]);
    writeSync(stoppedWriter, entry("late"));
    closeSync(stoppedWriter);
    expect(await bodiesSeen(following, 3)).toEqual(["a", "b", "late"]);
  });

  it("delivers half an entry never, and its rest with it when that comes (R-92)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const following = follow(path, { tail: 9 });
    const whole = entry("late");
    appendFileSync(path, whole.subarray(0, -3));
    await post(`${path}.other`, "for the time it takes");
    appendFileSync(path, whole.subarray(-3));
    expect(await bodiesSeen(following, 1)).toEqual(["late"]);
    appendFileSync(path, whole.subarray(0, -3));
    await post(path, "after");
    expect(await bodiesSeen(following, 2)).toEqual(["late", "after"]);
  });

  it("delivers the last entry of another tool once nothing follows it", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const following = follow(path, { tail: 9 });
    appendFileSync(path, "---\nmsg_id: MSG-1\ntype: INFO\nproject_id: p\n---\nforeign\n");
    expect(await bodiesSeen(following, 1)).toEqual(["foreign"]);
  });

  it("starts over with a bus that was cut or replaced", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a".repeat(5000));
    const following = follow(path, { tail: 0 });
    await post(path, "b");
    expect(await bodiesSeen(following, 1)).toEqual(["b"]);
    truncateSync(path, 0);
    await post(path, "c");
    expect(await bodiesSeen(following, 2)).toEqual(["b", "c"]);
    rmSync(path);
    await post(path, "d");
    expect(await bodiesSeen(following, 3)).toEqual(["b", "c", "d"]);
  });
});
