import { resolve } from "node:path";
import { windowTokens } from "../../../core/session/context-alert.ts";
import type { HookAnswer, HookName, HookOutput, Host, HostEvent } from "../../../app/session/event/host-event.ts";
import { openTranscript } from "./claude-transcript.ts";

/** Claude Code, as seen on 2.1.325. */
export const claudeHost: Host = {
  name: "claude-code",
  read: readEvent,
  projectDir: (env) => resolve(env["CLAUDE_PROJECT_DIR"] || process.cwd()),
  write: writeAnswer,
  blocksMax(env) {
    const given = env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"]?.trim() ?? "";
    const blocks = /^\d{1,9}$/.test(given) ? Number(given) : blocksMaxDefault;
    return blocks === 0 ? null : blocks;
  },
  blocksRemedy: "set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to a higher number (0: no limit)",
  windowTokens: (env) => windowTokens(env["CLAUDE_CONTEXT_WINDOW"]),
  isHookEnvironment,
  alertFileName: (sessionId) => `claude-context-alerts-${sessionId}`,
};

/** Hooks are told the project, and commands of the agent are not; since some version each is also told what it is. */
function isHookEnvironment(environment: readonly string[]): boolean {
  const isTold = environment.some((each) => each.startsWith("CLAUDE_PROJECT_DIR="));
  return isTold && !environment.some((each) => /^AI_AGENT=.*_agent$/.test(each));
}

/** The ninth blocked stop in a row without a tool call is overridden. */
const blocksMaxDefault = 8;

function readEvent(fields: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): HostEvent | null {
  if (typeof fields["hook_event_name"] !== "string") return null;
  const text = (name: string): string | null => (typeof fields[name] === "string" ? fields[name] : null);
  const cwd = text("cwd") ?? process.cwd();
  const projectDir = resolve(env["CLAUDE_PROJECT_DIR"] || cwd);
  const toolName = text("tool_name");
  return {
    sessionId: text("session_id") ?? "",
    projectDir,
    cwd,
    isSubagent: text("agent_id") !== null,
    prompt: text("prompt"),
    tool: toolName === null ? null : { name: toolName, input: fields["tool_input"] },
    begin: ["resume", "compact"].includes(text("source") ?? "") ? "kept" : "fresh",
    // After /clear a session continues under a new id; every other end can be resumed.
    isOver: text("reason") === "clear",
    isContinued: fields["stop_hook_active"] === true,
    lastMessage: text("last_assistant_message"),
    pendingWork: pendingWork(fields["background_tasks"]),
    transcript: openTranscript(text("transcript_path"), env),
  };
}

function pendingWork(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const tasks: readonly unknown[] = value;
  return tasks.flatMap((task) => {
    if (typeof task !== "object" || task === null) return [];
    const fields = new Map<string, unknown>(Object.entries(task));
    const name = [fields.get("description"), fields.get("id")].find((each) => typeof each === "string");
    return fields.get("status") === "running" ? [typeof name === "string" ? name : "a background task"] : [];
  });
}

/** The names this host gives to its events. */
const eventNames: Readonly<Record<HookName, string>> = {
  "session-start": "SessionStart",
  "user-prompt-submit": "UserPromptSubmit",
  "pre-tool-use": "PreToolUse",
  "post-tool-use": "PostToolUse",
  stop: "Stop",
  "session-end": "SessionEnd",
};

function writeAnswer(hook: HookName, answer: HookAnswer, event: HostEvent | null): HookOutput {
  const { context, notice, block, deny } = answer;
  // The version is read from the record, which few answers need.
  const isLine = answer.line !== undefined && event !== null && isBlockedByContext(event.transcript.hostVersion());
  const line = isLine ? answer.line : undefined;
  // `decision: block` would send the reason twice, as user and as system message; by exit code it is sent once, and whole, but
  // people see it as an error. As additional context it is sent once, too, and is no error; ten thousand characters at most.
  if (block !== undefined && line === undefined) return { stdout: "", stderr: block, exitCode: 2 };
  const hookEventName = eventNames[hook];
  const told = line ?? context;
  const specific = {
    ...(told === undefined ? {} : { additionalContext: told }),
    ...(deny === undefined ? {} : { permissionDecision: "deny", permissionDecisionReason: deny }),
  };
  const output = {
    ...(notice === undefined ? {} : { systemMessage: notice }),
    ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: { hookEventName, ...specific } }),
  };
  const stdout = Object.keys(output).length === 0 ? "" : `${JSON.stringify(output)}\n`;
  return { stdout, stderr: "", exitCode: 0 };
}

/** The oldest version seen to hold a stop back for additional context. An older one might let the agent stop; exit code 2 never does. */
const contextBlocksSince = [2, 1, 197];

function isBlockedByContext(version: string | null): boolean {
  const parts =
    /^(\d+)\.(\d+)\.(\d+)/
      .exec(version ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  const at = contextBlocksSince.findIndex((part, index) => part !== parts[index]);
  return parts.length > 0 && (at === -1 || (parts[at] ?? 0) > (contextBlocksSince[at] ?? 0));
}
