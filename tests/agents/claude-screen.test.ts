import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "../terminal/open-terminal.ts";
import { claudeProgram, pluginFolder } from "./claude-session.ts";
import type { Turn } from "./model-dialect.ts";
import { startModelServer } from "./model-server.ts";
import { realAgents } from "./real-agent.ts";
import { createScratch } from "./scratch.ts";

const says = (text: string): Turn => ({ kind: "answer", text });
const claim = says("All done.\n\n<promise>DONE</promise>");

/** The program on a terminal, past its first questions, with the plugin. */
async function openScreen(script: readonly Turn[]): Promise<Terminal> {
  const scratch = createScratch({ guardrails: [{ command: "sh check.sh", failAction: "APPEND" }] });
  const model = await startModelServer(script);
  onTestFinished(() => model.close().then(() => scratch.remove()));
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const known = {
    hasCompletedOnboarding: true,
    bypassPermissionsModeAccepted: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["sk-fake"], rejected: [] },
    projects: { [scratch.project]: project },
  };
  writeFileSync(join(scratch.home, ".claude.json"), JSON.stringify(known));
  const terminal = openTerminal({
    folder: scratch.root,
    cwd: scratch.project,
    argv: [claudeProgram ?? "", "--dangerously-skip-permissions", "--plugin-dir", pluginFolder],
    env: { ...scratch.environment, ...realAgents.claude.prepare(scratch, model.url) },
    columns: 140,
    rows: 60,
  });
  await shows(terminal, "bypass permissions on");
  return terminal;
}

async function shows(terminal: Terminal, text: string): Promise<string> {
  return eventually(() => {
    const screen = terminal.screen();
    if (!screen.includes(text)) throw new Error(`still waiting for ${JSON.stringify(text)}:\n${screen}`);
    return screen;
  });
}

describe.skipIf(claudeProgram === undefined || !hasTmux)("what people see of the plugin in the real claude", () => {
  it("offers /ralph once in its menu (S4-01)", { timeout: 180_000 }, async () => {
    const terminal = await openScreen([]);
    terminal.press("/ralph");
    const screen = await shows(terminal, "Start a Ralph loop");
    expect(screen.match(/\/ralph:ralph[ (]/g)).toHaveLength(1);
  });

  it("shows one line for an iteration, and no error (S0-37, S0-40)", { timeout: 180_000 }, async () => {
    const repair = realAgents.claude.shell("sed -i s/-/+/ add.sh");
    const script = [says("Nearly."), claim, { kind: "answer" as const, calls: [repair] }, claim];
    const terminal = await openScreen(script);
    terminal.press('/ralph "Repair add.sh" --max-iterations=9');
    await shows(terminal, "--max-iterations=9");
    terminal.press("Enter");
    const screen = await shows(terminal, "Ralph Loop Complete!");
    expect(screen).toContain("Ralph: iteration 2 of 9, no promise yet. Continue;");
    expect(screen).toContain("Ralph: iteration 3 of 9, sh check.sh is red.");
    expect(screen).not.toMatch(/error|Original task|Review your progress/i);
  });
});
