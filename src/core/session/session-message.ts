/** One message of a host's session. A part that is not of type `text`, or is synthetic, is nobody's words. */
export type SessionMessage = {
  role: string;
  content?: string | readonly MessagePart[] | null;
  /** Milliseconds since 1970, or ISO 8601. */
  createdAt?: number | string;
};

/** A piece of a message's content. */
export type MessagePart = { type: string; text?: string; synthetic?: boolean };

/** Where an iteration's messages begin. */
export type TurnMark = {
  /** How many messages there were before it; null when nobody could count. */
  count: number | null;
  /** When the loop began, in milliseconds: what is older never counts. */
  startedAt: number;
  /** How a continuation of this iteration begins; null for the first one. */
  heading: string | null;
};

/** The visible words of a message: blocks are joined by nothing (design §5). */
export function textOf({ content }: SessionMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly MessagePart[] = content;
  return parts
    .filter(({ type, synthetic }) => type === "text" && synthetic !== true)
    .map(({ text }) => text ?? "")
    .join("");
}

/** The messages of the iteration in progress. Without a count, or with a list that shrank, only what proves its age. */
export function messagesSince(messages: readonly SessionMessage[], mark: TurnMark): readonly SessionMessage[] {
  if (mark.count !== null && mark.count <= messages.length)
    return messages.slice(mark.count).filter((message) => (timeOf(message) ?? mark.startedAt) >= mark.startedAt);
  const prompted = findContinuation(messages, mark.heading);
  if (prompted >= 0) return messages.slice(prompted);
  return messages.filter((message) => (timeOf(message) ?? -1) >= mark.startedAt);
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
