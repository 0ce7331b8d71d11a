import { describe, expect, it } from "vitest";
import { shellWords } from "./shell-words.ts";

describe("a command line for people", () => {
  it("quotes what a shell would act on, and nothing else", () =>
    expect(shellWords(["claude", "--model=a/b:1", "it's", "a b", "", "$(x)"])).toBe(
      String.raw`claude --model=a/b:1 'it'\''s' 'a b' '' '$(x)'`,
    ));

  it("leaves the place of the prompt as it is", () =>
    expect(shellWords(["helper", "<prompt>"])).toBe("helper <prompt>"));
});
