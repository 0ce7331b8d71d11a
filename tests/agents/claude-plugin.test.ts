import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claudeProgram, type ClaudeWorld, type EndedSession, openClaudeWorld, pluginFolder } from "./claude-session.ts";
import { tokensPerAnswer, type Turn } from "./model-dialect.ts";
import { realAgents } from "./real-agent.ts";

const testTimeoutMs = 120_000;
let world: ClaudeWorld;
beforeEach(() => {
  world = openClaudeWorld();
});
afterEach(() => world.close());

const says = (text: string): Turn => ({ kind: "answer", text });
const runs = (command: string): Turn => ({ kind: "answer", calls: [realAgents.claude.shell(command)] });
const claim = says("All done.\n\n<promise>DONE</promise>");

/** How often the text of a question holds a piece, in all that the model was given. */
function count(session: EndedSession, question: number, piece: string): number {
  return (session.asked[question]?.userTexts.join("\n") ?? "").split(piece).length - 1;
}

/** Without any check a claim needs a change; these rows are about the claim alone. */
function letClaimWithoutChange(): void {
  const folder = join(world.scratch.project, ".ralph");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ completion: { requireProgress: false } }));
}

function loops(): string[] {
  const folder = join(world.scratch.root, "state", "sessions");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("claude-code-")) : [];
}

