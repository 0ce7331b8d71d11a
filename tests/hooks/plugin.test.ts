import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTemplate } from "../../src/shell/prd/folder/templates.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "plugins", "claude-code");
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const skill = (name: string): string => readFileSync(join(folder, "skills", name, "SKILL.md"), "utf8");

const description =
  "Ralph Loop: works through a task list until every story is verified, with a command guard, scoped memory and self-managed tasks";

describe("the plugin for Claude Code", () => {
  it("names itself and leaves its hooks to the convention (S4-02, CW-4N)", () => {
    const manifest = readJson(join(folder, ".claude-plugin", "plugin.json"));
    expect(manifest).toMatchObject({ name: "ralph", description, version: "0.1.0" });
    expect(manifest).not.toHaveProperty("hooks");
  });

  it("is listed in the marketplace of the package, which carries it (S4-03)", () => {
    const entry = { name: "ralph", description, version: "0.1.0", source: "./plugins/claude-code" };
    expect(readJson(join(root, ".claude-plugin", "marketplace.json"))).toMatchObject({
      name: "ralph",
      plugins: [entry],
    });
    expect(readJson(join(root, "package.json"))).toMatchObject({
      files: expect.arrayContaining([".claude-plugin", "plugins"]) as string[],
    });
  });

  it("calls a hook for each event, without a shell, tools by the matcher * (S4-01, CB-17, CW-4N)", () => {
    const { hooks } = readJson(join(folder, "hooks", "hooks.json")) as {
      hooks: Record<string, { matcher?: string; hooks: { command: string; args: string[]; timeout: number }[] }[]>;
    };
    const called = Object.entries(hooks).map(([event, [entry]]) => [event, entry?.matcher, entry?.hooks[0]?.args[1]]);
    expect(called).toEqual([
      ["SessionStart", undefined, "session-start"],
      ["UserPromptSubmit", undefined, "user-prompt-submit"],
      ["PreToolUse", "*", "pre-tool-use"],
      ["PostToolUse", "*", "post-tool-use"],
      ["Stop", undefined, "stop"],
      ["SessionEnd", undefined, "session-end"],
    ]);
    const [stop] = hooks["Stop"]?.[0]?.hooks ?? [];
    expect(stop?.command).toBe("node");
    // The hook must know when its host gives up, and that must be later than the longest verification.
    expect(stop?.args.slice(-2)).toEqual(["--timeout", String(stop?.timeout)]);
    expect(stop?.timeout).toBeGreaterThan(300);
  });

  it("has each command as a skill, and not as a command file beside it, which would stand in the menu too (S4-01)", () => {
    const names = ["cancel-ralph", "ralph", "ralph-plan", "ralph-status", "ralph-tasks"];
    expect(readdirSync(join(folder, "skills")).toSorted()).toEqual(names);
    for (const name of names) expect(skill(name)).toContain(`\nname: ${name}\n`);
    expect(existsSync(join(folder, "commands"))).toBe(false);
  });

  it("plans by the rules that `ralph prd plan` has, on the prescribed words (S4-86, S4-87, S4-88)", () => {
    const plan = skill("ralph-plan");
    expect(plan).toBe(readTemplate("plan.md").replaceAll("{{RALPH_DIR}}", "ralph"));
    const phrases = ["/ralph-plan", "plan this feature for ralph", "create a ralph prd", "generate tasks for ralph"];
    expect(phrases.filter((phrase) => !plan.includes(`"${phrase}"`))).toEqual([]);
    expect(plan).toContain("`ralph prd init`");
    expect(plan).toContain("never rewrite it");
    expect(plan).toContain("schema, then backend, then API, then frontend, then integration");
  });

  it("says in one sentence what to run where it was installed from a clone that is not built, and stops nobody (S4-94)", () => {
    const alone = runUnbuilt((copy) => copy);
    expect(alone.status).toBe(1);
    expect(alone.stderr.trim().split("\n")).toEqual([expect.stringContaining("`npm run build && npm link`")]);
  });

  it("works with the hooks of the built program on the PATH where it has none of its own (S4-94)", () => {
    const linked = runUnbuilt((copy) => {
      symlinkSync(join(folder, "../../bin/ralph.js"), join(copy, "ralph"));
      return copy;
    });
    expect(linked).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(folder, "dist", "hook.cjs"))).toBe(true);
  });
});

/** Sends a stop to a copy of the plugin as a plain clone has it; `pathFor` says what the PATH is. */
function runUnbuilt(pathFor: (copy: string) => string): { status: number | null; stderr: string } {
  const copy = mkdtempSync(join(tmpdir(), "ralph-plugin-"));
  try {
    cpSync(join(folder, "hooks"), join(copy, "hooks"), { recursive: true });
    const input = JSON.stringify({ hook_event_name: "Stop", session_id: "one", cwd: copy });
    const argv = [join(copy, "hooks", "run.cjs"), "stop", "--host", "claude-code"];
    const env = { PATH: pathFor(copy), HOME: copy };
    const { status, stderr } = spawnSync(process.execPath, argv, { env, input, encoding: "utf8", timeout: 30_000 });
    return { status, stderr };
  } finally {
    rmSync(copy, { recursive: true });
  }
}
