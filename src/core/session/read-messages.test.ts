import { expect, it } from "vitest";
import { readSessionMessages } from "./read-messages.ts";

it("keeps what it can read of a message", () => {
  const parts = [{ type: "text", text: "a", synthetic: true }, { type: "text", text: "b" }, null, { type: 1, text: 2 }];
  expect(
    readSessionMessages([
      { role: "user", content: "x", createdAt: 5, more: 1 },
      { role: "assistant", content: parts },
    ]),
  ).toEqual([
    { role: "user", content: "x", createdAt: 5 },
    {
      role: "assistant",
      content: [{ type: "text", text: "a", synthetic: true }, { type: "text", text: "b" }, { type: "" }, { type: "" }],
    },
  ]);
});

it("keeps the place of a message that cannot be read", () => {
  const throwing = {
    get role(): string {
      throw new Error("no");
    },
  };
  expect(readSessionMessages([null, 5, [], { role: 7, content: {} }, throwing])).toEqual(
    Array.from({ length: 5 }, () => ({ role: "" })),
  );
});

it.each([null, undefined, {}, "messages", 5])("has no messages where a host gives %j", (value) => {
  expect(readSessionMessages(value)).toBeNull();
});