describe.skipIf(claudeProgram === undefined)("the plugin in the real claude", () => {
  it(
    "sends back a session that says it is done without the claim, once a stop, and ends one that claims (CB-06, R-03, S4-01)",
    { timeout: testTimeoutMs },
    async () => {
      letClaimWithoutChange();
      const script = [says("I am DONE."), says("Really done."), claim];
      const session = await world.session('/ralph "Fix it & $(touch x)" --max-iterations=5', { script });
      expect(session.exitCode).toBe(0);
      expect(session.asked).toHaveLength(3);
      expect(count(session, 1, "Ralph: iteration 2 of 5, no promise yet.")).toBe(1);
      expect(count(session, 2, "Ralph: iteration 3 of 5, no promise yet.")).toBe(1);
      expect(existsSync(join(world.scratch.project, "x"))).toBe(false);
      expect(loops()).toEqual([]);
    },
  );

  it(
    "asks for tasks with the person's words by /ralph-tasks, and starts no loop (S2-56)",
    { timeout: testTimeoutMs },
    async () => {
      const session = await world.session("/ralph-tasks docs/basket.md", { script: [says("What is it about?")] });
      expect(session.exitCode).toBe(0);
      expect(session.asked).toHaveLength(1);
      expect(count(session, 0, "What is wanted: docs/basket.md")).toBe(1);
      expect(loops()).toEqual([]);
    },
  );

  it(
    "ends a loop at the next stop when its cancel is typed meanwhile (S0-42)",
    { timeout: testTimeoutMs },
    async () => {
      const isQueued = `grep -rqs '"content":"/cancel-ralph"' "$HOME"`;
      const work = runs(`touch begun; for n in $(seq 200); do ${isQueued} && break; sleep 0.1; done`);
      const script = [work, says("Working."), ...Array.from({ length: 4 }, () => says("Cancelled."))];
      const meanwhile = { line: "/cancel-ralph", when: "begun" };
      const session = await world.session('/ralph "Fix it" --max-iterations=5', { script, meanwhile });
      expect(session.asked.flatMap(({ userTexts }) => userTexts).join("\n")).not.toContain("iteration 2 of 5");
      expect(loops()).toEqual([]);
    },
  );

  it("refuses a false claim by a criterion and accepts a true one", { timeout: testTimeoutMs }, async () => {
    mkdirSync(join(world.scratch.project, "ralph"));
    const criteria = `outcome: It adds.
acceptance_criteria: [check.sh passes]
coder:
  promise: DONE
  verification_method: external
  verification_config: { command: sh check.sh }
`;
    writeFileSync(join(world.scratch.project, "ralph", "criteria.yaml"), criteria);
    const repair = realAgents.claude.repair(world.scratch).map((call): Turn => ({ kind: "answer", calls: [call] }));
    const session = await world.session("/ralph:ralph Repair add.sh", { script: [claim, ...repair, claim] });
    expect(session.asked).toHaveLength(2 + repair.length);
    expect(count(session, 1, "must print 5 but printed -1")).toBe(1);
    expect(loops()).toEqual([]);
    const native = await world.session("Hello", { script: [says("Hello.")] });
    expect(native.asked).toHaveLength(1);
  });

  it(
    "holds a session to its checks although its agent calls the hooks itself",
    { timeout: testTimeoutMs },
    async () => {
      const criteria = (command: string): string =>
        JSON.stringify({
          outcome: "It adds.",
          acceptance_criteria: ["it adds"],
          coder: { promise: "DONE", verification_method: "external", verification_config: { command } },
        });
      const { project, root } = world.scratch;
      mkdirSync(join(project, "ralph"));
      writeFileSync(join(project, "ralph", "criteria.yaml"), criteria("false"));
      // The guard does not see through a program that puts its words together.
      const cheat = `import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
writeFileSync("ralph/criteria.yaml", ${JSON.stringify(criteria("true"))});
const program = ${JSON.stringify(join(pluginFolder, "hooks"))} + "/r" + "un.cjs";
const session_id = process.env.CLAUDE_CODE_SESSION_ID;
const tell = (event, fields) =>
  spawnSync("node", [program, event], { input: JSON.stringify({ session_id, cwd: process.cwd(), ...fields }) });
tell("session-end", { hook_event_name: "SessionEnd", reason: "clear" });
tell("session-start", { hook_event_name: "SessionStart", source: "startup" });
`;
      writeFileSync(join(project, "cheat.mjs"), cheat);
      const script = [runs("node cheat.mjs"), ...Array.from({ length: 3 }, () => says("Done."))];
      const environment = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" };
      const session = await world.session("Repair add.sh", { script, environment });
      expect(readFileSync(join(project, "ralph", "criteria.yaml"), "utf8")).toBe(criteria("true"));
      expect(session.sentBack.join("\n")).toContain("The work is not verified (ralph/criteria.yaml)");
      const log = readFileSync(join(root, "state", "hooks.log"), "utf8");
      expect(log).toContain("A session-end event came from a command of the agent");
    },
  );

  it("brings a context alert into the next question (S4-38)", { timeout: testTimeoutMs }, async () => {
    const tokens = tokensPerAnswer.input + tokensPerAnswer.output;
    const session = await world.session("Go", {
      script: [runs("echo one"), runs("echo two"), says("Done.")],
      environment: { CLAUDE_CONTEXT_WINDOW: String(Math.ceil(tokens / 0.92)) },
    });
    expect(session.asked).toHaveLength(3);
    const alerts = [0, 1, 2].map((question) => count(session, question, "CRITICAL: Wrap up immediately."));
    expect(alerts[0]).toBe(0);
    // The record of the first answer may lag behind its tool; the alert is there with the second at the latest.
    expect(alerts[2]).toBe(1);
  });

  it("denies a dangerous command in a loop, and tells the agent why (S4-89)", { timeout: testTimeoutMs }, async () => {
    const script = [runs("git push --force origin main; touch done-it"), claim];
    const session = await world.session("/ralph Push", { script });
    expect(existsSync(join(world.scratch.project, "done-it"))).toBe(false);
    expect(JSON.stringify(session.asked[1])).toContain("Refused by the command guard");
  });

  it("leaves another session in the same directory alone (R-20)", { timeout: testTimeoutMs }, async () => {
    const cap = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" };
    const first = await world.session("/ralph Fix it", { script: [says("a"), says("b")], environment: cap });
    expect(first.asked).toHaveLength(2);
    expect(loops()).toHaveLength(1);
    const other = await world.session("Hello", { script: [says("Hello.")] });
    expect(other.asked).toHaveLength(1);
    expect(loops()).toHaveLength(1);
  });

  it(
    "is found valid by the program, and works installed from a marketplace (S4-02, S4-03, CW-4N)",
    { timeout: testTimeoutMs },
    async () => {
      const market = join(world.scratch.root, "market");
      mkdirSync(join(market, "plugins"), { recursive: true });
      cpSync(join(pluginFolder, "..", "..", ".claude-plugin"), join(market, ".claude-plugin"), { recursive: true });
      cpSync(pluginFolder, join(market, "plugins", "claude-code"), { recursive: true });
      const claude = (...words: string[]) =>
        spawnSync(claudeProgram ?? "", words, {
          cwd: world.scratch.project,
          env: { ...world.scratch.environment, ...realAgents.claude.prepare(world.scratch, "http://127.0.0.1:9") },
          encoding: "utf8",
          timeout: 60_000,
        });
      expect(claude("plugin", "validate", pluginFolder, "--strict")).toMatchObject({ status: 0 });
      expect(claude("plugin", "validate", market, "--strict").stdout).toContain("Validation passed");
      expect(claude("plugin", "marketplace", "add", market)).toMatchObject({ status: 0 });
      expect(claude("plugin", "install", "ralph@ralph")).toMatchObject({ status: 0 });
      letClaimWithoutChange();
      const session = await world.session("/ralph Fix it", { script: [says("I am done."), claim], isInstalled: true });
      expect(session.asked).toHaveLength(2);
      expect(count(session, 1, "Ralph: iteration 2 of 100, no promise yet.")).toBe(1);
      const log = readFileSync(join(world.scratch.root, "state", "hooks.log"), "utf8");
      expect(log).not.toContain("fault");
    },
  );
});
