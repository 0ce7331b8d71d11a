import type { SessionMessage } from "../../../core/session/session-message.ts";
import type { TranscriptOffset } from "../../../core/session/transcript-offset.ts";

/** What a host calls, by its place in a session. */
export const hookNames = [
  "session-start",
  "user-prompt-submit",
  "pre-tool-use",
  "post-tool-use",
  "stop",
  "session-end",
] as const;
export type HookName = (typeof hookNames)[number];

/** News of one session, in no host's own words. Whatever a host leaves out is null, empty or false. */
export type HostEvent = {
  sessionId: string;
  /** Where the session was started; the agent may be elsewhere meanwhile. */
  projectDir: string;
  cwd: string;
  /** Of a helper that the agent started, which has a context of its own. */
  isSubagent: boolean;
  /** What a person typed, never touched by a shell. */
  prompt: string | null;
  tool: { name: string; input: unknown } | null;
  /** A session's begin: `fresh` has an empty context, `kept` continues with the one it had. */
  begin: "fresh" | "kept";
  /** Whether this session is over for good: nobody can come back to it. */
  isOver: boolean;
  /** Whether this stop follows one that was blocked. */
  isContinued: boolean;
  /** The agent's last words before a stop; null when the host did not tell. */
  lastMessage: string | null;
  /** Work the agent left running that will wake it, as people would name it. */
  pendingWork: string[];
  transcript: Transcript;
};

/** A host's record of a session, read from its end. Nothing here throws. */
export type Transcript = {
  /** The messages since a moment (milliseconds since 1970), oldest first; none from before an offset in the same record. */
  readSince(since: number, from: TranscriptOffset | null): TranscriptTurn;
  /** Tokens in the context now; null when the record is not there. */
  readUsage(): number | null;
  /** What a person typed since a moment while the agent worked, and the host has not handled yet. */
  readQueued(since: number, from: TranscriptOffset | null): string[];
  /** How far the record is written now, with what was queued since a moment (null: since now); null when nobody can tell. */
  readOffset(since: number | null, from: TranscriptOffset | null): TranscriptOffset | null;
  /** Whether another session of this host is known; null when nobody can tell. */
  hasSession(sessionId: string): boolean | null;
  /** The version of the host that wrote it; null when nobody can tell. */
  hostVersion(): string | null;
};

export type TranscriptTurn = { messages: SessionMessage[]; hasUsedTools: boolean };

/** What a hook wants of its host; an empty answer lets it continue. */
export type HookAnswer = {
  /** For the agent, beside what it reads anyway. */
  context?: string;
  /** For the person at the host. */
  notice?: string;
  /** Sends the agent back to work with this text instead of letting it stop. */
  block?: string;
  /** The same in one line, for a host that shows people what the agent is sent back with. */
  line?: string;
  /** Refuses a tool call. */
  deny?: string;
};

/** What a hook's process prints and ends with. */
export type HookOutput = { stdout: string; stderr: string; exitCode: number };

/** What we know of one host: its input, its answers, and limits of its own. */
export type Host = {
  name: string;
  /** Null: this input is not of this host. Throws on one that is, but cannot be used. */
  read(fields: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): HostEvent | null;
  /** Where the session was started, also without an input that can be read. */
  projectDir(env: NodeJS.ProcessEnv): string;
  /** The event is null where none could be read. */
  write(hook: HookName, answer: HookAnswer, event: HostEvent | null): HookOutput;
  /** Blocked stops in a row without a tool call, after which the host ends the turn all the same; null: none. */
  blocksMax(env: NodeJS.ProcessEnv): number | null;
  /** How its users change that. */
  blocksRemedy: string;
  windowTokens(env: NodeJS.ProcessEnv): number;
  /** Whether it starts hooks with these settings (`NAME=value`), and not the commands of its agent. */
  isHookEnvironment(environment: readonly string[]): boolean;
  /** The name of a session's alert file in the temp folder. */
  alertFileName(sessionId: string): string;
};
