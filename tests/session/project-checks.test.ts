import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { SessionMessage } from "../../src/core/session/session-message.ts";
import { createRalphLoopHook, type RalphLoopHookOptions } from "../../src/surfaces/hooks/loop/loop-hook.ts";

let directory: string;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "ralph-library-"));
  directory = join(root, "project");
  mkdirSync(directory);
  vi.stubEnv("RALPH_STATE_HOME", join(root, "state"));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true });
  });
});

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), typeof value === "string" ? value : JSON.stringify(value));
}

const guardedBy = (command: string) => ({ guardrails: [{ command, failAction: "APPEND" }] });

function criteriaOf(command: string): unknown {
  const coder = { promise: "DONE", verification_method: "external", verification_config: { command } };
  return { outcome: "It works.", acceptance_criteria: ["it works"], coder };
}

type Promised = { toasts: string[]; prompts: string[]; again: () => Promise<void> };

/** Starts a loop, lets the agent promise, and gives what the person and the agent were told. */
async function promised(options: RalphLoopHookOptions = {}): Promise<Promised> {
  const messages: SessionMessage[] = [];
  const [toasts, prompts]: [string[], string[]] = [[], []];
  const hook = createRalphLoopHook({
    workdir: directory,
    config: { continuationDelay: 0 },
    getMessages: () => Promise.resolve(messages),
    injectPrompt: async (_, prompt) => void prompts.push(prompt),
    showToast: ({ title, message }) => toasts.push(`${title} ${message}`),
    log: () => undefined,
    ...options,
  });
  onTestFinished(() => hook.dispose());
  hook.startLoop("s1", "Fix it");
  const again = async (): Promise<void> => {
    const asked = prompts.at(-1) ?? "Fix it";
    messages.push({ role: "user", content: asked }, { role: "assistant", content: "<promise>DONE</promise>" });
    await hook.handler({ event: "session.idle", sessionId: "s1" });
    await hook.settled();
  };
  await again();
  return { toasts, prompts, again };
}

describe("a loop of a program that gives no checks", () => {
  it.each<[string, string, (command: string) => unknown]>([
    ["guardrail", ".ralph/settings.json", guardedBy],
    ["criterion", "ralph/criteria.yaml", criteriaOf],
  ])("is held to a %s of the project, as it was when the loop started", async (_, path, checkedBy) => {
    write(path, checkedBy("echo it is red; false"));
    const { toasts, prompts, again } = await promised();
    write(path, checkedBy("true"));
    await again();
    expect([prompts.length, prompts.at(-1)]).toEqual([2, expect.stringContaining("it is red")]);
    expect(toasts.join()).not.toContain("Complete!");
  });

  it("is told what failed, and completes when it is green", async () => {
    write(".ralph/settings.json", guardedBy("echo it is red; false"));
    expect((await promised()).prompts.join()).toContain("it is red");
    write(".ralph/settings.json", guardedBy("true"));
    expect((await promised()).toasts.at(-1)).toMatch(/^Ralph Loop Complete! Task completed after 1 iteration\(s\)$/);
  });

  it.each<[string, unknown]>([
    ["no settings", null],
    ["settings without a check", {}],
  ])("believes the promise where the project has %s, and says so", async (_, settings) => {
    if (settings !== null) write(".ralph/settings.json", settings);
    expect((await promised()).toasts.at(-1)).toContain("unverified: met by the claim alone");
  });

  it("is refused where checks are required and there is none", async () => {
    write(".ralph/settings.json", { completion: { requireChecks: true } });
    expect((await promised()).prompts.join()).toContain("completion.requireChecks is true");
  });

  it("is refused where the criteria cannot be used, whatever the guardrails say", async () => {
    write(".ralph/settings.json", guardedBy("true"));
    write("ralph/criteria.yaml", "coder: [");
    expect((await promised()).prompts.join()).toContain("ralph/criteria.yaml");
  });

  it("keeps its own checks beside a session of the same name in another project", async () => {
    write(".ralph/settings.json", guardedBy("echo it is red; false"));
    const { prompts, again } = await promised();
    const first = directory;
    directory = join(directory, "..", "other");
    write(".ralph/settings.json", guardedBy("true"));
    await promised();
    directory = first;
    await again();
    expect(prompts.at(-1)).toContain("it is red");
  });

  it("believes the promise where its program says so", async () => {
    write(".ralph/settings.json", guardedBy("false"));
    expect((await promised({ criteria: null })).toasts.at(-1)).toContain("Ralph Loop Complete!");
  });
});
