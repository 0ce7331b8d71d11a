import { describe, expect, it } from "vitest";
import { commitMessage } from "./commit-message.ts";

function check(answer: string, expected: string | null): void {
  expect(commitMessage(answer)).toBe(expected);
}

describe("commitMessage", () => {
  it("is the text of a response tag, wherever it stands (S1-62)", () => {
    check("Here it is:\n<response>Fix the parser</response>\nBye.", "Fix the parser");
    check(
      "<RESPONSE>\n  Fix the parser\n\nIt lost the last line.\n</RESPONSE>",
      "Fix the parser\n\nIt lost the last line.",
    );
  });

  it("is else the first line that is not empty (S1-62)", () =>
    check("\n\n  Fix the parser  \nand more", "Fix the parser"));

  it("is nothing when there is no such line (S1-62)", () => {
    check("", null);
    check(" \n\t\n", null);
    check("<response>  </response>", null);
  });

  it("is never JSON, as a stream of events would give it (CW-1G, R-60)", () => {
    check('{"type":"system","subtype":"init"}\n["x"]\nFix the parser', "Fix the parser");
    check('{"type":"result"}', null);
    check('<response>{"type":"result"}</response>', null);
    check('{\n  "type": "result",\n  "list": [\n    "x",\n    {}\n  ]\n}', null);
    check('{"type":"system","subtype":"ini', null);
  });

  it("is never a fence, inside a tag or without one (CW-1G, R-60)", () => {
    check("```\nFix the parser\n```", "Fix the parser");
    check("```text\n```", null);
    check("<response>\n```\nFix the parser\n```\n</response>", "Fix the parser");
  });

  it("loses its quotes and a leading label (CW-1G, R-60)", () => {
    check('"Fix the parser"', "Fix the parser");
    check("`Fix the parser`", "Fix the parser");
    check("Commit message: 'Fix the parser'", "Fix the parser");
    check("Commit message:\n\nFix the parser", "Fix the parser");
    check('Say "no" to "yes"', 'Say "no" to "yes"');
    check('"no" is not "yes"', '"no" is not "yes"');
  });

  it("keeps what a shell would act on as it is (R-60)", () =>
    check('Fix $(touch x) `y` "z"', 'Fix $(touch x) `y` "z"'));

  it("has no colours and no characters that an argument cannot hold (R-60)", () =>
    check("\u001B[1mFix\u001B[0m the\0 parser\r\n", "Fix the parser"));

  it("keeps words in brackets that are no JSON", () =>
    check("[parser] keep the last line", "[parser] keep the last line"));

  it("has a limit", () => expect(commitMessage("x".repeat(10_000))).toHaveLength(2000));
});
