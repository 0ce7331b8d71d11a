import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openHookWorld } from "../hooks/built-hook.ts";
import { openOpencode } from "../opencode/fake-opencode.ts";

const misled = 'Checks are not sealed, although seal.checks is "claims": only ralph run';

/** Settings with a check, in a project. */
function writeSettings(directory: string, checks: "claims" | "off"): void {
  const guardrails = [{ command: "true", failAction: "APPEND" }];
  mkdirSync(join(directory, ".ralph"), { recursive: true });
  writeFileSync(join(directory, ".ralph", "settings.json"), JSON.stringify({ guardrails, seal: { checks } }));
}

it.each(["claims", "off"] as const)(
  "says when a loop begins in a session whether the settings mislead: %s",
  (checks) => {
    const world = openHookWorld();
    onTestFinished(() => world.remove());
    writeSettings(world.project, checks);
    const fields = { prompt: '/ralph "Fix it" --max-iterations=5' };
    const { json } = world.run("user-prompt-submit", "UserPromptSubmit", { fields });
    expect(json.systemMessage).toContain("Ralph loop started");
    expect(json.systemMessage?.includes(misled)).toBe(checks === "claims");
  },
);

it("says it in opencode, too", async () => {
  const host = await openOpencode();
  onTestFinished(() => host.close());
  writeSettings(host.directory, "claims");
  await host.command("ralph", '"Fix it"');
  expect(host.toasts.at(-1)?.message).toContain(misled);
});
