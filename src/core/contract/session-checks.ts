import type { Gate, Json } from "./gate.ts";

/** The kind of the gate that runs a host's own checks. */
export const sessionChecksKind = "session-checks";

/** The same limit as for every verification. */
const wallMs = 300_000;

/** What was frozen for a session: the checks' names for people, and the hash of all that decides what they ask. */
export type SessionContract = { names: readonly string[]; hash: string };

/** A host that checks by itself says nothing about its checks. */
export const unknownContract: SessionContract = { names: [], hash: "" };

/** The gate of a session with `count` checks: all of them run on a claim. No gate without checks. */
export function sessionGates(count: number, { names }: SessionContract = unknownContract): Gate[] {
  if (count === 0) return [];
  const isKnown = names.length > 0;
  return [
    {
      id: sessionChecksKind,
      kind: sessionChecksKind,
      name: isKnown ? names.join("; ") : "the project's checks",
      when: "on-claim",
      isBeforeDelivery: true,
      isAlways: false,
      origin: isKnown ? "the project, as it was frozen for the session" : "host",
      limits: { wallMs },
      tells: "reason",
    },
  ];
}

/** How many verdicts the gate must give is frozen with the loop: fewer are red. */
export function sessionBegin(count: number): { slots: Record<string, Json>; assignment: null; isWorkLeft: true } {
  return { slots: count === 0 ? {} : { [sessionChecksKind]: { count } }, assignment: null, isWorkLeft: true };
}

/** The frozen count in the gate's memory; at least 1, because the gate exists. */
export function countOfSlot(slot: unknown): number {
  const count = typeof slot === "object" && slot !== null && "count" in slot ? slot.count : 1;
  return typeof count === "number" && count >= 1 ? count : 1;
}
