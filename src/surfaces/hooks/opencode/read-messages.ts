import type { MessagePart, SessionMessage } from "../../../core/session/session-message.ts";
import { fieldsOf, type PromptBody, textIn } from "./opencode-client.ts";

/** Messages of a session as the host lists them, oldest first. Each stays in its place: the loop counts them. */
export function readMessages(data: unknown): SessionMessage[] {
  if (!Array.isArray(data)) throw new Error("the host's messages are not a list");
  return data.map(readMessage);
}

/** Who was last spoken to, with which model: a continuation goes to the same ones. */
export function addresseeOf(data: unknown): Pick<PromptBody, "agent" | "model"> {
  const messages: unknown[] = Array.isArray(data) ? data : [];
  const last = messages.map((message) => fieldsOf(fieldsOf(message)["info"])).findLast(({ role }) => role === "user");
  const agent = textIn(last?.["agent"]);
  const { providerID, modelID } = fieldsOf(last?.["model"]);
  const isModel = typeof providerID === "string" && typeof modelID === "string";
  return { ...(agent === null ? {} : { agent }), ...(isModel ? { model: { providerID, modelID } } : {}) };
}

function readMessage(message: unknown): SessionMessage {
  const { info, parts } = fieldsOf(message);
  const { role, time, error, summary, mode } = fieldsOf(info);
  const { created } = fieldsOf(time);
  // A summary of the conversation quotes what others said; an answer that broke off was never finished.
  const isNoAnswer = summary === true || mode === "compaction" || (error !== undefined && error !== null);
  return {
    role: textIn(role) ?? "unknown",
    content: Array.isArray(parts) && !(role === "assistant" && isNoAnswer) ? parts.map(readPart) : [],
    ...(typeof created === "number" ? { createdAt: created } : {}),
  };
}

function readPart(part: unknown): MessagePart {
  const { type, text, synthetic, ignored } = fieldsOf(part);
  return {
    type: textIn(type) ?? "unknown",
    ...(typeof text === "string" ? { text } : {}),
    ...(synthetic === true || ignored === true ? { synthetic: true } : {}),
  };
}
