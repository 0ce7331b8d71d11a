import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookCall, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  mkdirSync(join(world.project, "ralph"));
});
afterEach(() => world.remove());

/** Writes the project's criteria: one criterion of the coder. */
function ask(method: string, config: Record<string, unknown>): void {
  const coder = { promise: "DONE", description: "It works", verification_method: method, verification_config: config };
  const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(document));
}

/** Names a judge that does what `body` says. */
function judgeBy(body: string): void {
  const agent = join(world.root, "judge");
  writeFileSync(agent, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  mkdirSync(join(world.project, ".ralph"), { recursive: true });
  writeFileSync(join(world.project, ".ralph", "settings.json"), JSON.stringify({ verification: { judge: { agent } } }));
}

function stops(words: string, call: HookCall = {}): Answered {
  const fields = { last_assistant_message: words, ...call.fields };
  return world.run("stop", "Stop-first", { ...call, fields });
}

function counted(): number {
  const path = join(world.root, "count");
  return existsSync(path) ? readFileSync(path, "utf8").length : 0;
}

/** Leaves a mark each time it runs, and passes when the file is there. */
const countingCommand = (file: string) => `printf x >> ../count; test -f ${file}`;

describe("criteria of a project in a session without a loop", () => {
  it("let the session end only when a command verifies the work (S4-95)", () => {
    ask("external", { command: "test -f answer.txt || { echo no answer here; exit 3; }" });
    const refused = stops("All done. <promise>DONE</promise>");
    expect(refused.isBlocked).toBe(true);
    expect(refused.said).toContain("The work is not verified (ralph/criteria.yaml)");
    expect(refused.said).toContain("- It works: ");
    expect(refused.said).toContain("no answer here");
    writeFileSync(join(world.project, "answer.txt"), "42");
    const verified = stops("All done.");
    expect(verified).toMatchObject({ exitCode: 0, stderr: "" });
    expect(verified.json.systemMessage).toBe("Verified by ralph/criteria.yaml.");
  });

  it.each(["It is over.", "All done. <promise>DONE</promise>"])(
    "are met by the stop itself where only a promise counts, which the answer to %j does not call verified",
    (words) => {
      ask("string_match", {});
      const { exitCode, json } = stops(words);
      expect([exitCode, json.systemMessage]).toEqual([
        0,
        "NOT verified: ralph/criteria.yaml was met by the stop alone, no check looked at the work.",
      ]);
    },
  );

  it("verify stages, all of them", () => {
    const stage = (name: string, command: string) => ({ name, method: "external", config: { command } });
    ask("multi_stage", { stages: [stage("first", "true"), stage("second", "test -f b")] });
    expect(stops("Done.").said).toContain("second");
    writeFileSync(join(world.project, "b"), "");
    expect(stops("Done.").isBlocked).toBe(false);
  });

  it("need a judge where one is asked for, and say how to name one", () => {
    ask("semantic", { check_for: "it works" });
    expect(stops("Done.").said).toContain("verification.judge.agent");
  });

  it.each([
    ["echo Hm", "- It works: The judge gave no usable answer in 1 try; it said last: Hm"],
    ["echo 'Invalid API key' >&2; exit 1", "- It works: The judge cannot be asked: Invalid API key."],
    ["echo NOT_VERIFIED: b is open", "- It works: b is open"],
  ])("are not verified by a judge that does %j: the stop is blocked with the reason (CW-2J)", (body, reason) => {
    ask("semantic", { check_for: "it works" });
    judgeBy(body);
    // The next try would begin after the four seconds that the host leaves.
    const { isBlocked, said } = stops("Done.", { words: ["--timeout", "9"] });
    expect([isBlocked, said]).toEqual([true, expect.stringContaining(reason)]);
    judgeBy("printf 'I looked.\\n**VERIFIED**: yes\\n'");
    expect(stops("Done.").isBlocked).toBe(false);
  });

  it("are run again at every stop, though what they look at lies outside the tree (S2-59)", () => {
    world.git("init", "--quiet");
    ask("external", { command: countingCommand("../outside") });
    expect(stops("Done.").isBlocked).toBe(true);
    writeFileSync(join(world.root, "outside"), "");
    expect(stops("Done.").isBlocked).toBe(false);
    rmSync(join(world.root, "outside"));
    writeFileSync(join(world.project, "other.txt"), "");
    expect(stops("Done.").isBlocked).toBe(true);
    expect(counted()).toBe(3);
  });

  it("leave nothing of earlier versions' results when the session ends (S2-59)", () => {
    ask("external", { command: "true" });
    const results = join(world.state, "sessions", `results-${world.sessionId}.json`);
    mkdirSync(join(world.state, "sessions"), { recursive: true });
    writeFileSync(results, "[]");
    expect(stops("Done.").isBlocked).toBe(false);
    expect(readFileSync(results, "utf8")).toBe("[]");
    world.run("session-end", "SessionEnd", { fields: { reason: "clear" } });
    expect(existsSync(results)).toBe(false);
  });

  it("are those of the session's begin, whatever an agent makes of the file", () => {
    ask("external", { command: "false" });
    world.run("session-start", "SessionStart-startup");
    ask("external", { command: "true" });
    const refused = stops("Done.");
    expect(refused.isBlocked).toBe(true);
    expect(refused.said).toContain("was changed during this session");
    rmSync(join(world.project, "ralph"), { recursive: true });
    expect(stops("Done.").isBlocked).toBe(true);
    const next = { fields: { session_id: "another" } };
    world.run("session-start", "SessionStart-startup", next);
    expect(stops("Done.", next).isBlocked).toBe(false);
  });

  it.each([
    ["session-start", "SessionStart-startup", { source: "startup" }],
    ["session-start", "SessionStart-startup", { source: "clear" }],
    ["session-end", "SessionEnd", { reason: "clear" }],
  ])("are not frozen anew by a %s of the same session (%s, %j)", (hook, recorded, fields) => {
    world.git("init", "--quiet");
    ask("external", { command: "false" });
    world.run("session-start", "SessionStart-startup");
    writeFileSync(join(world.project, "work.txt"), "half");
    expect(stops("Done.").isBlocked).toBe(true);
    ask("external", { command: "true" });
    world.run(hook, recorded, { fields });
    expect(stops("Done.")).toMatchObject({ isBlocked: true, said: expect.stringContaining("was changed during") });
  });

  it("give way after five equal reasons, and say that nothing was verified (CW-4R)", () => {
    ask("external", { command: "false" });
    for (let time = 0; time < 5; time += 1) expect(stops("Done.").isBlocked).toBe(true);
    const allowed = stops("Done.");
    expect(allowed.exitCode).toBe(0);
    expect(allowed.json.systemMessage).toContain("NOT verified");
  });

  it("end with the time the host leaves, five seconds before it, and leave nothing running", () => {
    ask("external", { command: "echo $$ > ../pid; exec sleep 300" });
    const refused = stops("Done.", { words: ["--timeout", "6"] });
    expect(refused.isBlocked).toBe(true);
    expect(refused.said).toContain("verification did not finish");
    const pid = Number(readFileSync(join(world.root, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("that cannot be read hold a stop back once, and are named", () => {
    writeFileSync(join(world.project, "ralph", "criteria.yaml"), "outcome: [");
    expect(stops("Done.")).toMatchObject({ isBlocked: true, said: expect.stringContaining("is not YAML") });
    expect(stops("Done.").json.systemMessage).toContain("ralph/criteria.yaml is not YAML");
    rmSync(join(world.state), { recursive: true });
    writeFileSync(join(world.project, "ralph", "criteria.yaml"), "outcome: It works.");
    expect(stops("Done.").isBlocked).toBe(true);
    const answered = stops("Done.");
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toContain("acceptance_criteria");
  });

  it("hold a stop back when the record of them is damaged", () => {
    ask("external", { command: "false" });
    world.run("session-start", "SessionStart-startup");
    const [name = ""] = readdirSync(join(world.state, "sessions")).filter((each) => each.startsWith("criteria-"));
    writeFileSync(join(world.state, "sessions", name), '{"text": 7}');
    expect(stops("Done.")).toMatchObject({ isBlocked: true, said: expect.stringContaining("is damaged") });
  });

  it("know the commit that the session began with from the repository's files, without git", () => {
    ask("external", { command: "true" });
    world.git("init", "--quiet");
    world.git("commit", "--quiet", "--allow-empty", "--message", "start");
    world.run("session-start", "SessionStart-startup", { env: { PATH: join(world.root, "nowhere") } });
    const kept = readFileSync(join(world.state, "sessions", `criteria-${world.sessionId}.json`), "utf8");
    expect(JSON.parse(kept)).toMatchObject({ startCommit: world.git("rev-parse", "HEAD").trim() });
  });

  it("stand back inside a run of ralph (CB-06)", () => {
    ask("external", { command: "false" });
    expect(stops("Done.", { env: { RALPH_RUN_ID: "r1" } })).toMatchObject({ exitCode: 0, stdout: "" });
  });
});

describe("criteria of a project in a loop", () => {
  const start = () => world.run("user-prompt-submit", "UserPromptSubmit-ralph");

  it("refuse a false claim with the reason in the next prompt, and accept a true one (CB-06)", () => {
    ask("external", { command: "test -f answer.txt || { echo no answer here; exit 3; }" });
    expect(start().json.systemMessage).toContain("started");
    const refused = stops("All done. <promise>DONE</promise>");
    expect(refused.isBlocked).toBe(true);
    expect(refused.said).toContain("Ralph: iteration 2 of 3,");
    expect(refused.said).toContain("no answer here");
    writeFileSync(join(world.project, "answer.txt"), "42");
    expect(stops("Now it is there.").isBlocked).toBe(true);
    const ended = stops("All done. <promise>DONE</promise>");
    expect(ended.isBlocked).toBe(false);
    expect(ended.json.systemMessage).toContain("Ralph Loop Complete!");
  });

  it("do not let a loop complete when a stage is red now that was green at the stop before (S2-59)", () => {
    world.git("init", "--quiet");
    const stage = (name: string, command: string) => ({ name, method: "external", config: { command } });
    const late = { ...stage("late", "test -f ../late"), always: true };
    ask("multi_stage", { stages: [stage("outside", "test ! -e ../broken"), late] });
    start();
    expect(stops("All done. <promise>DONE</promise>").said).toContain("late");
    for (const name of ["broken", "late"]) writeFileSync(join(world.root, name), "");
    const refused = stops("All done. <promise>DONE</promise>");
    expect(refused.isBlocked).toBe(true);
    expect(refused.said).toContain("outside");
  });

  it("are not looked at without a claim", () => {
    ask("external", { command: countingCommand("b") });
    start();
    expect(stops("Working.").isBlocked).toBe(true);
    expect(counted()).toBe(0);
  });

  it("are held together with the guardrails of the settings, as they were when the loop began", () => {
    mkdirSync(join(world.project, ".ralph"), { recursive: true });
    const settings = (command: string): void =>
      writeFileSync(
        join(world.project, ".ralph", "settings.json"),
        JSON.stringify({ guardrails: [{ command, failAction: "APPEND" }] }),
      );
    settings("test -f fixed || { echo still broken; exit 1; }");
    start();
    settings("true");
    const refused = stops("All done. <promise>DONE</promise>");
    expect(refused).toMatchObject({ isBlocked: true, said: expect.stringContaining("still broken") });
    writeFileSync(join(world.project, "fixed"), "");
    expect(stops("All done. <promise>DONE</promise>").json.systemMessage).toContain("Ralph Loop Complete!");
  });

  it("that cannot be read start no loop", () => {
    writeFileSync(join(world.project, "ralph", "criteria.yaml"), "outcome: [");
    expect(start().json.systemMessage).toContain("not started: ralph/criteria.yaml is not YAML");
  });
});
