import { describe, expect, it } from "vitest";
import type { AgentEvent, TodoItem } from "../../../../core/agents/agent-event.ts";
import { noSpend } from "../../../../core/agents/spend.ts";
import { startAgentView, showAgentEvent } from "./agent-view.ts";
import { displayWidth } from "../../terminal/display-width.ts";
import { emojiMarks, textMarks } from "../../terminal/marks.ts";
import { painted, unpainted } from "../../terminal/paint.ts";
import type { ViewStyle } from "./view-style.ts";

const plain: ViewStyle = {
  marks: textMarks,
  paint: unpainted,
  textMark: "",
  width: null,
  outputLinesMax: 2,
  outputCharsMax: 40,
  hasReasoning: false,
};

/** What a person sees of these events. */
function shown(events: AgentEvent[], style: Partial<ViewStyle> = {}): string {
  let view = startAgentView();
  let printed = "";
  for (const event of events) {
    const [next, text] = showAgentEvent(view, event, { ...plain, ...style });
    view = next;
    printed += text;
  }
  return printed;
}

function check(events: AgentEvent[], lines: string[], style: Partial<ViewStyle> = {}): void {
  expect(shown(events, style).split("\n")).toEqual([...lines, ""]);
}

const text = (words: string, messageId = "m1", isSub = false): AgentEvent => ({
  type: "text",
  text: words,
  messageId,
  isSub,
});
const start = (toolId: string, name: string, summary: string, isSub = false): AgentEvent => ({
  type: "tool-started",
  toolId,
  name,
  summary,
  canChange: false,
  isSub,
});
const end = (
  toolId: string,
  output: string,
  how: { isError?: boolean; isDenied?: boolean; name?: string } = {},
): AgentEvent => ({
  type: "tool-ended",
  toolId,
  name: how.name ?? null,
  output,
  isError: how.isError ?? false,
  isDenied: how.isDenied ?? false,
});
const todo = (...items: [string, TodoItem["status"]][]): AgentEvent => ({
  type: "todo",
  items: items.map(([words, status]) => ({ text: words, status })),
});

describe("the agent's words", () => {
  it("begin no line beside lines of ralph without a mark, however they are cut (S1-74)", () => {
    const lines = ["| one", "| completed: all is well", "| two", ""];
    const pieces = [text("on"), text("e\ncompleted: all"), text(" is well\n"), text("two"), text("", "m2")];
    expect(shown(pieces, { textMark: "| " })).toBe(lines.join("\n"));
  });

  it("stand as they come: pieces of a message joined, messages on lines of their own (S1-42)", () =>
    check([text("Hel"), text("lo\nyou"), text("Next", "m2"), text("\n", "m2")], ["Hello", "you", "Next"]));

  it("are indented when a sub-agent says them (S1-74)", () =>
    check(
      [text("main"), text("one\ntwo", "s1", true), text(" more\n", "s1", true)],
      ["main", "    one", "    two more"],
    ));

  it("are its closing word when there was no other (S1-68)", () => {
    const result = { type: "result" as const, isSuccess: true, text: "All done.\n", failure: null, spend: noSpend };
    check([result], ["All done."]);
    check([text("Working.\n"), result, result], ["Working."]);
    check([{ ...result, isSuccess: false }], []);
    check([text("sub only\n", "s", true), result], ["    sub only", "All done."]);
  });
});

