import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../src/shell/agents/adapter.ts";
import { eventsOf, mainText, readStream, spokenAdapters } from "./adapter-events.ts";
import { openSimFolder } from "./sim-process.ts";

const [claude, , , opencode] = spokenAdapters;

async function play(adapter: AgentAdapter, script: string, prompt = "Go") {
  const folder = openSimFolder(script);
  const end = await folder.play({ args: ["--format", adapter.name], prompt });
  return { ...end, folder, read: readStream(adapter, end.stdout) };
}

describe.each(spokenAdapters.map((adapter) => [adapter.name, adapter] as const))(
  "the format of %s",
  (name, adapter) => {
    it("is read by its adapter without unknown lines and with the same meaning", async () => {
      const script = `
turns:
  - - think: Let me see.
    - say: I will fix it.
    - edit: { file: src/a.txt, content: "one two\\n" }
    - edit: { file: src/a.txt, find: two, replace: three }
    - run: cat src/a.txt; exit 3
    - todo: [{ text: write, status: done }, test]
    - subagent: "Found it. <promise>DONE</promise>"
    - claim`;
      const { code, folder, read } = await play(adapter, script);

      expect(code).toBe(0);
      expect(read.unknownLines).toEqual([]);
      expect(read.brokenLines).toEqual([]);
      expect(readFileSync(join(folder.cwd, "src/a.txt"), "utf8")).toBe("one three\n");
      expect(eventsOf(read, "session")).toHaveLength(1);
      expect(eventsOf(read, "thinking").map((event) => event.text)).toEqual(["Let me see."]);
      expect(mainText(read)).toBe("I will fix it.\n<promise>DONE</promise>");
      expect(eventsOf(read, "todo").at(-1)?.items).toEqual([
        { text: "write", status: "done" },
        { text: "test", status: "pending" },
      ]);
      const changing = eventsOf(read, "tool-started").filter((event) => event.canChange);
      expect(changing.length).toBeGreaterThanOrEqual(3);
      const failed = eventsOf(read, "tool-ended").filter((event) => event.isError);
      expect(failed).toHaveLength(1);
      expect(failed[0]?.output).toContain("one three");
      expect(eventsOf(read, "tool-ended").filter((event) => event.isDenied)).toEqual([]);
      expect(read.reader.failure()).toBeNull();
    });

    it("says a tag split over chunks as one text", async () => {
      const { read } = await play(adapter, "turns: [[{ say: 'All done. <promise>DONE</promise>', chunks: 7 }]]");
      expect(mainText(read)).toBe("All done. <promise>DONE</promise>");
    });

    it("never says an echo of its prompt as its own words", async () => {
      const { read } = await play(adapter, "turns: [[echo, { say: ok }]]", "Print <promise>DONE</promise> at the end");
      expect(mainText(read)).toBe("ok");
      expect(read.unknownLines).toEqual([]);
    });

    it("tells its spend", async () => {
      const { read } = await play(
        adapter,
        "turns: [[{ usage: { inputTokens: 300, outputTokens: 20, cacheReadTokens: 7, usd: 0.5 } }, { say: ok }]]",
      );
      const told = eventsOf(read, "result").at(-1)?.spend ?? eventsOf(read, "usage").at(-1)?.spend;
      expect(told).toEqual({
        usd: adapter.reportsCost ? 0.5 : null,
        inputTokens: 300,
        outputTokens: 20,
        cacheReadTokens: 7,
        cacheWriteTokens: 0,
      });
    });

    it("tells a price of null as unknown", async () => {
      const { read } = await play(adapter, "turns: [[{ usage: { tokens: 10, usd: null } }, { say: ok }]]");
      const told = eventsOf(read, "result").at(-1)?.spend ?? eventsOf(read, "usage").at(-1)?.spend;
      expect(told?.usd).toBeNull();
    });

    it.each(["authentication", "model", "limit", "other"] as const)(
      "fails with %s in structured fields",
      async (kind) => {
        const { code, read } = await play(adapter, `turns: [[{ fail: ${kind}, message: no luck }]]`);
        expect(code).toBe(1);
        expect(read.unknownLines).toEqual([]);
        expect(eventsOf(read, "result").filter((event) => event.isSuccess)).toEqual([]);
        // This agent's error result is one sentence without any code.
        expect(read.reader.failure()?.kind).toBe(name === "amp" ? "other" : kind);
        expect(read.reader.failure()?.message).toContain("no luck");
      },
    );

    it("counts one unparsed line for garbage and one for an unknown event", async () => {
      const { read } = await play(adapter, "turns: [[garbage, unknown, { say: ok }]]");
      expect(read.brokenLines).toHaveLength(1);
      expect(read.unknownLines).toHaveLength(1);
      expect(mainText(read)).toBe("ok");
    });
  },
);

describe("what only some formats tell", () => {
  it("tells when a usage limit ends, by resetAt and by resetIn", async () => {
    const resetAt = Date.parse("2030-01-02T03:04:05Z");
    const at = await play(claude, "turns: [[{ fail: limit, resetAt: '2030-01-02T03:04:05Z' }]]");
    expect(eventsOf(at.read, "result").at(-1)?.failure).toMatchObject({ kind: "limit", resetAt });
    const before = Date.now();
    const later = await play(opencode, "turns: [[{ fail: limit, resetIn: 1h }]]");
    const told = later.read.reader.failure()?.resetAt ?? 0;
    expect(told).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(told).toBeLessThan(Date.now() + 3_602_000);
  });

  it("marks a denied edit, which changes nothing", async () => {
    const { read, stdout, folder } = await play(claude, "turns: [[{ deny: src/a.txt }]]");
    expect(eventsOf(read, "tool-ended")).toMatchObject([{ isError: true, isDenied: true }]);
    expect(stdout).toContain('"permission_denials":[{"tool_name":"Write"');
    expect(() => readFileSync(join(folder.cwd, "src/a.txt"))).toThrow("ENOENT");
  });

  it("marks the words of a sub-agent", async () => {
    const { read } = await play(claude, "turns: [[subagent]]");
    expect(eventsOf(read, "text")).toMatchObject([{ isSub: true }]);
    expect(eventsOf(read, "text")[0]?.text).toContain("<promise>DONE</promise>");
  });

  it("writes plain text and nothing else in the format text", async () => {
    const steps = "[{ think: no }, { say: one two, chunks: 3 }, { run: echo hidden }, { claim: FINISHED }]";
    const folder = openSimFolder(`turns: [${steps}]`);
    const { stdout, code } = await folder.play({ args: ["--format", "text"] });
    expect({ stdout, code }).toEqual({ stdout: "one two\n<promise>FINISHED</promise>\n", code: 0 });
  });
});
