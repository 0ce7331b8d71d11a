import { describe, expect, it } from "vitest";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { nextLines, promptLines, traceLines } from "./run-fact-lines.ts";
import type { RunRecord } from "../../../shell/ports.ts";

describe("the prompt of a run", () => {
  const shown = (prompt: RunRecord["frozen"]["prompt"]): string[] => {
    const run = sampleRun("r");
    return promptLines({ ...run, frozen: { ...run.frozen, prompt } } as RunRecord);
  };

  it("is its first lines, and how many more there are", () => {
    expect(shown({ kind: "text", text: "Do it\n" })).toEqual(["  prompt: Do it"]);
    expect(shown({ kind: "text", text: "1\n2\n3\n4\n5\n6" }).slice(-2)).toEqual([
      "          5",
      "          … 1 more line",
    ]);
  });

  it("is a file that is read again at every iteration", () =>
    expect(shown({ kind: "file", path: "prompt.md" })).toEqual(["  prompt: the file prompt.md"]));
});

describe("the traces of a run", () => {
  it("are commits, a diffstat, files that no commit has, and the agent's last words", () => {
    const changes = {
      commits: [{ id: "c0ffee1", subject: "fix it" }],
      diffstat: ["a.ts | 2 +-", "1 file changed, 1 insertion(+), 1 deletion(-)"],
      uncommitted: ["b.ts"],
    };
    expect(traceLines({ changes, lastWords: "Done.\nNothing is left." })).toEqual([
      "  commits:",
      "    c0ffee1 fix it",
      "  changed since the start:",
      "    a.ts | 2 +-",
      "    1 file changed, 1 insertion(+), 1 deletion(-)",
      "  not committed:",
      "    b.ts",
      "  last words of the agent:",
      "    | Done.",
      "    | Nothing is left.",
    ]);
  });

  it("are nothing outside git and without words", () =>
    expect(traceLines({ changes: null, lastWords: null })).toEqual([]));

  it("show the end of long words, and some of many files", () => {
    const uncommitted = Array.from({ length: 12 }, (_, index) => `file-${index}`);
    const lastWords = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
    const lines = traceLines({ changes: { commits: [], diffstat: [], uncommitted }, lastWords });
    expect(lines).toContain("    … 2 more");
    expect(lines).toContain("    | … 2 more lines before");
    expect(lines.at(-1)).toBe("    | line 11");
  });
});

it("ends with the next command, if there is one", () => {
  const next = { words: "Resume with", command: "ralph resume r" };
  expect(nextLines({ next } as Parameters<typeof nextLines>[0])).toEqual(["", "Resume with: ralph resume r"]);
  expect(nextLines({ next: null } as Parameters<typeof nextLines>[0])).toEqual([]);
});