describe("a tool", () => {
  it("is a line, and its result another with how much came and how it begins (S1-74)", () =>
    check(
      [start("1", "Read", "/path/to/file.go"), end("1", "first\nsecond\nthird\n")],
      [
        "[TOOL] Read(/path/to/file.go)",
        "[OK] Result <- Read (3 lines, 18 chars)",
        "  |  first",
        "  |  second",
        "  |  ... 1 more line",
      ],
    ));

  it("has emoji in front where a terminal shows them (S1-77)", () =>
    check(
      [start("1", "Read", "/a"), end("1", "x\ny"), start("2", "Read", "/b"), end("2", "gone", { isError: true })],
      [
        "⏺ Read(/a)",
        "✅ Result ← Read (2 lines, 3 chars)",
        "  ⎿  x",
        "     y",
        "⏺ Read(/b)",
        "❌ Error ← Read (1 line, 4 chars)",
        "  ⎿  gone",
      ],
      { marks: emojiMarks },
    ));

  it("is marked when it failed and when it was denied (S1-74)", () =>
    check(
      [
        start("1", "Bash", "make"),
        end("1", "no", { isError: true }),
        end("1", "", { isError: true, isDenied: true, name: "Bash" }),
      ],
      [
        "[TOOL] Bash(make)",
        "[ERR] Error <- Bash (1 line, 2 chars)",
        "  |  no",
        "[DENIED] Denied <- Bash (0 lines, 0 chars)",
      ],
    ));

  it("is matched with its result by id; one that answers late is named in full (S1-74)", () =>
    check(
      [start("1", "Read", "/a"), start("2", "Read", "/b"), end("1", "A"), end("2", "B")],
      [
        "[TOOL] Read(/a)",
        "[TOOL] Read(/b)",
        "[OK] Result <- Read(/a) (1 line, 1 char)",
        "  |  A",
        "[OK] Result <- Read (1 line, 1 char)",
        "  |  B",
      ],
    ));

  it("is indented with its result when a sub-agent uses it (S1-74)", () =>
    check(
      [start("1", "Bash", "ls", true), end("1", "a")],
      ["    [TOOL] Bash(ls)", "    [OK] Result <- Bash (1 line, 1 char)", "      |  a"],
    ));

  it("nobody saw start is shown by the name its end has, or as a tool (S1-73)", () =>
    check(
      [end("1", "", { name: "Edit" }), end("2", "")],
      ["[OK] Result <- Edit (0 lines, 0 chars)", "[OK] Result <- tool (0 lines, 0 chars)"],
    ));

  it("shows no more characters than asked, and none at zero (S1-77)", () => {
    const output = "0123456789\n".repeat(3);
    const head = "[OK] Result <- tool (3 lines, 32 chars)";
    check([end("1", output)], [head, "  |  0123456789", "  |  012...", "  |  ... 1 more line"], { outputCharsMax: 14 });
    check([end("1", output)], [head], { outputLinesMax: 0 });
    check([end("1", output)], [head], { outputCharsMax: 0 });
    check([end("1", "😀😀😀")], ["[OK] Result <- tool (1 line, 3 chars)", "  |  😀😀..."], { outputCharsMax: 2 });
  });

  it("does not write over the line the agent has not finished", () =>
    check([text("I look"), start("1", "Read", "/a")], ["I look", "[TOOL] Read(/a)"]));

  it("cannot be made to write lines of its own or move the cursor (S1-74)", () =>
    check(
      [start("1", "Ba\nsh", "ls\u001B[2J\ncompleted: yes"), end("1", "a\rb\u001B]0;x\u0007\n\tc")],
      [
        "[TOOL] Ba sh(ls completed: yes)",
        "[OK] Result <- Ba sh (3 lines, 6 chars)",
        "  |  a",
        "  |  b",
        "  |  ... 1 more line",
      ],
    ));

  it("leaves no memory behind: thousands that never answer cost the names of the oldest (S1-73)", () => {
    const flood = Array.from({ length: 5000 }, (_, index) => start(`t${index}`, "Read", `/f${index}`));
    const view = flood.reduce((current, event) => showAgentEvent(current, event, plain)[0], startAgentView());
    expect(view.tools.size).toBe(100);
    expect(showAgentEvent(view, end("t4900", ""), plain)[1]).toContain("Read(/f4900)");
    expect(showAgentEvent(view, end("t1", ""), plain)[1]).toContain("<- tool");
  });
});

