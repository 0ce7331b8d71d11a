import { expect, it } from "vitest";
import { createMessageNames } from "./message-name.ts";

it("keeps ids, and tells every message without one from all others", () => {
  const nameOf = createMessageNames();
  expect(["a", null, "a", null].map(nameOf)).toEqual(["a", "unnamed-1", "a", "unnamed-2"]);
});
