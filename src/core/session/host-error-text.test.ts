import { expect, it } from "vitest";
import { hostErrorText } from "./host-error-text.ts";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

it.each([
  [new Error("no room"), "no room"],
  [new TypeError(""), "TypeError"],
  ["busy", "busy"],
  [{ message: "gone" }, "gone"],
  [{ message: "", code: 7 }, '{"message":"","code":7}'],
  [null, "null"],
  [undefined, "undefined"],
  [circle, "an error that cannot be shown"],
])("says of what a host throws (%o) the words %j", (thrown, words) => {
  expect(hostErrorText(thrown)).toBe(words);
});
