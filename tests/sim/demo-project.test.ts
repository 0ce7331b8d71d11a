import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { demoFiles, demoGitConfig, demoPrompt } from "../../src/app/setup/demo-project.ts";
import { patient } from "../patience.ts";

const mainFile = fileURLToPath(new URL("../../src/surfaces/sim/main.ts", import.meta.url));

it("the demo's agent first lies, then really fixes the bug and commits", () => {
  const root = mkdtempSync(join(tmpdir(), "ralph-demo-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, "project");
  const call = (program: string, ...args: string[]) =>
    spawnSync(program, args, {
      cwd,
      encoding: "utf8",
      input: demoPrompt,
      timeout: patient(30_000),
      env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`, HOME: root, RALPH_SIM_STATE: root },
    });
  for (const [file, content] of Object.entries(demoFiles)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), content);
  }
  expect(call("git", "init", "-q").status).toBe(0);
  for (const [key, value] of Object.entries(demoGitConfig)) call("git", "config", key, value);
  call("git", "add", "-A");
  call("git", "commit", "-qm", "Start");
  expect(call("git", "ls-files").stdout.split("\n")).not.toContain(".ralph/sim.yaml");

  const { agent, guardrails } = settingsSchema.parse(JSON.parse(demoFiles[".ralph/settings.json"] ?? ""));
  expect(agent.command).toBe("sim");
  const turn = () => call(process.execPath, mainFile, ...agent.flags, "--format", "text").stdout;
  const claim = /\n<promise>DONE<\/promise>\n$/;
  const guardrail = () => call("sh", "-c", guardrails[0]?.command ?? "").status;
  const commits = () => Number(call("git", "rev-list", "--count", "HEAD").stdout);

  expect(guardrail()).toBe(1);
  expect(turn()).toMatch(claim);
  expect(guardrail()).toBe(1);
  expect(commits()).toBe(1);

  expect(turn()).toMatch(claim);
  expect(guardrail()).toBe(0);
  expect(commits()).toBe(2);
  expect(call("git", "status", "--porcelain").stdout).toBe("");
});
