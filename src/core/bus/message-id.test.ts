import { describe, expect, it } from "vitest";
import { type IdMark, nextMessageId } from "./message-id.ts";

const atNs = BigInt(Date.UTC(2026, 10, 15, 20, 43, 55)) * 1_000_000n + 7n;

function idsAt(clock: (call: number) => bigint, count: number): string[] {
  let last: IdMark | null = null;
  return Array.from({ length: count }, (_, call) => {
    const { id, mark } = nextMessageId(last, { atNs: clock(call), pid: 421 });
    last = mark;
    return id;
  });
}

describe("message ids", () => {
  it("hold time, process and sequence in fields of fixed width", () => {
    expect(idsAt(() => atNs, 2)).toEqual([
      "MSG-20261115-204355-000000007-PID00421-0000",
      "MSG-20261115-204355-000000007-PID00421-0001",
    ]);
  });

  it("are unique and sorted while the clock stands still, beyond the four digits of the sequence (R-94)", () => {
    const ids = idsAt(() => atNs, 25_000);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it("stay unique and sorted when the clock goes back or jumps (R-94)", () => {
    const ids = idsAt((call) => atNs + BigInt(((call * 7919) % 13) - 6) * 1_000_000_000n, 500);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });
});
