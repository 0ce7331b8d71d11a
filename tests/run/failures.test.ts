import { describe, expect, it } from "vitest";
import { openProject, until } from "./scratch-project.ts";

describe("failed turns", () => {
  it("are followed by a wait that doubles (R-87)", async () => {
    const project = openProject();
    project.claude("case $n in 4) claim;; *) exit 1;; esac", { agent: { retryDelay: "100ms" } });
    const { code, stdout } = await project.run(["run", "-p", "Do it", "--json"]);
    expect(code).toBe(0);
    const waits = [...stdout.matchAll(/"reason":"back-off","durationMs":(\d+)/g)].map((match) => Number(match[1]));
    expect(waits).toHaveLength(3);
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(80 * 2 ** at);
      expect(wait).toBeLessThanOrEqual(120 * 2 ** at);
    }
  });

  it("have no wait after a turn that worked, and none before the end", async () => {
    const project = openProject();
    project.claude("case $n in 2) exit 1;; esac", { agent: { retryDelay: "50ms" }, maximumIterations: 3 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr.match(/\(back-off\)/g)).toHaveLength(1);
    expect(code).toBe(1);
    project.claude("exit 1", { agent: { retryDelay: "1h" }, maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
  });

  it("show the first lines of standard error live, in show and in logs, and name the cause in the outcome", async () => {
    const project = openProject();
    const words = "printf 'error: unknown option --x\\n\\nUsage: helper PROMPT\\n' >&2; exit 2";
    project.plainAgent(words, { maximumIterations: 1 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const lines = /\n +\| error: unknown option --x\n +\| Usage: helper PROMPT\n/;
    expect(code).toBe(1);
    expect(stderr).toMatch(lines);
    const cause = "The last turn failed with exit code 2: error: unknown option --x.";
    expect(stderr).toContain(`exhausted: No accepted claim within 1 iteration. ${cause}\n`);
    const [shown, logged] = await Promise.all([project.run(["show"]), project.run(["logs"])]);
    expect(shown.stdout).toMatch(lines);
    expect(shown.stdout).toContain(cause);
    expect(logged.stdout).toMatch(/turn-ended: failed with exit code 2: error: unknown option --x .*\n/);
    expect(logged.stdout).toMatch(lines);
  });

  it("count for the breaker, which names the last (CB-05)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - fail: { kind: other, message: Overloaded }\n", { breaker: { failures: 2 } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^stopped: 2 turns in a row failed.*Overloaded/m);
    expect(code).toBe(4);
  });

  it("with the breaker off go on to the last iteration (CB-05)", async () => {
    const project = openProject();
    project.claude("exit 1", { breaker: { failures: null, noProgress: null }, maximumIterations: 7 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(project.prompts()).toHaveLength(7);
  });
});

describe("an authentication failure", () => {
  it("stops at once with 2 and names the variable to look at", async () => {
    const project = openProject();
    const line = {
      type: "result",
      subtype: "success",
      is_error: true,
      api_error_status: 401,
      result: "Invalid API key",
    };
    project.claude(`echo '${JSON.stringify(line)}'\nexit 1`);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^failed: The agent could not sign in: Invalid API key\. Check ANTHROPIC_API_KEY/m);
    expect(code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
  });

  it.each(["claude", "codex", "opencode"])("is understood in the stream of %s", async (format) => {
    const project = openProject();
    const flags = ["--script", `${project.root}/sim.yaml`, "--format", format];
    project.sim("turns:\n  - - fail: { kind: authentication, message: Please sign in }\n", { agent: { flags } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^failed: The agent could not sign in: .*Please sign in/m);
    expect(code).toBe(2);
    expect(await project.json(["show"])).toMatchObject({ iteration: 1, outcome: "failed" });
  });
});

describe("an unknown model", () => {
  it("stops at once with 2 and is named", async () => {
    const project = openProject();
    project.sim("turns:\n  - - fail: { kind: model, message: There is no such model }\n", {
      agent: { model: "gpt-0" },
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^failed: The agent does not know the model: .*gpt-0/m);
    expect(code).toBe(2);
  });
});

describe("a usage limit", () => {
  const limited = (resetIn: string): string =>
    `turns:\n  - - fail: { kind: limit, message: Limit reached, resetIn: ${resetIn} }\n  - - claim\n`;

  it("with a reset time is waited for and costs no iteration", async () => {
    const project = openProject();
    project.sim(limited("2s"), { maximumIterations: 1, breaker: { failures: 1 }, agent: { retryDelay: "10ms" } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/waiting .*\(usage-limit\)/);
    expect(stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 1/m);
    expect(code).toBe(0);
  });

  it("is shown by status while it is waited for, and a signal ends the wait (R-87)", async () => {
    const project = openProject();
    project.sim(limited("1h"));
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => started.stderr().includes("(usage-limit)"), "the wait");
    const { runs } = (await project.json(["status"])) as { runs: { state: string; waitingFor: string }[] };
    const wait = { waitingFor: "the end of the agent's usage limit", waitingUntil: expect.stringMatching(/^2/) };
    expect(runs).toMatchObject([{ state: "running", iteration: 0, ...wait }]);
    process.kill(started.pid, "SIGTERM");
    expect((await started.ended).code).toBe(130);
  });

  it("that ends after the time budget stops the run with 4 (CB-08)", async () => {
    const project = openProject();
    project.sim(limited("2h"));
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-time", "1h"]);
    expect(stderr).toMatch(/^stopped: The usage limit resets at .*, after the time budget ends\.$/m);
    expect(code).toBe(4);
  });

  it("without a reset time counts as a failed turn (CB-05)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - fail: { kind: limit, message: Limit reached }\n", { breaker: { failures: 2 } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^stopped: 2 turns in a row failed/m);
    expect(code).toBe(4);
  });
});

describe("denied edits", () => {
  it("in every case of the first turn end the run with 2 and the exact flag (CB-12)", async () => {
    const project = openProject();
    const denial = { type: "system", subtype: "permission_denied", tool_use_id: "t1" };
    const use = { type: "tool_use", id: "t1", name: "Write", input: { file_path: "a.txt" } };
    const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content: "not allowed" };
    const lines = [
      { type: "assistant", message: { id: "a", content: [use] } },
      denial,
      { type: "user", message: { content: [result] } },
    ];
    const claim = lines.map((line) => `echo '${JSON.stringify(line)}'`).join("\n");
    project.claude(`${claim}\nclaim`);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^failed: .*denied.*--permission-mode acceptEdits.*agent\.flags/m);
    expect(code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
  });

  it("beside one that was allowed are counted and shown, and the run goes on (CB-12)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - deny: a.txt\n    - edit: { file: b.txt, content: x }\n    - claim\n");
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("1 tool denied");
    expect(code).toBe(0);
  });

  it("in a later turn do not end a run that has changed something (CB-12)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - edit: { file: b.txt, content: x }\n  - - deny: a.txt\n  - - claim\n");
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(await project.json(["show"])).toMatchObject({ iteration: 3 });
  });
});
