import { describe, expect, it } from "vitest";
import { redacted, redactedText } from "./redact.ts";

describe("a printed line", () => {
  it.each([
    "agent -p --dangerously-skip-permissions --verbose",
    "agent --permission-mode acceptEdits",
    "agent --task-sk-something-long-enough",
    "agent --max-tokens 5000",
    "agent --use-token --output-format json",
    "agent --no-api-key -p",
    "skip-permissions-everywhere",
  ])("keeps every flag's name: %s", (line) => expect(redactedText(line)).toBe(line));

  it.each([
    ["agent --api-key abc", "agent --api-key [redacted]"],
    ["agent --api-key=-abc-", "agent --api-key=[redacted]"],
    ["agent sk-ant-api03-aaaaaaaaaaaa", "agent [redacted]"],
    ["agent --flag=ghp_0123456789abcdef", "agent --flag=[redacted]"],
    ["TOKEN=abc x", "TOKEN=[redacted] x"],
    ["https://me:pass@host/", "https://me:[redacted]@host/"],
  ])("hides a secret: %s", (line, expected) => expect(redactedText(line)).toBe(expected));
});

it("keeps a flag that follows a flag without value in printed settings", () => {
  expect(redacted({ flags: ["--api-key", "abc", "--token", "--model", "m"] })).toEqual({
    flags: ["--api-key", "[redacted]", "--token", "--model", "m"],
  });
});
