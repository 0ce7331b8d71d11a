import { describe, expect, it } from "vitest";
import { findPathFaults, judgePath } from "./judge-path.ts";
import type { CallContext } from "./facts/call-context.ts";

const place: CallContext = {
  workTree: "/home/ada/project",
  home: "/home/ada",
  tempFolder: "/tmp",
  cwd: "/home/ada/project",
  store: "/srv/state/ralph",
  allow: [],
};

describe("a file tool may not write what is protected, however the path is spelled (R-123, S4-89)", () => {
  it.each([
    ["/home/ada/.ssh/config", 18],
    ["/home/ada/.ssh/authorized_keys", 5],
    ["/home/ada/.aws/config", 18],
    ["/home/ada/.gnupg/x", 18],
    ["/home/ada/.kube/config", 18],
    ["/home/ada/.docker/config.json", 18],
    ["/etc/profile", 18],
    ["/etc/hosts", 11],
    ["/home/ada/.zshrc", 11],
    [".git/hooks/pre-commit", 15],
    ["packages/a/../../.git/hooks/x", 15],
    [".GIT/Hooks/pre-commit", 15],
    [".claude/settings.json", 18],
    ["/home/ada/.claude/settings.json", 18],
    ["/home/ada/Library/LaunchAgents/x.plist", 15],
    ["/srv/state/ralph/ralph.db", 18],
    [".ralph/settings.json", 18],
    [".ralph/settings.local.json", 18],
    [".ralph/guard-allow.json", 18],
    [".ralph-active", 18],
    ["../project/.ralph-active", 18],
    ["/usr/bin/node", 1],
    ["/dev/sda", 2],
    ["/proc/sysrq-trigger", 14],
  ])("%s: category %i", (path, category) => {
    const judgement = judgePath(path, "write", place);
    expect(judgement.decision).toBe("block");
    expect(judgement.findings.map((finding) => finding.category)).toContain(category);
  });

  it.each([
    "src/a.ts",
    ".claude/rules/style.md",
    ".ralph/prompt_001.txt",
    ".env",
    "/tmp/x",
    "/home/ada/notes.md",
    "/dev/null",
    ".github/workflows/ci.yml",
    "docs/.ssh.md",
  ])("but it may write %s", (path) => {
    expect(judgePath(path, "write", place).findings).toEqual([]);
  });
});

describe("a file tool may not read secrets (R-123, S4-89)", () => {
  it.each<[string, string]>([
    ["/home/ada/.ssh/id_rsa", "block"],
    ["/etc/shadow", "block"],
    ["/proc/1/environ", "block"],
    ["/home/ada/.bash_history", "block"],
    [".env", "warn"],
    ["server.key", "warn"],
    [".env.example", "allow"],
    ["/home/ada/.ssh/id_rsa.pub", "allow"],
    [".claude/settings.json", "allow"],
    ["/etc/hosts", "allow"],
  ])("%s: %s", (path, expected) => {
    expect(judgePath(path, "read", place).decision).toBe(expected);
  });
});

it("lets a rule of the project open a path, but never one that guards the guard (R-125)", () => {
  const husky = { ...place, allow: [{ type: "category", category: 15, path: "/home/ada/project/.husky" } as const] };
  expect(judgePath(".husky/pre-commit", "write", place).decision).toBe("block");
  expect(judgePath(".husky/pre-commit", "write", husky).decision).toBe("allow");
  const all = { ...place, allow: [{ type: "category", category: 18, path: null } as const] };
  expect(judgePath("/home/ada/.kube/config", "write", all).decision).toBe("allow");
  for (const path of [
    ".ralph/guard-allow.json",
    ".ralph/settings.json",
    ".ralph-active",
    "/srv/state/ralph/ralph.db",
  ]) {
    expect(judgePath(path, "write", all).decision).toBe("block");
  }
});

it("names the path in each fault", () => {
  expect(findPathFaults("/etc/x", "write", place)[0]?.reason).toBe("may not write /etc/x: it configures the system");
});
