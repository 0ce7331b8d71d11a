import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { detectInMessages } from "../../../core/session/detect-promise.ts";
import { openTranscript } from "./claude-transcript.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-transcript-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startedAt = Date.UTC(2026, 10, 15);

function line(type: string, text: string, more: Record<string, unknown> = {}): string {
  const message = { role: type, content: [{ type: "text", text }] };
  return JSON.stringify({ type, timestamp: new Date(startedAt + 1000).toISOString(), message, ...more });
}

function check(path: string | null, expected: boolean): void {
  const { messages } = openTranscript(path, {}).readSince(startedAt, null);
  expect(detectInMessages(messages, "DONE")).toBe(expected);
}

it("finds no claim without a record, or in one that cannot be read (S0-18)", () => {
  check(null, false);
  check(join(folder, "missing.jsonl"), false);
  check(folder, false);
});

it("finds the claim in the agent's own words, and not in the prompt that asked for it (S0-18, CW-0B)", () => {
  const path = join(folder, "session.jsonl");
  const claim = "<promise>DONE</promise>";
  writeFileSync(path, `${line("user", claim)}\n`);
  check(path, false);
  writeFileSync(path, `${line("user", claim)}\n${line("assistant", claim)}\n`);
  check(path, true);
  const before = { timestamp: new Date(startedAt - 1000).toISOString() };
  writeFileSync(path, `${line("assistant", claim, before)}\n`);
  check(path, false);
});