describe("a todo list", () => {
  it("shows what is done, active and pending, and how far it is (S1-75)", () =>
    check(
      [todo(["Read", "done"], ["Fix", "active"], ["Test", "pending"])],
      ["", "[LIST] Todo List", "  [x] Read", "  [>] Fix <- ACTIVE", "  [ ] Test", "  Progress: 1/3 (33%)"],
    ));

  it("has the marks of the document where a terminal shows them (S1-75)", () =>
    check(
      [todo(["Read", "done"], ["Fix", "active"], ["Test", "pending"])],
      ["", "📋 Todo List", "  ✅ Read", "  🔄 Fix ← ACTIVE", "  ⏸️ Test", "  📊 Progress: 1/3 (33%)"],
      { marks: emojiMarks },
    ));

  it("stands alone: the tool call behind it shows only when it failed (S1-75)", () => {
    const call = { ...start("1", "TodoWrite", '{"todos":[]}'), isTodo: true } as AgentEvent;
    const list = ["", "[LIST] Todo List", "  [>] Fix <- ACTIVE", "  Progress: 0/1 (0%)"];
    check([call, todo(["Fix", "active"]), end("1", "Todos have been modified")], list);
    const failed = ['[ERR] Error <- TodoWrite({"todos":[]}) (1 line, 2 chars)', "  |  no"];
    check([call, end("1", "no", { isError: true })], failed);
  });

  it("is shown again only when it changed (S1-75)", () => {
    const first = todo(["Fix", "active"]);
    const lines = shown([first, first, todo(["Fix", "done"])]).split("\n");
    expect(lines.filter((line) => line.includes("Progress"))).toEqual([
      "  Progress: 0/1 (0%)",
      "  Progress: 1/1 (100%)",
    ]);
  });

  it("keeps the mark of the active item however long its words are (S1-75)", () => {
    const printed = shown([todo(["漢字".repeat(50), "active"])], { width: 40 });
    expect(printed).toContain("... <- ACTIVE\n");
  });
});

describe("reasoning", () => {
  const thought: AgentEvent = { type: "thinking", text: "First I look.\nIteration 9/9\n", isSub: false };

  it("is shown only where somebody asked for it, apart from every other line (S1-68, S1-77)", () => {
    check([text("Hm"), thought, text("!\n")], ["Hm!"]);
    check([text("Hm"), thought], ["Hm", "[THINK] First I look.", "   Iteration 9/9"], { hasReasoning: true });
  });

  it("of which a stream keeps the words to itself is no line (S1-68)", () =>
    check([text("Hm"), { ...thought, text: "\n" }, text("!\n")], ["Hm!"], { hasReasoning: true }));
});

describe("retries and notices of the agent program", () => {
  it("are lines of their own (S1-68)", () =>
    check(
      [
        { type: "retry", attempt: 2, attemptsMax: 10, delayMs: 1500, reason: "overloaded (529)" },
        { type: "retry", attempt: 1, attemptsMax: null, delayMs: null, reason: "reset" },
        { type: "notice", text: "A new version\nis there" },
      ],
      ["[RETRY] retry 2/10 in 1.5s: overloaded (529)", "[RETRY] retry 1: reset", "[NOTE] A new version is there"],
    ));
});

describe("a terminal", () => {
  const busy = [
    start("1", "Bash", "echo 漢字 👨‍👩‍👧‍👦 ".repeat(20)),
    end("1", `${"長い行 👍🏽 ".repeat(40)}\nshort`),
    todo(["long ".repeat(40), "active"], ["終わり".repeat(40), "done"]),
  ];

  it.each([80, 140, 20])("of %d columns never breaks a line of the view (S1-77)", (width) => {
    const lines = shown(busy, { width, marks: emojiMarks, outputCharsMax: 1000 }).split("\n");
    expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
    expect(lines.length).toBeGreaterThan(6);
  });

  it("gets colours that end where the line ends (S1-77)", () => {
    const lines = shown([...busy, text("a\nb\n", "s", true)], { paint: painted, width: 80 }).split("\n");
    const open = lines.filter((line) => line.includes("\u001B[") && !/\[(?:22|39)m$/.test(line));
    expect(open).toEqual([]);
  });
});
