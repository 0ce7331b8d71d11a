import { describe, expect, it } from "vitest";
import { isPromiseMade, type PromiseSearch } from "./match-promise.ts";

function check(change: Partial<PromiseSearch>, expected: boolean): void {
  const claims = { placement: "anywhere" as const, signals: ["promise" as const] };
  const search = { promise: "READY", own: "DONE", isLoose: false, turnText: "", claims };
  expect(isPromiseMade({ ...search, ...change })).toBe(expected);
}

describe("a promise in the words of a turn", () => {
  it("is the content of a tag, never a word of prose (CW-2A)", () => {
    check({ turnText: "<promise>READY</promise>" }, true);
    check({ turnText: "I am READY." }, false);
    check({ turnText: "<promise>DONE</promise>" }, false);
  });

  it("is found anywhere, in any letter case, when the match is loose (CW-2A)", () => {
    check({ turnText: "i am ready.", isLoose: true }, true);
    check({ turnText: "Not yet.", isLoose: true }, false);
  });

  it("needs no second look when it is the one that was claimed (CW-2A)", () => {
    check({ promise: null }, true);
    check({ promise: " done " }, true);
  });
});
