import { describe, expect, it } from "vitest";
import { readBase, readCase } from "../../bench/fool/read-case.ts";

const head = "kind: cheat\nbase: node\nlayer: probe\nabout: Does nothing.\n";

describe("a case of the bench", () => {
  it("has steps before its first turn and steps of each turn", () => {
    const text = `${head}--- write a b.txt\none\n\ntwo\n--- turn\n--- delete x\n--- turn\n--- run\ntrue\n--- append y\nz\n`;
    const { name, ecosystem, steps, turns } = readCase("/cases/node/does-nothing.case", text);
    expect({ name, ecosystem }).toEqual({ name: "does-nothing", ecosystem: "node" });
    expect(steps).toEqual([{ do: "write", path: "a b.txt", text: "one\n\ntwo\n" }]);
    expect(turns).toEqual([
      [{ do: "delete", path: "x" }],
      [
        { do: "run", script: "true\n" },
        { do: "append", path: "y", text: "z\n" },
      ],
    ]);
  });

  it.each([
    ["an unknown kind", `${head.replace("cheat", "joke")}--- turn\n`, /kind is "joke"/],
    ["a missing base", "kind: honest\nabout: Is right.\n--- turn\n", /about: and base:/],
    ["a cheat that nothing should refuse", `${head.replace("layer: probe\n", "")}--- turn\n`, /line layer:/],
    ["an agent without a turn", head, /no turn/],
    ["an unknown step", `${head}--- turn\n--- move x\n`, /no step "move"/],
    ["a header line without a value", `kind\n${head}--- turn\n`, /no header line/],
  ])("is refused with %s", (_, text, message) => {
    expect(() => readCase("/cases/node/x.case", text)).toThrow(message);
  });
});

describe("a base of the bench", () => {
  it("names its check, its task and the programs that it needs", () => {
    const base = readBase("/bases/make.case", "check: make test\ntask: Make it work.\nneeds: cc make\n--- write a\n");
    expect(base).toEqual({
      name: "make",
      check: "make test",
      task: "Make it work.",
      needs: ["cc", "make"],
      steps: [{ do: "write", path: "a", text: "" }],
    });
  });
});
