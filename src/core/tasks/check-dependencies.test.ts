import { describe, expect, it } from "vitest";
import { checkDependencies, openDependencies } from "./check-dependencies.ts";

/** `a: b c` is a task a that depends on b and c. */
function nodes(lines: readonly string[]) {
  return lines.map((line) => {
    const [id = "", rest = ""] = line.split(":");
    return { id, dependencies: rest.split(" ").filter((each) => each !== "") };
  });
}

describe("dependencies", () => {
  const check = (given: string[], stored: string[], expected: string[]) => {
    const found = checkDependencies(nodes(given), nodes([...given, ...stored]));
    expect(found.map(({ id, message }) => `${id} ${message}`)).toEqual(expected);
  };
  const cycle = "is part of a cycle, so none of it could ever begin:";

  it.each<[string, string[], string[], string[]]>([
    ["given and stored tasks", ["a:", "b:a c"], ["c:"], []],
    ["a diamond", ["a:", "b:a", "c:a", "d:b c"], [], []],
    ["an unknown task", ["a:base"], ["bass:"], ["a names the unknown task base; did you mean bass?"]],
    ["a task itself", ["a:a"], [], ["a depends on itself"]],
    ["a cycle of two", ["a:b", "b:a"], [], [`a ${cycle} a -> b -> a`]],
    ["a longer cycle with a tail", ["t:a", "a:b", "b:c x", "c:a", "x:"], [], [`a ${cycle} a -> b -> c -> a`]],
    ["a cycle through a stored task", ["b:a"], ["a:b"], [`b ${cycle} b -> a -> b`]],
  ])("judges %s (S2-51)", (_what, given, stored, expected) => check(given, stored, expected));

  it("says what a task still waits for, also for tasks that are gone", () => {
    const tasks = [
      { id: "a", status: "done" },
      { id: "b", status: "failed" },
    ];
    expect(openDependencies({ dependencies: ["a", "b", "gone"] }, tasks)).toEqual(["b", "gone"]);
  });
});
