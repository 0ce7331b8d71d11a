import { expect, it } from "vitest";
import { explainProtection } from "./explain-protection.ts";
import type { ProtectRules } from "./protection.ts";

const noRules: ProtectRules = { protect: [], allow: [], writable: [], named: [] };

function check(paths: string[], rules: Partial<ProtectRules>, expected: Record<string, string[]>): void {
  const explained = explainProtection(paths, { ...noRules, ...rules });
  expect(Object.fromEntries(explained.map(({ rule, paths: own }) => [rule, own.map(({ path }) => path)]))).toEqual(
    expected,
  );
}

it("says which rule protects a path, and leaves the agent's own files out", () => {
  check(
    ["src/a.ts", "test/a.test.ts", ".npmrc", "package.json", "check.sh", "data/x.json", "CLAUDE.md"],
    { named: ["check.sh"], protect: ["data/**"] },
    {
      tests: ["test/a.test.ts"],
      runner: [".npmrc"],
      keys: ["package.json"],
      named: ["check.sh"],
      protect: ["data/x.json"],
      agent: ["CLAUDE.md"],
    },
  );
});

it("names the keys of a manifest", () => {
  const [rule] = explainProtection(["package.json"], { ...noRules, protect: ["package.json#own"] });
  expect(rule?.paths[0]?.keys).toEqual(expect.arrayContaining(["scripts", "own"]));
});

it("names what seal.allow gives to the agent although a rule protects it", () => {
  check(
    ["test/a.test.ts", "package.json", "src/a.ts"],
    { allow: ["test/**", "package.json", "src/**"] },
    {
      allowed: ["test/a.test.ts", "package.json"],
    },
  );
});

it("takes a module of the base that is named like one of the runner's for ordinary code", () => {
  check(["unittest.py"], {}, {});
});
