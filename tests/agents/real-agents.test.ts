import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { tokensPerAnswer, type Turn } from "./model-dialect.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { installedPrograms, type RealAgent, realAgents } from "./real-agent.ts";
import { type EndedRalph, endLivingIn, livingIn, runRalph } from "./run-ralph.ts";
import { checkFailureText, createScratch, repairedLine, type Scratch } from "./scratch.ts";

const programs = installedPrograms();
// Alone on a machine opencode takes 12 s, the others 2 s; beside a busy neighbour five times that was seen.
const testTimeoutMs = 180_000;
const runTimeoutMs = 150_000;
const prompt = "Repair add.sh so that check.sh passes.";
const claim: Turn = { kind: "answer", text: "Everything is finished.\n\n<promise>DONE</promise>" };

let release: (() => Promise<void>) | null = null;
afterEach(async () => {
  await release?.();
  release = null;
});

describe.each(Object.values(realAgents))("the real $name", (agent) => {
  it.skipIf(programs[agent.name] === undefined)(
    "is looped past a refused claim to a verified repair by its own tools, and nothing is left running (S1-30, S1-31, S1-36, S1-39, R-80)",
    { timeout: testTimeoutMs },
    async () => {
      const { scratch, server, ended } = await loop(agent, {
        flags: agent.flags,
        script: (world) => [
          claim,
          ...[agent.shell(leaveOneBehind), ...agent.repair(world)].map((call) => ({
            kind: "answer" as const,
            text: "Working on it.",
            calls: [call],
          })),
          claim,
        ],
      });
      const questions = server.asked.filter((question) => question.turn !== null);
      const told = questions.map((question) => question.userTexts.join("\n"));

      assertExit({ ended, server }, 0);
      expect(questions).toHaveLength(3 + agent.repair(scratch).length);
      expect(told[0]).toContain(prompt);
      expect(told[0]).not.toContain(checkFailureText);
      expect(told[1]).toContain(prompt);
      expect(told[1]).toContain(checkFailureText);
      expect(questions[0]?.headers[agent.keyHeader.name]).toBe(agent.keyHeader.value);
      expect(readFileSync(join(scratch.project, "add.sh"), "utf8")).toBe(`${repairedLine}\n`);
      execFileSync("sh", ["check.sh"], { cwd: scratch.project });
      expect(await readStatus(scratch)).toMatchObject({
        runs: [
          {
            outcome: "completed",
            iteration: 2,
            spend: {
              inputTokens: questions.length * tokensPerAnswer.input,
              outputTokens: questions.length * tokensPerAnswer.output,
            },
          },
        ],
      });
      expect(existsSync(join(scratch.project, "left-behind"))).toBe(true);
      expect(livingIn(scratch)).toEqual([]);
    },
  );

  it.skipIf(programs[agent.name] === undefined)(
    "goes on in the session of the turn before, and no token of it is counted twice",
    { timeout: testTimeoutMs },
    async () => {
      const working: Turn = { kind: "answer", text: "Working on it." };
      const { scratch, server, ended } = await loop(agent, {
        flags: agent.flags,
        settings: { agent: { context: "continue" } },
        script: () => [working, working, claim],
      });
      const questions = server.asked.filter((question) => question.turn !== null);

      // The check still fails, so three iterations are all there are.
      assertExit({ ended, server }, 1);
      expect(questions.map((question) => question.userTexts.filter((text) => text.includes(prompt)).length)).toEqual([
        1, 2, 3,
      ]);
      expect(await readStatus(scratch)).toMatchObject({
        runs: [
          {
            iteration: 3,
            spend: { inputTokens: 3 * tokensPerAnswer.input, outputTokens: 3 * tokensPerAnswer.output },
          },
        ],
      });
    },
  );

  it.skipIf(programs[agent.name] === undefined)(
    "works and claims in its text mode when nobody follows its output (S1-32, S1-35, S1-41)",
    { timeout: testTimeoutMs },
    async () => {
      const { scratch, server, ended } = await loop(agent, {
        flags: agent.flags,
        settings: { streamAgentOutput: false },
        script: (world) => [...agent.repair(world).map((call) => ({ kind: "answer" as const, calls: [call] })), claim],
      });
      assertExit({ ended, server }, 0);
      expect(ended.stdout).toBe("");
      expect(readFileSync(join(scratch.project, "add.sh"), "utf8")).toBe(`${repairedLine}\n`);
      expect(await readStatus(scratch)).toMatchObject({ runs: [{ outcome: "completed", iteration: 1 }] });
    },
  );

  it.skipIf(programs[agent.name] === undefined)(
    "ends the run with exit 2 and the name of the variable when its key is refused",
    { timeout: testTimeoutMs },
    async () => {
      const refusal: Turn = { kind: "refusal", status: 401, message: "invalid key" };
      const { server, ended } = await loop(agent, {
        flags: agent.flags,
        script: () => Array.from({ length: refusalsMax }, () => refusal),
      });
      assertExit({ ended, server }, 2);
      expect(ended.stderr).toContain(agent.keyVariable);
      expect(server.asked.filter((question) => question.turn !== null).length).toBeLessThan(refusalsMax);
    },
  );

  it.skipIf(programs[agent.name] === undefined || agent.asksFirst === null)(
    "ends the run with exit 2 and the flag to add when every edit of the first turn is denied (CB-12)",
    { timeout: testTimeoutMs },
    async () => {
      const { scratch, server, ended } = await loop(agent, {
        flags: [],
        script: (world) => [...agent.repair(world).map((call) => ({ kind: "answer" as const, calls: [call] })), claim],
        environment: agent.asksFirst?.environment ?? {},
      });
      assertExit({ ended, server }, 2);
      expect(ended.stderr).toContain(`add ${agent.asksFirst?.remedy} to agent.flags`);
      expect(readFileSync(join(scratch.project, "add.sh"), "utf8")).not.toContain(repairedLine);
    },
  );
});

