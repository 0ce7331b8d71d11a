import { type SessionMessage, textOf } from "../../../core/session/session-message.ts";
import { type HookTools, openTools } from "./hook-tools.ts";
import { windowTokens } from "../../../core/session/context-alert.ts";
import { sessionFileName } from "../../../shell/sessions/session-file-name.ts";
import type { Host, HostEvent } from "./host-event.ts";

/** A host whose hooks are called inside its own process, so nothing is read or written here. */
export function innerHost(directory: string): Host {
  return {
    name: "host",
    read: () => null,
    projectDir: () => directory,
    write: () => ({ stdout: "", stderr: "", exitCode: 0 }),
    blocksMax: () => null,
    blocksRemedy: "",
    windowTokens: (env) => windowTokens(env["RALPH_CONTEXT_WINDOW"]),
    isHookEnvironment: () => true,
    alertFileName: (id) => `context-alerts-${sessionFileName(id)}`,
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
      readOffset: () => null,
      hasSession: () => null,
      hostVersion: () => null,
    },
  };
}

/**
 * A session inside this process, as the criteria see it. The host waits for nothing here: the limit of each check is the
 * only one.
 */
export function openSession(sessionId: string, directory: string, name = "host"): [HostEvent, HookTools] {
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: Number.POSITIVE_INFINITY };
  return [
    toolEvent({ sessionId, directory, isSubagent: false, tool: null, tokens: null }),
    openTools({ ...innerHost(directory), name }, options),
  ];
}

/** What the agent said since it was last spoken to. */
export function wordsSincePrompt(messages: readonly SessionMessage[]): string {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const own = messages.slice(asked + 1).filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}
