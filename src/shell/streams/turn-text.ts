import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { captureOutput } from "../lib/captured-output.ts";

/** The visible words of a turn's main thread, of which the two ends are kept. */
export type TurnText = { add(event: AgentEvent): void; text(): string };

/** What a judge, or a search for a promise anywhere in the text, gets to see of one turn. */
const charsMax = 100_000;

/** Joins words as claims are read: blocks of one message by nothing, messages by a newline; a result only alone. */
export function createTurnText(): TurnText {
  const words = captureOutput(charsMax, "both");
  let messageId: string | null = null;
  let hasText = false;
  let result = "";
  return {
    add(event) {
      if (event.type === "result") result = (event.text ?? "").slice(0, charsMax);
      if (event.type !== "text" || event.isSub) return;
      if (messageId !== null && messageId !== event.messageId) words.add(Buffer.from("\n"));
      messageId = event.messageId;
      hasText ||= event.text.trim() !== "";
      words.add(Buffer.from(event.text));
    },
    text: () => (hasText ? words.text() : result),
  };
}
