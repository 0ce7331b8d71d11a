import { describe, expect, it } from "vitest";
import type { HostEvent } from "../../../app/session/event/host-event.ts";
import { claudeHost } from "./claude-host.ts";

const said = { block: "Go on.\nThe task.", line: "Ralph: iteration 2 of 9, no promise yet." };

function answerOf(version: string | null): ReturnType<typeof claudeHost.write> {
  const event = claudeHost.read({ hook_event_name: "Stop", session_id: "s" }, {});
  if (event === null) throw new Error("an event of this host");
  const told: HostEvent = { ...event, transcript: { ...event.transcript, hostVersion: () => version } };
  return claudeHost.write("stop", said, told);
}

describe("an agent that is sent back", () => {
  it.each(["2.1.197", "2.1.325", "2.2.0", "3.0.1"])(
    "by Claude Code %s gets one line, as context (S0-37)",
    (version) => {
      const { exitCode, stdout } = answerOf(version);
      expect([exitCode, JSON.parse(stdout)]).toEqual([
        0,
        { hookSpecificOutput: { hookEventName: "Stop", additionalContext: said.line } },
      ]);
    },
  );

  it.each(["2.1.196", "2.0.999", "1.9.400", "next", null])(
    "by %s is held back by the exit code, which every version takes (S0-37)",
    (version) => expect(answerOf(version)).toEqual({ exitCode: 2, stdout: "", stderr: said.block }),
  );
});

describe("a process is known for a hook by what the host started it with", () => {
  const project = "CLAUDE_PROJECT_DIR=/workspace";
  it.each<[string[], boolean]>([
    [[project, "CLAUDECODE=1", "AI_AGENT=claude-code_2-1-325_harness"], true],
    [[project, "CLAUDECODE=1"], true],
    [["CLAUDECODE=1", "AI_AGENT=claude-code_2-1-325_agent"], false],
    [["CLAUDECODE=1"], false],
    [[project, "AI_AGENT=claude-code_2-1-325_agent"], false],
  ])("%j: %s", (environment, expected) => expect(claudeHost.isHookEnvironment(environment)).toBe(expected));
});
