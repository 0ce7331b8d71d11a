import { describe, expect, it } from "vitest";
import { allowListPath, isAllowedByRule, readAllowList } from "./allow-list.ts";
import { judgeCommand } from "../judge-command.ts";
import type { CallContext } from "./call-context.ts";

const place: CallContext = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s/ralph", allow: [] };

function check(rules: unknown[], command: string, expected: string): void {
  const { rules: allow, problems } = readAllowList(JSON.stringify({ allow: rules }));
  expect(problems).toEqual([]);
  expect(judgeCommand(command, { ...place, allow }).decision).toBe(expected);
}

describe("the allow list of a project (R-125)", () => {
  it("lets a command pass by its first words, and no other", () => {
    check([{ command: "git reset --hard" }], "git reset --hard", "allow");
    check([{ command: ["git", "reset", "--hard"] }], "git reset --hard HEAD~1", "allow");
    check([{ command: "git reset --hard" }], "git push --force", "block");
    check([{ command: "git reset --hard" }], "git reset --hard; rm -rf /", "block");
    check([{ command: "npm publish", why: "the release" }], "bash -c 'npm publish'", "allow");
  });

  it("lets a category pass, everywhere or below a path", () => {
    check([{ category: 9 }], "npx x", "allow");
    check([{ category: 1, path: "/srv/cache/" }], "rm -rf /srv/cache/a", "allow");
    check([{ category: 1, path: "/srv/cache" }], "rm -rf /srv/cached", "block");
    check([{ category: 9 }], "git push -f", "block");
    check([{ category: 1, path: "/srv/cache" }], "rm -rf /srv/cache/a ../x", "block");
    check([{ category: 1, path: "/srv/cache" }], "rm -rf /srv/cache/../x", "block");
  });

  it("cannot allow its own change, nor that of settings and store", () => {
    const everything = Array.from({ length: 18 }, (_, index) => ({ category: index + 1 }));
    check(everything, `echo x > ${allowListPath}`, "block");
    check(everything, "rm .ralph-active", "block");
    check(everything, "mv .ralph x", "block");
    check([...everything, { command: "tee" }], "tee .ralph/settings.json", "block");
    check(everything, "echo x > /s/ralph/ralph.db", "block");
    check(everything, "rm -rf /s", "block");
    check(everything, "sudo npx x", "allow");
  });

  it("cannot allow what could not be judged (R-124)", () => {
    check(
      Array.from({ length: 18 }, (_, index) => ({ category: index + 1 })),
      "echo 'a",
      "block",
    );
    const finding = { category: null, tier: "block", reason: "", subject: ["ls"] } as const;
    expect(isAllowedByRule(finding, [{ type: "command", words: ["ls"] }])).toBe(false);
  });

  it.each([
    ["{", ".ralph/guard-allow.json is not JSON"],
    ["[]", '.ralph/guard-allow.json has no list "allow"'],
    ['{"allow": [1]}', ".ralph/guard-allow.json: rule 1 is not an object"],
    [
      '{"allow": [{"comand": "x"}]}',
      '.ralph/guard-allow.json: rule 1 has "comand"; known are command, category, path, why',
    ],
    ['{"allow": [{"category": 19}]}', ".ralph/guard-allow.json: rule 1: category 19 is not a number from 1 to 18"],
    ['{"allow": [{"command": []}]}', ".ralph/guard-allow.json: rule 1: command is not a list of words"],
    [
      '{"allow": [{"command": "x", "category": 1}]}',
      ".ralph/guard-allow.json: rule 1 has a command and a category; use one",
    ],
    [
      '{"allow": [{"category": 1, "path": "/a/../b"}]}',
      '.ralph/guard-allow.json: rule 1: path "/a/../b" is not a plain path',
    ],
  ])("says what is wrong with %s", (text, problem) => {
    expect(readAllowList(text)).toEqual({ rules: [], problems: [problem] });
  });
});
