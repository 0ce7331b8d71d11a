import { windowTokens } from "../../../core/session/context-alert.ts";
import { sessionFileName } from "../../../shell/sessions/session-file-name.ts";
import type { Host, HostEvent } from "../host-event.ts";

/** OpenCode for the hooks that all hosts share. They are called inside its process, so nothing is read or written here. */
export function opencodeHost(directory: string, window: number | null): Host {
  return {
    name: "opencode",
    read: () => null,
    projectDir: () => directory,
    write: () => ({ stdout: "", stderr: "", exitCode: 0 }),
    blocksMax: () => null,
    blocksRemedy: "",
    windowTokens: (env) => window ?? windowTokens(env["RALPH_CONTEXT_WINDOW"]),
    alertFileName: (id) => `opencode-context-alerts-${sessionFileName(id)}`,
  };
}

/** An event of a session, mostly a tool call, as the hooks that all hosts share see it. */
export function toolEvent(given: {
  sessionId: string;
  directory: string;
  isSubagent: boolean;
  tool: HostEvent["tool"];
  tokens: number | null;
}): HostEvent {
  const { sessionId, directory, isSubagent, tool, tokens } = given;
  return {
    sessionId,
    projectDir: directory,
    cwd: directory,
    isSubagent,
    prompt: null,
    tool,
    begin: "kept",
    isOver: false,
    isContinued: false,
    lastMessage: null,
    pendingWork: [],
    transcript: {
      readSince: () => ({ messages: [], hasUsedTools: true }),
      readUsage: () => tokens,
      readQueued: () => [],
      hasSession: () => null,
    },
  };
}
