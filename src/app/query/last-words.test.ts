import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { AgentEventRecord } from "../../shell/ports.ts";
import { readLastWords } from "./last-words.ts";

const says = (text: string, messageId = "m1", isSub = false): AgentEvent => ({ type: "text", text, messageId, isSub });
const acts: AgentEvent = { type: "notice", text: "a notice" };

/** What is found among these events, and how many of them were read. */
async function read(events: readonly AgentEvent[]): Promise<{ words: string | null; count: number }> {
  let count = 0;
  const all = events.map((event, index): AgentEventRecord => ({
    runId: "r",
    effectId: 1,
    seq: index + 1,
    at: 0,
    event,
  }));
  const words = await readLastWords(
    {
      readAgentEvents: async (_, afterSeq, limit) => {
        const found = all.filter(({ seq }) => seq > afterSeq).slice(0, limit);
        count += found.length;
        return found;
      },
    },
    { id: "r" },
  );
  return { words, count };
}

describe("the last words of an agent", () => {
  it.each([
    ["nothing", [], null],
    ["only deeds", [acts, acts], null],
    ["one message in parts", [says("First.", "m0"), says("All "), acts, says("done.\n")], "All done."],
    ["a sub-agent", [says("Mine."), says("Not mine.", "m2", true)], "Mine."],
  ])("after %s", async (_, events, expected) => expect((await read(events)).words).toBe(expected));

  it("are found at the end of a long run without reading the whole of it", async () => {
    const { words, count } = await read([...Array.from({ length: 30_000 }, () => acts), says("Done."), acts]);
    expect(words).toBe("Done.");
    expect(count).toBeLessThan(1000);
  });
});
