import { expect, it } from "vitest";
import { criterionName } from "./criterion-name.ts";

it("names a criterion by its description, and without one by its promise", () => {
  expect(criterionName({ description: "sign-in works", promise: "DONE" })).toBe("sign-in works");
  expect(criterionName({ description: "", promise: "DONE" })).toBe("DONE");
});
