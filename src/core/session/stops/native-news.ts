import { isSentTooOften } from "../../policies/equal-reasons.ts";
import { type SessionMessage, textOf } from "../session-message.ts";

/** What is known of an idle session without a loop, in a host that tells of some stops twice and of broken turns, too. */
export type IdleSession = {
  messages: readonly SessionMessage[];
  /** How many messages there were when its stop was judged last. */
  judgedCount: number | null;
  /** A loop of ours has this session and judges its stops itself. */
  hasLoop: boolean;
};

/** Whether the agent has spoken since its stop was judged last. */
export function isNewStop({ messages, judgedCount }: Pick<IdleSession, "messages" | "judgedCount">): boolean {
  return judgedCount !== messages.length && messages.at(-1)?.role === "assistant";
}

/** Whether this stop is to be judged: a new one, of a session without a loop. */
export function isToBeJudged(session: IdleSession): boolean {
  return !session.hasLoop && isNewStop(session);
}

/**
 * Whether a judgement may still be said: a person who spoke meanwhile, or broke off, has the word, and the stop after that
 * is judged.
 */
export function isStillIdle(
  before: readonly SessionMessage[],
  now: { messages: readonly SessionMessage[]; isBrokenOff: boolean },
): boolean {
  return !now.isBrokenOff && now.messages.length === before.length;
}

/** How often the agent was sent back since a person last spoke; our own prompts begin with `heading`. */
export function countSent(messages: readonly SessionMessage[], heading: string): number {
  const asked = messages.filter(({ role }) => role === "user");
  const person = asked.findLastIndex((message) => !textOf(message).startsWith(heading));
  return asked.length - 1 - person;
}

/** What a refused stop comes to in a host that sends back as often as we like. */
export function sendBackOrLetGo(block: string, sent: number): { prompt: string } | { notice: string } {
  return isSentTooOften(sent) ? { notice: `NOT verified, ${sent} times in a row. ${block}` } : { prompt: block };
}
