import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { type Secret, secretHider } from "../../core/text/known-secrets.ts";
import type { AddEvent } from "./turn-source.ts";

type TextEvent = Extract<AgentEvent, { type: "text" }>;

/** The end of a message's words that may begin a secret: what was shown of it, and what is held back. */
type Open = { event: TextEvent; shown: string; held: string };

/** Fewer characters tell nothing of a key and end many words: they are shown at once, and the rest of the key is hidden. */
const shownMax = 3;

/**
 * Hides secrets in what a stream says, once its JSON is decoded and the parts of a message follow each other: in the bytes a
 * secret may be escaped, or lie in two blocks. Call `end` when no more events come. Without secrets nothing is looked at.
 */
export function redactEvents(secrets: readonly Secret[], add: AddEvent): { add: AddEvent; end: () => void } {
  if (secrets.length === 0) return { add, end: () => {} };
  const hide = secretHider(secrets);
  let open: Open | null = null;
  const end = (): void => {
    if (open !== null && open.held !== "") add({ ...open.event, text: open.held });
    open = null;
  };
  const takeText = (event: TextEvent): void => {
    if (open !== null && !isSameMessage(open.event, event)) end();
    const { shown, held } = open ?? { shown: "", held: "" };
    const whole = shown + held + event.text;
    const { text, firstAt, tail } = hide(whole);
    // What was shown of a secret cannot be taken back; its mark follows.
    const from = Math.min(shown.length, firstAt ?? whole.length);
    const tailShown = Math.max(0, shown.length - (whole.length - tail.length));
    const isShown = tail.length <= shownMax;
    open = { event, shown: isShown ? tail : tail.slice(0, tailShown), held: isShown ? "" : tail.slice(tailShown) };
    const told = text.slice(from, text.length - open.held.length);
    if (told !== "" || event.text === "") add({ ...event, text: told });
  };
  return {
    add(event) {
      if (event.type === "text") return takeText(event);
      if (event.type === "result") end();
      add(hideIn(event, (text) => hide(text).text));
    },
    end,
  };
}

function isSameMessage(first: TextEvent, second: TextEvent): boolean {
  return first.messageId === second.messageId && first.isSub === second.isSub;
}

/** A value with the secrets in its texts hidden. */
export function hideIn<Value>(value: Value, hide: (text: string) => string): Value;
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => hideIn(item, hide));
  return Object.fromEntries(Object.entries(value).map(([key, item]: [string, unknown]) => [key, hideIn(item, hide)]));
}
