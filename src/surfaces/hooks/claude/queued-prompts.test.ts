import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readQueuedPrompts } from "./queued-prompts.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-queue-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const since = Date.UTC(2026, 10, 15);

function change(operation: string, content?: string, at = since + 1000): string {
  const timestamp = new Date(at).toISOString();
  return JSON.stringify({
    type: "queue-operation",
    operation,
    timestamp,
    ...(content === undefined ? {} : { content }),
  });
}

const given = JSON.stringify({
  type: "attachment",
  attachment: { type: "queued_command", prompt: "/cancel-ralph" },
  timestamp: new Date(since + 2000).toISOString(),
});

it.each<[string, string[], string[]]>([
  ["waits until it is taken", [change("enqueue", "a"), change("enqueue", "b")], ["a", "b"]],
  ["is gone when it was taken", [change("enqueue", "a"), change("enqueue", "b"), change("dequeue")], ["b"]],
  ["is gone when it was removed", [change("enqueue", "a"), change("enqueue", "b"), change("remove", "a")], ["b"]],
  ["is gone when it is edited again", [change("enqueue", "a"), change("popAll")], []],
  ["is old when it is older than the loop", [change("enqueue", "a", since - 1), change("enqueue", "b")], ["b"]],
  [
    "counts when the agent got it in its turn",
    [change("enqueue", "/cancel-ralph"), change("remove"), given],
    ["/cancel-ralph"],
  ],
  ["is not hidden by damaged lines", [change("enqueue", "a"), '{"type":"queue-operation"', "null"], ["a"]],
])("what a person typed meanwhile %s", (_what, lines, expected) => {
  const path = join(folder, "session.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  expect(readQueuedPrompts(path, since, null)).toEqual(expected);
});

it("is nothing without a record", () => expect(readQueuedPrompts(join(folder, "none"), since, null)).toEqual([]));
