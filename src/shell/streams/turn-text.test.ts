import { expect, it } from "vitest";
import { createTurnText } from "./turn-text.ts";

const text = (words: string, messageId: string, isSub = false) =>
  ({ type: "text", text: words, messageId, isSub }) as const;
const result = { type: "result", isSuccess: true, text: "the result", failure: null, spend: null } as const;

it("joins the main thread's words, a message's by nothing and messages by a newline (CW-2J)", () => {
  const words = createTurnText();
  for (const event of [text("a", "1"), text("b", "1"), text("hidden", "9", true), text("c", "2"), result])
    words.add(event);
  words.add({ type: "thinking", text: "hidden", isSub: false });
  expect(words.text()).toBe("ab\nc");
});

it("takes the result where nothing else was said (CW-2J)", () => {
  const words = createTurnText();
  words.add(result);
  expect(words.text()).toBe("the result");
});

it("keeps both ends of a flood (CW-2J)", () => {
  const words = createTurnText();
  words.add(text("begin ", "1"));
  for (let count = 0; count < 100; count += 1) words.add(text("x".repeat(100_000), "1"));
  words.add(text(" end", "1"));
  expect(words.text()).toMatch(/^begin x+.*x+ end$/s);
  expect(words.text().length).toBeLessThan(101_000);
});
