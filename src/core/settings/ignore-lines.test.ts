import { describe, expect, it } from "vitest";
import { ignoreLines, withIgnoreLines } from "./ignore-lines.ts";

const all = `${ignoreLines.join("\n")}\n`;

describe("the lines of .gitignore", () => {
  it("keep logs, prompts, state and one's own settings out, and the shared settings in (CW-1I, S1-78)", () => {
    expect(ignoreLines).toEqual([".ralph/settings.local.json", ".ralph/*.log", ".ralph/prompt_*.txt", ".ralph-active"]);
  });

  it.each<[string, string, string | null]>([
    ["to an empty file", "", all],
    ["after what is there", "node_modules\n", `node_modules\n${all}`],
    ["after a last line without an end", "node_modules", `node_modules\n${all}`],
    ["with the line ends of the file", "a\r\n", `a\r\n${all.replaceAll("\n", "\r\n")}`],
    ["not a second time", `x\n${all}`, null],
    ["not a second time when they begin with a slash", all.replaceAll(/^/gm, "/"), null],
    [
      "only as far as they are missing",
      ".ralph/*.log\n",
      `.ralph/*.log\n${ignoreLines.filter((line) => line !== ".ralph/*.log").join("\n")}\n`,
    ],
  ])("are added %s", (_, text, expected) => expect(withIgnoreLines(text)).toBe(expected));
});
