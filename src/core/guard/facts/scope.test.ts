import { expect, it } from "vitest";
import { marks } from "./marks.ts";
import { forkScope, report, resolveIn, writeFile, type Scope } from "./scope.ts";

function newScope(): Scope {
  const place = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };
  const nothing = (): string => "";
  const budget = { stepsLeft: 9, depth: 0, failure: null };
  const walk = {
    place,
    findings: [],
    budget,
    commandsLeft: 9,
    newRemotes: new Set<string>(),
    readTexts: new Map<string, string | null>(),
    runText: nothing,
    runWords: nothing,
    runBody: nothing,
  };
  return {
    walk,
    variables: new Map(),
    positional: null,
    cwd: "/w/a",
    functions: new Map(),
    files: new Map(),
    active: [],
  };
}

it("keeps a subshell's variables inside and its files outside (R-121)", () => {
  const scope = newScope();
  const inner = forkScope(scope, { cwd: "/" });
  inner.variables.set("x", ["1"]);
  writeFile(inner, "a.sh", "ls");
  expect([scope.variables.size, scope.cwd, scope.files.get("/a.sh")]).toEqual([0, "/w/a", "ls"]);
  expect(resolveIn(scope, "../b")).toBe("/w/b");
});

it("notes findings with their words, at most fifty, and a file without end (R-120)", () => {
  const scope = newScope();
  writeFile(scope, "big", marks.endless);
  expect(scope.walk.findings[0]).toMatchObject({ category: 3, tier: "block", subject: ["/w/a/big"] });
  for (let count = 0; count < 60; count += 1) report(scope, { category: 1, tier: "warn", reason: "r" }, ["a"]);
  expect(scope.walk.findings).toHaveLength(50);
});
