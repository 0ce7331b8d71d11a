import { describe, expect, it } from "vitest";
import { shellWords } from "./shell-words.ts";

describe("a command line for people", () => {
  it("quotes what a shell would act on, and nothing else", () =>
    expect(shellWords(["claude", "--model=a/b:1", "it's", "a b", "", "$(x)"])).toBe(
      String.raw`claude --model=a/b:1 'it'\''s' 'a b' '' '$(x)'`,
    ));

  it("keeps a word with line breaks on one line, as bash and zsh read it", () =>
    expect(shellWords(["-p", "it's\ntwo\tlines \\ here"])).toBe(String.raw`-p $'it\'s\ntwo\tlines \\ here'`));

  it("leaves the place of the prompt as it is", () =>
    expect(shellWords(["helper", "<prompt>"])).toBe("helper <prompt>"));
});
