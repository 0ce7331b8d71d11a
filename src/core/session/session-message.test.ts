import { describe, expect, it } from "vitest";
import { findContinuation, hasForeignPrompt, messagesSince, type SessionMessage, textOf } from "./session-message.ts";

const says = (content: string, createdAt?: number | string): SessionMessage => ({
  role: "assistant",
  content,
  ...(createdAt === undefined ? {} : { createdAt }),
});
const asks = (content: string): SessionMessage => ({ role: "user", content });
const heading = "[RALPH LOOP - ITERATION 2/5]";

describe("textOf", () => {
  it("joins the visible words, and nothing else (R-02, R-06)", () => {
    const parts = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "<promise>DO" },
      { type: "tool", text: "output" },
      { type: "text", text: "synthetic", synthetic: true },
      { type: "text", text: "NE</promise>" },
    ];
    expect(textOf({ role: "assistant", content: parts })).toBe("<promise>DONE</promise>");
    expect(textOf({ role: "assistant" })).toBe("");
    expect(textOf({ role: "assistant", content: null })).toBe("");
  });
});

describe("messagesSince", () => {
  const list = [says("a"), says("b"), says("c")];

  function check(messages: SessionMessage[], count: number | null, expected: string[]): void {
    expect(messagesSince(messages, { count, startedAt: 1000, heading, prompt: null }).map(textOf)).toEqual(expected);
  }

  it("begins at the mark (CW-0A)", () => {
    check(list, 0, ["a", "b", "c"]);
    check(list, 2, ["c"]);
    check(list, 3, []);
  });

  it("leaves out what says it is older than the loop (CW-0A, R-04)", () =>
    check([says("old", 999), says("new", 1000), says("newer", "1970-01-01T00:00:02Z")], 0, ["new", "newer"]));

  it("is only what proves its age when nobody counted, or the list shrank (CW-0A)", () => {
    check(list, null, []);
    check([...list, says("new", 1000)], null, ["new"]);
    check([...list, asks(`${heading}\n\nGo on`), says("d")], 9, [`${heading}\n\nGo on`, "d"]);
  });
});

describe("messagesSince in the first iteration", () => {
  const prompt = "Fix it";
  const asked = (createdAt?: number): SessionMessage => ({
    ...asks("Fix it\n\nSay when."),
    ...(createdAt === undefined ? {} : { createdAt }),
  });

  function check(messages: SessionMessage[], count: number, expected: string[]): void {
    const mark = { count, startedAt: 1000, heading: null, prompt };
    expect(
      messagesSince(messages, mark)
        .filter(({ role }) => role === "assistant")
        .map(textOf),
    ).toEqual(expected);
  }

  it("begins with the prompt when it was given before anybody counted (CW-0A)", () => {
    check([says("old"), asked(), says("new")], 3, ["new"]);
    check([asked(999), says("old", 999), asked(1000), says("new", 1001)], 4, ["new"]);
  });

  it("begins with the count when the prompt came later, is not there, or is older than the loop (CW-0A, R-04)", () => {
    check([says("old"), asked(), says("new")], 1, ["new"]);
    check([says("old"), asks("Something else"), says("new")], 2, ["new"]);
    check([asked(999), says("old"), says("new")], 2, ["new"]);
  });

  it("does not take the equal prompt of an earlier loop for its own (CW-0A, R-04)", () =>
    check([asked(), says("old"), asked(), says("older")], 4, []));
});

describe("findContinuation", () => {
  it("finds the newest message of a user that begins with the heading", () => {
    const messages = [asks(heading), says(heading), asks(`${heading}\nx`), says("y")];
    expect(findContinuation(messages, heading)).toBe(2);
    expect(findContinuation([says(heading)], heading)).toBe(-1);
    expect(findContinuation(messages, null)).toBe(-1);
  });

  it("finds one that its host marked as synthetic", () =>
    expect(
      findContinuation([{ role: "user", content: [{ type: "text", text: heading, synthetic: true }] }], heading),
    ).toBe(0));
});

describe("hasForeignPrompt", () => {
  it("is a user's words that are not ours", () => {
    const isOwn = (text: string): boolean => text.startsWith("[RALPH");
    expect(hasForeignPrompt([says("x"), asks(heading)], isOwn)).toBe(false);
    expect(hasForeignPrompt([asks(heading), asks("wait")], isOwn)).toBe(true);
    expect(hasForeignPrompt([{ role: "user" }], isOwn)).toBe(false);
  });
});
