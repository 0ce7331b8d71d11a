import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { story, taskFileText } from "../prd/sample-task-file.ts";
import type { Turn } from "./model-dialect.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import { runRalph } from "./run-ralph.ts";
import { checkFailureText, type Scratch } from "./scratch.ts";
import { installPlugin, openScriptedProject, type ScriptedProject } from "./scripted-project.ts";
import { type OpencodeWorld, openOpencodeWorld } from "./serve-opencode.ts";

const programs = installedPrograms();
const testTimeoutMs = 180_000;
const say = (text: string): Turn => ({ kind: "answer", text });
const done = say("Everything is finished.\n\n<promise>DONE</promise>");

async function world(script: readonly Turn[]): Promise<ScriptedProject> {
  const project = await openScriptedProject(script);
  onTestFinished(project.close);
  return project;
}

describe("the real opencode with the installed plugin", () => {
  const criteria = JSON.stringify({
    outcome: "It adds.",
    acceptance_criteria: ["add.sh adds"],
    coder: {
      promise: "DONE",
      description: "It adds",
      verification_method: "external",
      verification_config: { command: "sh check.sh" },
    },
  });

  async function served(script: readonly Turn[], files: Record<string, string> = {}): Promise<OpencodeWorld> {
    const opened = await openOpencodeWorld(script, files);
    onTestFinished(opened.close);
    return opened;
  }

  it.skipIf(programs.opencode === undefined)(
    "asks for tasks with the person's words by /ralph-tasks (S2-56)",
    { timeout: testTimeoutMs },
    async () => {
      const { host } = await served([say("What is it about?")]);
      const session = await host.open();
      await host.command(session, "ralph-tasks", "docs/basket.md");
      await vi.waitFor(async () => expect((await host.texts(session)).at(-1)).toContain("What is it about?"), {
        timeout: 60_000,
        interval: 200,
      });
      expect((await host.texts(session))[0]).toMatch(/^user: # Write tasks.*What is wanted: docs\/basket\.md/s);
    },
  );

  it.skipIf(programs.opencode === undefined)(
    "sends an agent back that stops without the claim, believes the claim, and leaves other sessions alone (S0-37, S0-34, S0-45, R-20)",
    { timeout: testTimeoutMs },
    async () => {
      const script = [say("Another answer."), say("I am done."), say("Really."), done];
      // Without any check a claim needs a change; this is about the claim alone.
      const settings = JSON.stringify({ completion: { requireProgress: false } });
      const { host, scratch, model } = await served(script, { ".ralph/settings.json": settings });
      const other = await host.open();
      await host.ask(other, "Hello");
      const session = await host.open();
      await host.command(session, "ralph", '"Repair add.sh" --max-iterations=9');
      await vi.waitFor(
        async () => expect((await host.texts(session)).at(-1)).toMatch(/^assistant: .*<promise>DONE<\/promise>/s),
        {
          timeout: 60_000,
          interval: 200,
        },
      );
      const texts = await host.texts(session);
      expect(texts.map((text) => text.split("\n")[0])).toEqual([
        "user: Repair add.sh",
        "assistant: I am done.",
        "user: [RALPH LOOP - ITERATION 2/9]",
        "assistant: Really.",
        "user: [RALPH LOOP - ITERATION 3/9]",
        "assistant: Everything is finished.",
      ]);
      expect(await host.texts(other)).toEqual(["user: Hello", "assistant: Another answer."]);
      await vi.waitFor(async () => expect(await loops(scratch)).toEqual([]), { timeout: 30_000, interval: 200 });
      expect(model.asked.filter(({ turn }) => turn !== null)).toHaveLength(4);
    },
  );

  it.skipIf(programs.opencode === undefined)(
    "refuses a false claim by the project's criterion, says what it found, and believes a true one (S4-95, S0-34)",
    { timeout: testTimeoutMs },
    async () => {
      const repair: Turn = {
        kind: "answer",
        calls: [realAgents.opencode.shell("printf '%s\\n' 'echo $(($1 + $2))' > add.sh")],
      };
      const { host, scratch } = await served([done, repair, done], { "ralph/criteria.yaml": criteria });
      const session = await host.open();
      await host.command(session, "ralph", '"Repair add.sh" --max-iterations=5');
      await vi.waitFor(async () => expect(await loops(scratch)).toEqual([]), { timeout: 90_000, interval: 500 });
      const prompts = (await host.texts(session)).filter((text) => text.startsWith("user:"));
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toContain("[RALPH LOOP - ITERATION 2/5]");
      expect(prompts[1]).toContain(checkFailureText);
    },
  );

  it.skipIf(programs.opencode === undefined)(
    "denies a dangerous command in a loop and tells the agent why (S4-89)",
    { timeout: testTimeoutMs },
    async () => {
      const shell = (command: string): Turn => ({ kind: "answer", calls: [realAgents.opencode.shell(command)] });
      const { host, scratch, model } = await served([
        shell("git config --global core.pager x"),
        shell("touch made"),
        done,
      ]);
      const session = await host.open();
      await host.command(session, "ralph", '"Repair add.sh"');
      const results = model.asked.at(-1)?.toolResults.join("\n") ?? "";
      expect(results).toContain("Refused by the command guard");
      expect(existsSync(join(scratch.home, ".gitconfig"))).toBe(false);
      expect(existsSync(join(scratch.project, "made"))).toBe(true);
    },
  );

  it.skipIf(programs.opencode === undefined)(
    "refuses a loop where it could not live, under `opencode run`",
    { timeout: testTimeoutMs },
    async () => {
      const { scratch, model } = await world([done]);
      await installPlugin(scratch, "opencode", "--user");
      const ended = await runProgram(programs.opencode ?? "", ["run", "--command", "ralph", "Repair add.sh"], {
        scratch,
        environment: realAgents.opencode.prepare(scratch, model.url),
      });
      expect(ended.stderr).toContain("no loop can live in it");
      expect(ended.exitCode).toBe(1);
      expect(model.asked.filter(({ turn }) => turn !== null)).toEqual([]);
    },
  );
});

describe("the real opencode on a task list", () => {
  it.skipIf(programs.opencode === undefined)(
    "is guarded without being told to (S4-89, CW-4B)",
    { timeout: testTimeoutMs },
    async () => {
      const shell = (command: string): Turn => ({ kind: "answer", calls: [realAgents.opencode.shell(command)] });
      const { scratch, model } = await world([shell("git push --force origin main; touch pushed"), say("I cannot.")]);
      writeFileSync(
        join(scratch.project, ".ralph", "settings.json"),
        JSON.stringify({ agent: { command: programs.opencode } }),
      );
      const ralph = (...words: string[]) =>
        runRalph({
          scratch,
          words,
          environment: {
            ...realAgents.opencode.prepare(scratch, model.url),
            OPENCODE_CONFIG_CONTENT: JSON.stringify({ username: "kept" }),
          },
          timeoutMs: testTimeoutMs,
        });
      await ralph("prd", "init", "--name", "shop");
      writeFileSync(join(scratch.project, "ralph/tasks.json"), `${taskFileText([story("US-001")])}\n`);
      writeFileSync(join(scratch.project, "ralph/prd.md"), "# Shop\n\nAdding must add.\n");
      for (const words of [
        ["add", "--all"],
        ["commit", "--quiet", "--message", "plan"],
      ])
        execFileSync("git", words, { cwd: scratch.project, stdio: "pipe" });
      const ended = await ralph("prd", "run", "-n", "1");
      expect(ended.exitCode).toBe(1);
      const results = model.asked.flatMap(({ toolResults }) => toolResults).join("\n");
      expect(results).toContain("Refused by the command guard");
      expect(existsSync(join(scratch.project, "pushed"))).toBe(false);
    },
  );
});

describe("the real claude", () => {
  it.skipIf(programs.claude === undefined)(
    "loads the plugin that was installed for the user, and no longer once it is uninstalled (S0-44)",
    { timeout: testTimeoutMs },
    async () => {
      const { scratch, model } = await world([say("Hello."), say("Hello.")]);
      mkdirSync(join(scratch.home, ".claude"), { recursive: true });
      const environment = realAgents.claude.prepare(scratch, model.url);
      await installPlugin(scratch, "claude-code", "--user");
      expect(await claudePlugins(scratch, environment)).toContain("ralph@ralph");
      await runRalph({
        scratch,
        words: ["plugin", "uninstall", "claude-code", "--user"],
        environment: {},
        timeoutMs: testTimeoutMs,
      });
      expect(await claudePlugins(scratch, environment)).not.toContain("ralph@ralph");
    },
  );
});

/** The loops that are kept for sessions, by `ralph status`. */
async function loops(scratch: Scratch): Promise<unknown[]> {
  const { stdout } = await runRalph({
    scratch,
    words: ["status", "--json"],
    environment: {},
    timeoutMs: testTimeoutMs,
  });
  const { runs } = JSON.parse(stdout) as { runs: { kind: string; state: string }[] };
  return runs.filter(({ kind, state }) => kind === "session" && state !== "ended");
}

type Place = { scratch: Scratch; environment: Record<string, string> };

/** The plugins of a session that is over at once. */
async function claudePlugins(scratch: Scratch, environment: Record<string, string>): Promise<string[]> {
  const words = ["-p", "--output-format", "stream-json", "--verbose", "Hello"];
  const { stdout } = await runProgram(programs.claude ?? "", words, { scratch, environment });
  const first = stdout.split("\n").find((line) => line.includes('"subtype":"init"')) ?? "{}";
  const { plugins = [] } = JSON.parse(first) as { plugins?: { source: string }[] };
  expect(plugins.length).toBeGreaterThan(0);
  return plugins.map(({ source }) => source);
}

async function runProgram(
  program: string,
  words: readonly string[],
  { scratch, environment }: Place,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, words, {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 100_000,
    killSignal: "SIGKILL",
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { exitCode, ...printed };
}
