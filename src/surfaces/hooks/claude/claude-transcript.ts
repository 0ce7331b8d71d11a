import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { estimateTokens } from "../../../core/session/context-alert.ts";
import type { MessagePart, SessionMessage } from "../../../core/session/session-message.ts";
import type { TranscriptOffset } from "../../../core/session/transcript-offset.ts";
import type { Transcript, TranscriptTurn } from "../../../app/session/event/host-event.ts";
import { readOffset, readQueuedPrompts } from "./queued-prompts.ts";
import { readLinesBackwards } from "./read-lines-backwards.ts";
import { beginAt } from "./transcript-offset.ts";

/** A session's record: one JSON object a line. It grows to hundreds of megabytes, so only its end is read. */
export function openTranscript(path: string | null, env: NodeJS.ProcessEnv): Transcript {
  return {
    readSince: (since, from) => (path === null ? { messages: [], hasUsedTools: false } : readTurn(path, since, from)),
    readUsage: () => (path === null ? null : readUsage(path, env)),
    readQueued: (since, from) => (path === null ? [] : readQueuedPrompts(path, since, from)),
    readOffset: (since, from) => (path === null ? null : readOffset(path, since, from)),
    hostVersion: () => (path === null ? null : readVersion(path)),
    hasSession: (sessionId) => (path === null ? null : hasSession(path, sessionId)),
  };
}

/** A turn's own lines; what an agent writes in one turn is far less. */
const turnBytesMax = 64 * 1024 * 1024;

/** The newest usage is within the last few lines, one of which may hold a whole file. */
const usageBytesMax = 8 * 1024 * 1024;

function readTurn(path: string, since: number, from: TranscriptOffset | null): TranscriptTurn {
  const entries: Entry[] = [];
  readLinesBackwards(path, { bytesMax: turnBytesMax, from: beginAt(path, from) }, (line) => {
    const entry = parseEntry(line);
    if (entry === null) return true;
    const time = Date.parse(String(entry.timestamp));
    if (time < since) return false;
    entries.push(entry);
    return true;
  });
  // Not `toReversed`, which Node 18 does not have.
  const own = entries.map((_, index) => entries[entries.length - 1 - index] ?? {});
  return {
    messages: joinMessages(own),
    hasUsedTools: own.some((entry) => entry.type === "assistant" && partsOf(entry).some(isToolUse)),
  };
}

/** Most lines name the version of the program, one of which may hold a whole file. */
const versionBytesMax = 1024 * 1024;

function readVersion(path: string): string | null {
  const found: { version: string | null } = { version: null };
  readLinesBackwards(path, { bytesMax: versionBytesMax }, (line) => {
    found.version = line.includes('"version"') ? (parseEntry(line)?.version ?? null) : null;
    return found.version === null;
  });
  return found.version;
}

/** A line of the record, of which only these fields are looked at. */
type Entry = {
  type?: unknown;
  subtype?: unknown;
  timestamp?: unknown;
  isSidechain?: unknown;
  isApiErrorMessage?: unknown;
  isMeta?: unknown;
  version?: string;
  message?: { id?: unknown; model?: unknown; content?: unknown; usage?: unknown };
};

/** Null: no line of the main conversation, or one that cannot be read, which hides no other. */
function parseEntry(line: string): Entry | null {
  if (!line.includes('"assistant"') && !line.includes('"user"')) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return null;
    const { version, ...fields } = { version: null, ...value };
    const entry: Entry = { ...fields, ...(typeof version === "string" ? { version } : {}) };
    const isSpoken = entry.type === "assistant" || entry.type === "user";
    return isSpoken && entry.isSidechain !== true && typeof entry.message === "object" ? entry : null;
  } catch {
    // A half-written or damaged line is nobody's words.
    return null;
  }
}

/** One message is spread over several lines with one id; its blocks are joined again. */
function joinMessages(entries: readonly Entry[]): SessionMessage[] {
  const joined: { id: unknown; message: SessionMessage & { content: MessagePart[] } }[] = [];
  for (const entry of entries) {
    const content = entry.type === "user" ? userParts(entry) : assistantParts(entry);
    const id = entry.message?.id;
    const last = joined.at(-1);
    if (typeof id === "string" && last?.id === id) {
      last.message.content.push(...content);
      continue;
    }
    if (content.length === 0) continue;
    const createdAt = Date.parse(String(entry.timestamp));
    joined.push({ id, message: { role: String(entry.type), content, createdAt } });
  }
  return joined.map(({ message }) => message);
}

/** An error that the program itself reports in the agent's place is not the agent's word. */
function assistantParts(entry: Entry): MessagePart[] {
  if (entry.isApiErrorMessage === true || entry.message?.model === "<synthetic>") return [];
  return partsOf(entry).flatMap(textPart);
}

/** What the program told the agent for us begins with a line of its own. */
const feedbackHeading = /^Stop hook feedback:\n(?:- )?(?:\[[^\n]*?\]: )?/;

function userParts(entry: Entry): MessagePart[] {
  return partsOf(entry)
    .flatMap(textPart)
    .map((part) => ({ ...part, text: part.text?.replace(feedbackHeading, "") ?? "" }));
}

function partsOf({ message }: Entry): unknown[] {
  const content = message?.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function textPart(part: unknown): MessagePart[] {
  if (typeof part !== "object" || part === null) return [];
  const { type, text } = { type: null, text: null, ...part };
  return type === "text" && typeof text === "string" ? [{ type, text }] : [];
}

function isToolUse(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "tool_use";
}

/** What the model was last given and gave back; where no line tells, the size of the file (S4-32). */
function readUsage(path: string, env: NodeJS.ProcessEnv): number | null {
  const found: { tokens: number | null } = { tokens: null };
  const isRead = readLinesBackwards(path, { bytesMax: usageBytesMax }, (line) => {
    // After a summary the older lines are no longer in the context.
    if (line.includes('"compact_boundary"')) found.tokens = 0;
    else if (line.includes('"usage"')) found.tokens = tokensOf(parseEntry(line));
    return found.tokens === null;
  });
  if (!isRead) return null;
  return found.tokens ?? estimateTokens(statSync(path).size, env["RALPH_CONTEXT_BYTES_PER_TOKEN"]);
}

function tokensOf(entry: Entry | null): number | null {
  const usage = entry?.type === "assistant" ? entry.message?.usage : null;
  if (typeof usage !== "object" || usage === null) return null;
  const counts = new Map<string, unknown>(Object.entries(usage));
  const names = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
  const tokens = names.map((name) => counts.get(name)).filter((count) => typeof count === "number");
  const sum = tokens.reduce((total, count) => total + count, 0);
  // The program's own messages carry zeros.
  return sum > 0 ? sum : null;
}

/** Sessions lie beside each other, a folder for each directory they were started in. */
function hasSession(path: string, sessionId: string): boolean | null {
  // Other hosts name their sessions otherwise and keep them elsewhere.
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sessionId)) return null;
  try {
    const projects = dirname(dirname(path));
    const folders = readdirSync(projects).slice(0, foldersMax);
    return folders.some((folder) => existsSync(join(projects, folder, `${sessionId}.jsonl`)));
  } catch {
    return null;
  }
}

/** More projects than a person has. */
const foldersMax = 10_000;
