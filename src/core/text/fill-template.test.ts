import { describe, expect, it } from "vitest";
import { fillTemplate } from "./fill-template.ts";

describe("fillTemplate (CW-0C, R-52)", () => {
  it.each<[string, string, Record<string, string>, string]>([
    [
      "fills every name (S0-20)",
      "{{ITERATION}}/{{MAX}} {{PROMISE}}",
      { ITERATION: "2", MAX: "9", PROMISE: "OK" },
      "2/9 OK",
    ],
    ["fills all occurrences", "{{A}}{{A}} {{A}}", { A: "x" }, "xx x"],
    [
      "does not scan values again",
      "{{PROMISE}} {{PROMPT}}",
      { PROMISE: "{{PROMPT}}", PROMPT: "{{PROMISE}}" },
      "{{PROMPT}} {{PROMISE}}",
    ],
    ["keeps replacement patterns", "a {{PROMPT}} b", { PROMPT: "cost $& $` $' $$ $1" }, "a cost $& $` $' $$ $1 b"],
    ["leaves unknown names", "{{A}} {{B}} {{ A }} {A}", { A: "x" }, "x {{B}} {{ A }} {A}"],
    ["leaves names that every object has", "{{constructor}} {{__proto__}}", {}, "{{constructor}} {{__proto__}}"],
    ["fills an empty value", "[{{A}}]", { A: "" }, "[]"],
    ["fills the inner pair of three braces", "{{{A}}}", { A: "x" }, "{x}"],
  ])("%s", (_, template, values, expected) => expect(fillTemplate(template, values)).toBe(expected));
});
