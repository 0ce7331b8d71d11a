import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

function write(path: string, text: string): void {
  const whole = join(world.project, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, text);
}

type Project = { guardrail: string; criterion: string; isGit?: boolean };

function open({ guardrail, criterion, isGit = true }: Project): void {
  if (isGit) world.git("init", "--quiet");
  write("f.txt", "base\n");
  write(".ralph/settings.json", JSON.stringify({ guardrails: [{ command: guardrail, failAction: "APPEND" }] }));
  const config = { verification_method: "external", verification_config: { command: criterion } };
  const coder = { promise: "DONE", description: "It works", ...config };
  write("ralph/criteria.yaml", JSON.stringify({ outcome: "It works.", acceptance_criteria: ["it works"], coder }));
}

const stops = (): Answered => world.claims();

/** Counts a pass of the checks outside the tree. */
const counting = "printf x >> ../count";
const passes = (): number => readFileSync(join(world.root, "count"), "utf8").length;
const refusal = "what is delivered is not what was checked, twice: f.txt";

describe("checks that change the tree they are to judge", () => {
  it.each(["loop", "native stop"])("run once more, and then refuse the %s with the path", (kind) => {
    open({ guardrail: "grep -q base f.txt", criterion: `${counting}; date +%N > f.txt; echo base >> f.txt` });
    if (kind === "loop") world.startsLoop();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining(refusal)]);
    expect(passes()).toBe(2);
  });

  it.each(["loop", "native stop"])("are red in the second pass of a %s when they spoil what they checked", (kind) => {
    open({ guardrail: "grep -q base f.txt", criterion: "echo bad > f.txt" });
    if (kind === "loop") world.startsLoop();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining("grep -q base f.txt")]);
  });

  it.each(["loop", "native stop"])("pass the %s in the second pass when they write the same again", (kind) => {
    open({ guardrail: "true", criterion: `${counting}; echo same > report.txt` });
    if (kind === "loop") world.startsLoop();
    expect(stops().isBlocked).toBe(false);
    expect(passes()).toBe(2);
  });

  it("run once where they change nothing, or nothing that git does not ignore", () => {
    open({ guardrail: "true", criterion: `${counting}; date +%N > report.txt` });
    write(".gitignore", "report.txt\n");
    expect(stops().isBlocked).toBe(false);
    expect(passes()).toBe(1);
  });

  it("are compared by nobody outside git", () => {
    open({ guardrail: "true", criterion: `${counting}; date +%N > report.txt`, isGit: false });
    expect(stops().isBlocked).toBe(false);
    expect(passes()).toBe(1);
  });

  it("are refused when they take the repository away", () => {
    open({ guardrail: "true", criterion: "rm -rf .git" });
    expect(stops().isBlocked).toBe(true);
  });
});
