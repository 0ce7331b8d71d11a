import { join } from "node:path";
import { claudeHost } from "../../src/surfaces/hooks/claude/claude-host.ts";
import { type HookTools, openTools } from "../../src/app/session/event/hook-tools.ts";
import type { HostEvent } from "../../src/app/session/event/host-event.ts";

/** The agent of session `s1` stops with these words, the only ones of its turn. */
export function stoppedWith(words: string, projectDir: string): HostEvent {
  const messages = [{ role: "assistant" as const, content: words }];
  return {
    sessionId: "s1",
    projectDir,
    cwd: projectDir,
    isSubagent: false,
    prompt: null,
    tool: null,
    begin: "kept",
    isOver: false,
    isContinued: false,
    lastMessage: words,
    pendingWork: [],
    transcript: {
      readSince: () => ({ messages, hasUsedTools: true }),
      readUsage: () => null,
      readQueued: () => [],
      readOffset: () => null,
      hasSession: () => true,
      hostVersion: () => null,
    },
  };
}

/** The tools of a hook of that session, with folders below `root`. */
export function toolsBelow(root: string): HookTools {
  // Counted from the start of the process, and this one answers more than one event.
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: 24 * 3_600_000 };
  const opened = openTools(claudeHost, options, { RALPH_STATE_HOME: join(root, "state") });
  return { ...opened, tempFolder: join(root, "tmp") };
}
