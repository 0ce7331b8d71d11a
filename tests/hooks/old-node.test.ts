import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOldNode, oldNodeVersions } from "../../scripts/old-nodes.ts";
import { type Answered, copyTranscript, type HookWorld, openHookWorld } from "./built-hook.ts";
import { newerThings } from "./newer-than-node-18.ts";

const root = join(import.meta.dirname, "..", "..");

describe("the bundles of the hooks on Node 18", () => {
  const bundles = readdirSync(join(root, "dist")).filter((name) => /^hook.*\.cjs$/.test(name));

  it.each(bundles)("need nothing that is newer, in %s", (name) => {
    const text = readFileSync(join(root, "dist", name), "utf8");
    const filledIn = [...text.matchAll(/(\w+)\?\?=function/g)].map(([, added = ""]) => added);
    const found = newerThings.filter(({ pattern }) => pattern.test(text)).map(({ sample }) => sample);
    expect(found.filter((sample) => !filledIn.some((known) => sample.includes(known)))).toEqual([]);
  });

  it.each(bundles)("start no loader of ES modules, in %s", (name) => {
    const text = readFileSync(join(root, "dist", name), "utf8");
    // One program for a module of the user is a text, run by a process of its own.
    expect(text.replace("await import(module)", "")).not.toMatch(/\bimport\(/);
  });

  it.each(newerThings)("would be found to use $sample", ({ sample, pattern }) => {
    const options = { minify: true, target: "node18", format: "cjs", logLevel: "silent" } as const;
    expect(transformSync(sample, options).code).toMatch(pattern);
  });
});

const nodes: [string, string | null][] = [
  ...oldNodeVersions.map((version): [string, string | null] => [version, findOldNode(version)]),
  [process.versions.node, process.execPath],
];

for (const [version, node] of nodes) {
  describe.skipIf(node === null)(`hooks on Node ${version}`, () => {
    let world: HookWorld;
    beforeEach(() => {
      world = openHookWorld(node ?? "");
      mkdirSync(join(world.project, "ralph"));
    });
    afterEach(() => world.remove());

    const ask = (method: string, config: Record<string, unknown>): void => {
      const coder = {
        promise: "DONE",
        description: "It works",
        verification_method: method,
        verification_config: config,
      };
      const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
      writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(document));
    };
    const settle = (settings: Record<string, unknown>): void => {
      mkdirSync(join(world.project, ".ralph"));
      writeFileSync(join(world.project, ".ralph", "settings.json"), JSON.stringify(settings));
    };
    const stops = (words: string): Answered =>
      world.run("stop", "Stop-first", { fields: { last_assistant_message: words } });
    const faults = (): string[] =>
      world
        .log()
        .split("\n")
        .filter((line) => line.includes("fault of its own") || line.includes("is not a function"));
    /** A claim is refused while `answer.txt` is missing, and accepted when it is there. */
    const check = (): void => {
      const refused = stops("All done. <promise>DONE</promise>");
      expect([refused.isBlocked, faults()]).toEqual([true, []]);
      expect(refused.said).toContain("no answer here");
      writeFileSync(join(world.project, "answer.txt"), "42");
      const accepted = stops("All done. <promise>DONE</promise>");
      expect([accepted.stderr, accepted.exitCode, faults()]).toEqual(["", 0, []]);
    };
    const command = "test -f answer.txt || { echo no answer here; exit 3; }";

    it("answer every recorded event without a fault of their own", () => {
      copyTranscript(world);
      const hooks: [string, string][] = [
        ["session-start", "SessionStart-startup"],
        ["user-prompt-submit", "UserPromptSubmit"],
        ["user-prompt-submit", "UserPromptSubmit-ralph"],
        ["pre-tool-use", "PreToolUse-Bash"],
        ["pre-tool-use", "PreToolUse-Write"],
        ["post-tool-use", "PostToolUse-Edit"],
        ["stop", "Stop-first"],
        ["stop", "Stop-active"],
        ["session-end", "SessionEnd"],
      ];
      for (const [hook, recorded] of hooks)
        expect([0, 2]).toContain(world.run(hook, recorded, { words: ["--timeout", "30"] }).exitCode);
      expect(faults()).toEqual([]);
    });

    it("loop a session until a criterion holds, with guardrails in the settings", () => {
      world.git("init", "--quiet");
      ask("external", { command });
      settle({ guardrails: [{ command: "true", failAction: "APPEND" }] });
      expect(world.run("user-prompt-submit", "UserPromptSubmit-ralph").json.systemMessage).toContain("started");
      check();
    });

    it("verify by stages, outside git", () => {
      ask("multi_stage", { stages: [{ name: "first", method: "external", config: { command } }] });
      check();
    });

    it("verify by a module of the project", () => {
      ask("custom", { module: "check.mjs" });
      const source = `import { existsSync } from "node:fs";
        export default () => ({ isPassed: existsSync("answer.txt"), reason: "no answer here" });`;
      writeFileSync(join(world.project, "check.mjs"), source);
      check();
    });

    it("verify by the answer of a judge", () => {
      ask("semantic", { check_for: "it works" });
      const judge = join(world.root, "judge");
      writeFileSync(
        judge,
        "#!/bin/sh\ntest -f answer.txt && echo VERIFIED: yes || echo NOT_VERIFIED: no answer here\n",
      );
      chmodSync(judge, 0o755);
      settle({ verification: { judge: { agent: judge } } });
      check();
    });

    it("refuse a dangerous command", () => {
      const fields = { tool_name: "Bash", tool_input: { command: "rm -rf /" } };
      const { json } = world.run("pre-tool-use", "PreToolUse-Bash", { fields, env: { RALPH_RUN_ID: "r1" } });
      expect(json.hookSpecificOutput?.permissionDecision).toBe("deny");
    });

    it("find nothing below a file where a folder should be", () => {
      rmSync(world.state, { recursive: true, force: true });
      mkdirSync(world.state, { recursive: true });
      writeFileSync(join(world.state, "sessions"), "a file");
      const answered = world.run("user-prompt-submit", "UserPromptSubmit-ralph");
      expect(answered.json.systemMessage).toContain("its state cannot be written");
      expect(faults()).toEqual([]);
    });
  });
}
