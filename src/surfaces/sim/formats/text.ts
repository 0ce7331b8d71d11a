import type { SimEvent } from "./sim-event.ts";

/** Plain text of an unknown program: all that it says, a line end after each message. */
export function writeText(event: SimEvent, session: { prompt: string }): string[] {
  if (event.type === "text") return [...event.chunks.slice(0, -1), `${event.chunks.at(-1) ?? ""}\n`];
  return event.type === "echo" ? [`${session.prompt}\n`] : [];
}

/** The text mode of agents: only the last message, and nothing of a failure. */
export function writeLastMessage(event: SimEvent): string[] {
  return event.type === "result" && event.failure === null ? [`${event.text}\n`] : [];
}