/** More than any agent tries: one that asks more often goes on after a refusal that is final. */
const refusalsMax = 10;

/** A child in a session of its own, as a development server would be; claude and opencode leave it when they end. */
const leaveOneBehind = "nohup tail -f /dev/null > /dev/null 2>&1 & touch left-behind";

type LoopOptions = {
  flags: readonly string[];
  script: (scratch: Scratch) => readonly Turn[];
  settings?: { agent?: Record<string, unknown>; streamAgentOutput?: boolean };
  environment?: Record<string, string>;
};

/** Starts a scripted model and runs `ralph run` with the real program until it ends. */
async function loop(
  agent: RealAgent,
  { flags, script, settings, environment = {} }: LoopOptions,
): Promise<{ scratch: Scratch; server: ModelServer; ended: EndedRalph }> {
  const scratch = createScratch({
    maximumIterations: 3,
    ...settings,
    agent: { command: programs[agent.name], flags, ...settings?.agent },
    guardrails: [{ command: "sh check.sh", failAction: "APPEND" }],
  });
  const server = await startModelServer(script(scratch));
  release = async () => {
    endLivingIn(scratch);
    await server.close();
    scratch.remove();
  };
  const ended = await runRalph({
    scratch,
    words: ["run", "-p", prompt],
    environment: { ...agent.prepare(scratch, server.url), ...environment },
    timeoutMs: runTimeoutMs,
  });
  return { scratch, server, ended };
}

/** What ralph itself remembers of the run. */
async function readStatus(scratch: Scratch): Promise<unknown> {
  const { stdout } = await runRalph({
    scratch,
    words: ["status", "--json"],
    environment: {},
    timeoutMs: runTimeoutMs,
  });
  return JSON.parse(stdout);
}

/** Shows everything there is to look at when a run did not end as it should. */
function assertExit({ ended, server }: { ended: EndedRalph; server: ModelServer }, exitCode: number): void {
  if (ended.exitCode === exitCode) return;
  throw new Error(
    [
      `ralph ended with ${ended.exitCode ?? ended.signal} instead of ${exitCode}`,
      `stdout:\n${ended.stdout}`,
      `stderr:\n${ended.stderr}`,
      `${server.asked.length} questions, unknown requests: ${JSON.stringify(server.unknownRequests)}`,
    ].join("\n"),
  );
}
