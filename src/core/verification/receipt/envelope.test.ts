import { expect, it } from "vitest";
import { signedText } from "./envelope.ts";

it("is signed with the lengths of type and payload in bytes", () => {
  expect(signedText("http://example.com/HelloWorld", "hello world")).toBe(
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
  expect(signedText("t", "ä€😀")).toBe("DSSEv1 1 t 9 ä€😀");
  expect(signedText("t", "\u{1F600}\uD83D")).toBe("DSSEv1 1 t 7 \u{1F600}\uD83D");
});
