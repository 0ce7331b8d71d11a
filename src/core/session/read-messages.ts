import { fieldOf } from "./field-of.ts";
import type { MessagePart, SessionMessage } from "./session-message.ts";

/**
 * The messages of a host as far as they can be read; null when it gave no list. One that cannot be read is nobody's and
 * keeps its place, because messages are counted.
 */
export function readSessionMessages(value: unknown): SessionMessage[] | null {
  return Array.isArray(value) ? Array.from({ length: value.length }, (_, at) => readMessage(value, at)) : null;
}

function readMessage(list: readonly unknown[], at: number): SessionMessage {
  const message = fieldOf(list, String(at));
  const role = fieldOf(message, "role");
  const content = readContent(fieldOf(message, "content"));
  const createdAt = fieldOf(message, "createdAt");
  return {
    role: typeof role === "string" ? role : "",
    ...(content === null ? {} : { content }),
    ...(typeof createdAt === "number" || typeof createdAt === "string" ? { createdAt } : {}),
  };
}

function readContent(value: unknown): string | MessagePart[] | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  return Array.from({ length: value.length }, (_, at) => readPart(fieldOf(value, String(at))));
}

function readPart(value: unknown): MessagePart {
  const [type, text, synthetic] = [fieldOf(value, "type"), fieldOf(value, "text"), fieldOf(value, "synthetic")];
  return {
    type: typeof type === "string" ? type : "",
    ...(typeof text === "string" ? { text } : {}),
    ...(synthetic === true ? { synthetic } : {}),
  };
}
