import { describe, expect, it } from "vitest";
import { accessesOf, judgeToolCall } from "./judge-tool-call.ts";
import type { CallContext } from "./facts/call-context.ts";

const place: CallContext = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };

function check(tool: string, input: unknown, expected: string): void {
  expect(judgeToolCall({ tool, input, place }).decision).toBe(expected);
}

const patch = "*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n-a\n+b\n*** End Patch";

describe("a tool call is judged by what the tool does (R-123, S4-89, CW-4B)", () => {
  it.each<[string, unknown, string]>([
    ["Bash", { command: "rm -rf /" }, "block"],
    ["bash", { command: "npm test" }, "allow"],
    ["bash", { command: "rm -rf *", workdir: "/" }, "block"],
    ["Write", { file_path: "/h/.ssh/config", content: "x" }, "block"],
    ["write", { filePath: "/w/src/a.ts", content: "rm -rf /" }, "allow"],
    ["Edit", { file_path: "/w/src/../.ralph/settings.json" }, "block"],
    ["edit", { filePath: "/w/.claude/rules/a.md" }, "allow"],
    ["MultiEdit", { file_path: "/w/.git/hooks/x" }, "block"],
    ["NotebookEdit", { notebook_path: "/etc/x.ipynb" }, "block"],
    ["patch", { patchText: patch }, "block"],
    ["apply_patch", { patchText: "--- a/x\n+++ b/.ralph-active\n" }, "block"],
    ["apply_patch", { patchText: "*** Add File: src/a.ts\n+rm -rf /\n" }, "allow"],
    ["Read", { file_path: "/h/.ssh/id_rsa" }, "block"],
    ["read", { filePath: "/w/src/a.ts" }, "allow"],
    ["WebSearch", { query: "rm -rf /" }, "allow"],
    ["TodoWrite", { todos: [] }, "allow"],
  ])("%s %j: %s", (tool, input, expected) => {
    check(tool, input, expected);
  });
});

describe("a call in an unknown form is refused with a message (R-124)", () => {
  it.each<[string, unknown]>([
    ["Bash", {}],
    ["Bash", null],
    ["Bash", { command: 7 }],
    ["Write", { path_to_file: "/w/a" }],
    ["patch", { patchText: "nothing" }],
    ["Bash", { command: "echo 'a" }],
  ])("%s %j", (tool, input) => {
    const judgement = judgeToolCall({ tool, input, place });
    expect([judgement.decision, judgement.reason.includes("cannot be judged")]).toEqual(["block", true]);
  });

  it("and so is one that makes the guard itself fail", () => {
    const broken = new Proxy(place, {
      get: () => {
        throw new Error("broken place");
      },
    });
    const judgement = judgeToolCall({ tool: "Write", input: { file_path: "/w/a" }, place: broken });
    expect(judgement.decision).toBe("block");
    expect(judgement.reason).toContain("broken place");
  });
});

describe("a file tool of any name is judged by the paths it names (R-123, S4-89)", () => {
  it.each<[string, unknown, string]>([
    ["mcp__fs__write_file", { path: "~/.ssh/authorized_keys", content: "x" }, "block"],
    ["mcp__fs__write_file", { path: "/w/src/a.ts", content: "rm -rf /" }, "allow"],
    ["mcp__fs__move_file", { source: "/w/a", destination: "/h/.bashrc" }, "block"],
    ["mcp__fs__move_file", { source: "/w/.ralph/settings.json", destination: "/w/b" }, "block"],
    ["mcp__fs__copy_file", { source: "/h/.aws/credentials", destination: "/w/b" }, "block"],
    ["mcp__fs__copy_file", { source: "/w/.claude/settings.json", destination: "/w/b" }, "allow"],
    ["mcp__fs__read", { path: "/h/.aws/credentials" }, "block"],
    ["mcp__fs__read_multiple_files", { paths: ["/w/a", "$HOME/.ssh/id_rsa"] }, "block"],
    ["mcp__fs__getContents", { uri: "file:///h/.ssh/id_rsa" }, "block"],
    ["mcp__fs__read", { path: "/w/src/a.ts" }, "allow"],
    ["mcp__fs__edit", { edits: [{ filePath: "/w/.git/hooks/pre-commit", newText: "x" }] }, "block"],
    ["mcp__fs__do", { operation: "write", target: "/h/.zshrc" }, "block"],
    ["mcp__fs__file", { path: "/h/.zshrc", content: "x" }, "block"],
    ["str_replace_based_edit_tool", { command: "view", path: "/h/.ssh/config" }, "allow"],
    ["str_replace_based_edit_tool", { command: "create", path: "/h/.ssh/config", file_text: "x" }, "block"],
    ["mcp__web__fetch", { url: "https://x.example/h/.ssh/id_rsa" }, "allow"],
    ["Glob", { pattern: "*.ts", path: "/h" }, "allow"],
    ["Write", { file_path: "/w/.npmrc", content: "fund=false\nscript-shell=/tmp/x\n" }, "block"],
    ["Write", { file_path: "/w/.npmrc", content: "fund=false\n" }, "allow"],
    ["Edit", { file_path: "/w/.npmrc", new_string: "script-shell = /tmp/x" }, "block"],
    ["apply_patch", { patchText: "*** Add File: .npmrc\n+script-shell=/tmp/x\n" }, "block"],
    ["mcp__fs__write_file", { path: ".npmrc", content: "script-shell=/tmp/x" }, "block"],
    ["Write", { file_path: "/w/README.md", content: "script-shell=/tmp/x" }, "allow"],
  ])("%s %j: %s", (tool, input, expected) => {
    check(tool, input, expected);
  });
});

it("names the files whose links the caller resolves (R-123)", () => {
  expect(accessesOf("Edit", { file_path: "/w/a" })).toEqual([{ path: "/w/a", access: "write" }]);
  expect(accessesOf("Grep", { path: "/w/a" })).toEqual([{ path: "/w/a", access: "read" }]);
  expect(accessesOf("patch", { patchText: patch })).toEqual([{ path: ".claude/settings.json", access: "write" }]);
  expect(accessesOf("mcp__fs__read", { path: "/w/a" })).toEqual([{ path: "/w/a", access: "read" }]);
  expect(accessesOf("Bash", { command: "ls" })).toEqual([]);
  expect(accessesOf("Unknown", {})).toEqual([]);
});

it("reads names that every object has as plain names (R-124)", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(judgeToolCall({ tool: name, input: {}, place }).decision).toBe("allow");
    expect(accessesOf(name, {})).toEqual([]);
    const command = `${name} x; ${name}=1 true`;
    expect(judgeToolCall({ tool: "Bash", input: { command }, place }).decision).toBe("allow");
  }
});

it("judges a search that prints what it finds, and lets one of the current folder pass (R-123)", () => {
  const search = (input: unknown): string => judgeToolCall({ tool: "Grep", input, place }).decision;
  expect(search({ pattern: "x" })).toBe("allow");
  expect(search({ pattern: "x", path: `${place.home}/.ssh` })).toBe("block");
});

it("judges a command in the folder the call names, relative or not (R-121)", () => {
  const run = (workdir: string): string =>
    judgeToolCall({ tool: "bash", input: { command: "rm -rf *", workdir }, place }).decision;
  expect(run("dist")).toBe("allow");
  expect(run("..")).toBe("block");
  expect(run("/")).toBe("block");
});
