/**
 * One message of a host's session. A part that is not of type `text`, or is synthetic, is nobody's words.
 *
 * @example
 * ```ts
 * import { detectInMessages, type SessionMessage } from "ralph";
 *
 * const messages: SessionMessage[] = [{ role: "assistant", content: "<promise>DONE</promise>", createdAt: Date.now() }];
 * console.log(await detectInMessages(messages, "DONE")); // true
 * ```
 */
export type SessionMessage = {
  /** Without one the message is nobody's. */
  role?: string;
  content?: string | readonly MessagePart[] | null;
  /** Milliseconds since 1970, or ISO 8601. */
  createdAt?: number | string;
};

/**
 * A piece of a message's content.
 *
 * @example
 * ```ts
 * import { type MessagePart } from "ralph";
 *
 * const parts: MessagePart[] = [{ type: "reasoning", text: "Hm." }, { type: "text", text: "It works." }];
 * console.log(parts.filter(({ type }) => type === "text").length);
 * ```
 */
export type MessagePart = { type: string; text?: string; synthetic?: boolean };

/** Where an iteration's messages begin. */
export type TurnMark = {
  /** How many messages there were before it, or later: hosts count late; null when nobody could count. */
  count: number | null;
  /** When the loop began, in milliseconds: what is older never counts. */
  startedAt: number;
  /** How a continuation of this iteration begins; null for the first one. */
  heading: string | null;
  /** What the first iteration was asked; null for a later one. */
  prompt: string | null;
};

/** The visible words of a message: blocks are joined by nothing. */
export function textOf({ content }: SessionMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly MessagePart[] = content;
  return parts
    .filter(({ type, synthetic }) => type === "text" && synthetic !== true)
    .map(({ text }) => text ?? "")
    .join("");
}

/**
 * The messages of the iteration in progress. A first prompt that stands before the count was given before anybody
 * counted: it is the begin. Without a count, or with a list that shrank, only what proves its age.
 */
export function messagesSince(messages: readonly SessionMessage[], mark: TurnMark): readonly SessionMessage[] {
  if (mark.count !== null && mark.count <= messages.length) {
    const isYoung = (message: SessionMessage): boolean => (timeOf(message) ?? mark.startedAt) >= mark.startedAt;
    const asked = findFirstPrompt(messages, mark);
    return messages.slice(asked < 0 ? mark.count : Math.min(asked, mark.count)).filter(isYoung);
  }
  const prompted = findContinuation(messages, mark.heading);
  if (prompted >= 0) return messages.slice(prompted);
  return messages.filter((message) => (timeOf(message) ?? -1) >= mark.startedAt);
}

/**
 * Where the loop's first prompt was given, as it is or with more behind it; -1 when nobody can tell. Among several
 * equal ones without a time, the last may be that of an earlier loop whose promise must not count.
 */
function findFirstPrompt(messages: readonly SessionMessage[], { prompt, startedAt }: TurnMark): number {
  const wanted = prompt?.trim() ?? "";
  if (wanted === "") return -1;
  const found = messages.flatMap((message, at) => {
    const isAsked = message.role === "user" && allTextOf(message).trimStart().startsWith(wanted);
    return isAsked ? [{ at, time: timeOf(message) }] : [];
  });
  const last = found.at(-1);
  if (last === undefined || (last.time === null && found.length > 1)) return -1;
  return (last.time ?? startedAt) >= startedAt ? last.at : -1;
}

/** Where the continuation with this heading stands, or -1. Only a user's message can be one. */
export function findContinuation(messages: readonly SessionMessage[], heading: string | null): number {
  if (heading === null) return -1;
  return messages.findLastIndex(
    (message) => message.role === "user" && allTextOf(message).trimStart().startsWith(heading),
  );
}

/** Whether somebody but the loop spoke to the agent among these messages. */
export function hasForeignPrompt(messages: readonly SessionMessage[], isOwn: (text: string) => boolean): boolean {
  return messages.some((message) => message.role === "user" && !isOwn(textOf(message)) && textOf(message) !== "");
}

/** A host may mark what it injected as synthetic; it still is our prompt. */
function allTextOf({ content }: SessionMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly MessagePart[] = content;
  return parts.map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join("");
}

function timeOf({ createdAt }: SessionMessage): number | null {
  if (createdAt === undefined) return null;
  const time = typeof createdAt === "number" ? createdAt : Date.parse(createdAt);
  return Number.isNaN(time) ? null : time;
}
