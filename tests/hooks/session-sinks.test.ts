import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cancelLoop, userPromptSubmit } from "../../src/app/session/user-prompt-submit.ts";
import type { Sink } from "../../src/shell/sinks/sink.ts";
import { stoppedWith, toolsBelow } from "./stopped-session.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-session-sinks-"));
  mkdirSync(join(root, "project"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("tells sinks each stored step of a session that a hook drives, with the id of its run", async () => {
  const heard: string[] = [];
  const sink: Sink = {
    entry: (entry, _, runId) => heard.push(entry.kind === "step" ? `${runId}: ${entry.observation.type}` : entry.kind),
    agentEvent: () => {},
  };
  const tools = { ...toolsBelow(root), sinks: [sink] };
  const event = stoppedWith("", join(root, "project"));
  await userPromptSubmit({ ...event, prompt: '/ralph "Fix it"' }, tools);
  const [started = ""] = heard;
  expect(started).toMatch(/: run-started$/);
  cancelLoop(event, tools);
  const runIds = new Set(heard.map((line) => line.split(": ")[0]));
  expect([...runIds]).toEqual([started.split(": ")[0]]);
  expect(heard).toContain(`${started.split(": ")[0]}: asked`);
});
