import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BusMessage } from "../../src/core/bus/message.ts";
import { followBus, type FollowStart } from "../../src/shell/bus/follow-bus.ts";
import type { Identities } from "../../src/shell/lib/lock-file.ts";
import { postMessage } from "../../src/shell/bus/post-message.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { realClock } from "../../src/shell/lib/real-clock.ts";

/** A folder of its own for one test, gone after it. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-bus-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** This process, and a world in which those named dead are dead. */
export function identitiesWith(deadPids: readonly number[] = []): Identities {
  return {
    self: async () => ({ pid: process.pid, startTime: "now" }),
    isAlive: ({ pid }) => !deadPids.includes(pid),
  };
}

/** Posts a message of type INFO with this body. */
export function post(path: string, body: string, rotateBytes = Number.POSITIVE_INFINITY): Promise<BusMessage> {
  const writing = { files: createDisk(), clock: realClock, identities: identitiesWith(), rotateBytes };
  return postMessage(path, { type: "INFO", projectId: "shop", body }, writing);
}

/** Follows a bus in the background; `stop` ends it and brings what was seen. */
export function follow(path: string, start: FollowStart): { seen: BusMessage[]; stop: () => Promise<BusMessage[]> } {
  const stopping = new AbortController();
  const seen: BusMessage[] = [];
  const done = (async () => {
    const order = { start, files: createDisk(), clock: realClock, signal: stopping.signal, pollMs: 5 };
    for await (const message of followBus(path, order)) seen.push(message);
  })();
  onTestFinished(() => stopping.abort());
  return {
    seen,
    stop: async () => {
      stopping.abort();
      await done;
      return seen;
    },
  };
}
