import { addSpend, noSpend, type Spend } from "../../core/agents/spend.ts";
import { cutText } from "./cut-text.ts";
import type { Outlet } from "./outlet.ts";
import type { FormatWriter, SimEvent, SimSession } from "./formats/sim-event.ts";

type WithoutStamp<Event> = Event extends unknown ? Omit<Event, "count" | "at"> : never;

/**
 * Numbers the events and messages and writes them out. A message stays open until the next one begins, because only
 * then it is known whether it was the last. What is spent is told with the message that follows.
 */
export type Channel = {
  outlet: Outlet;
  /** Writes an event in at least `pieces` writes. */
  emit(event: WithoutStamp<SimEvent>, pieces?: number): Promise<void>;
  beginMessage(): Promise<{ messageId: number; spend: Spend }>;
  endMessage(isLast: boolean): Promise<void>;
  isMessageOpen(): boolean;
  messageCount(): number;
  spend(spend: Spend): void;
};

/** Opens the way from events to bytes. */
export function openChannel(session: SimSession, write: FormatWriter, outlet: Outlet): Channel {
  let events = 0;
  let messages = 0;
  let isOpen = false;
  let untold = noSpend;
  /** What the open message cost, for formats that tell it at the message's end. */
  let open = noSpend;

  const emit: Channel["emit"] = async (event, pieces = 1) => {
    events += 1;
    const lines = write({ ...event, count: events, at: Date.now() }, session);
    for (const text of lines.length < pieces ? cutText(lines.join(""), pieces) : lines) {
      await outlet.write(text);
    }
  };
  const endMessage: Channel["endMessage"] = async (isLast) => {
    if (!isOpen) return;
    isOpen = false;
    const spend = isLast ? addSpend(open, untold) : open;
    if (isLast) untold = noSpend;
    await emit({ type: "message-ended", messageId: messages, isLast, spend });
  };
  return {
    outlet,
    emit,
    endMessage,
    beginMessage: async () => {
      await endMessage(false);
      const spend = untold;
      untold = noSpend;
      messages += 1;
      isOpen = true;
      open = spend;
      await emit({ type: "message-started", messageId: messages });
      return { messageId: messages, spend };
    },
    isMessageOpen: () => isOpen,
    messageCount: () => messages,
    spend: (spend) => {
      untold = addSpend(untold, spend);
    },
  };
}
