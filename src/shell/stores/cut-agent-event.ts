import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { asOwn } from "../lib/as-own.ts";

/** Kept events of one turn; the raw stream has them all. */
export const eventsPerTurnMax = 5000;

/** Cuts an event to what is kept: strings of at most 2 KB, shorter ones where the whole would exceed 4 KB. */
export function cutAgentEvent(event: AgentEvent, stringCharsMax = 2048): AgentEvent {
  const cut = asOwn<AgentEvent>(cutStrings(event, stringCharsMax));
  if (JSON.stringify(cut).length <= eventCharsMax) return cut;
  return cutAgentEvent(event, Math.floor(stringCharsMax / 2));
}

/** The body, the ids beside it and the JSON around them. */
const eventCharsMax = 4096;

/** What an agent sends is untrusted: any string or list of it may be huge, an id too. */
function cutStrings(value: unknown, charsMax: number): unknown {
  if (typeof value === "string") return cutText(value, charsMax);
  if (Array.isArray(value)) return value.slice(0, Math.ceil(charsMax / 16)).map((item) => cutStrings(item, charsMax));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, ownWords.has(key) ? item : cutStrings(item, charsMax)]),
  );
}

/** Fields whose few possible values are our own. */
const ownWords = new Set(["type", "kind", "status"]);

function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const kept = text.slice(0, charsMax - 1);
  // A pair of surrogates is one character: half of it would come back as garbage.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}
