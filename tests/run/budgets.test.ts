import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, until } from "./scratch-project.ts";

/** One turn for ever, made of these steps. */
function script(...steps: string[]): string {
  return `turns:\n  - steps:${steps.map((step) => `\n      - ${step}`).join("")}\n`;
}

describe("budgets", () => {
  it("--max-cost cuts a turn that spends more while it runs: stopped, 4 (CB-08)", async () => {
    const project = openProject();
    project.sim(script("usage: { inputTokens: 1000, usd: 0.6 }", "say: Working.", "result: So far.", "hang"), {
      agent: { resultGrace: "60s" },
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-cost", "0.50"]);
    expect(stderr).toMatch(/^stopped: Spent \$0\.60 of the budget of \$0\.50\.$/m);
    expect(stderr).toContain("turn cut off");
    expect(code).toBe(4);
    expect(project.living()).toEqual([]);
    expect(await project.json(["show"])).toMatchObject({ outcome: "stopped", iteration: 1, spend: { usd: 0.6 } });
  });

  it("--max-cost counts over iterations and begins no turn it cannot pay: stopped, 4 (CB-08)", async () => {
    const project = openProject();
    project.sim("turns:\n  - usd: 0.2\n    steps: [say: Hm.]\n");
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-cost", "0.5"]);
    expect(stderr).toMatch(/^stopped: Spent \$0\.60 of the budget of \$0\.50\.$/m);
    expect(code).toBe(4);
    expect(await project.json(["status"])).toMatchObject({
      runs: [{ iteration: 3, spend: { usd: expect.closeTo(0.6) } }],
    });
  });

  it("does not take back a claim that passed before its price was told", async () => {
    const project = openProject();
    project.sim("turns:\n  - usd: 0.6\n    steps: [claim]\n");
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-cost", "0.5"]);
    expect(stderr).toMatch(/^completed, unverified: /m);
    expect(code).toBe(0);
  });

  it.each([
    ["--max-cost", "0.5", "budget.spend"],
    ["--max-tokens", "900", "budget.tokens"],
  ])("%s is refused with 2 for an agent that tells neither tokens nor cost (CB-02)", async (flag, value, key) => {
    const project = openProject();
    const agent = project.plainAgent("claim");
    const { code, stderr } = await project.run(["run", "-p", "Do it", flag, value]);
    expect(stderr).toContain(`The agent (${agent}) tells neither tokens nor cost, so ${key} cannot be kept.`);
    expect(stderr).toContain("--max-time");
    expect([code, project.prompts()]).toEqual([2, []]);
    expect((await project.run(["run", "-p", "Do it", "--max-time", "1h"])).code).toBe(0);
  });

  it("--max-cost is refused with 2 where the model's price is not known, and kept by an estimate where it is (CB-02, S1-76)", async () => {
    const project = openProject();
    const turns = "turns:\n  - steps: [usage: { inputTokens: 400000 }, say: Hm.]\n";
    const agent = { flags: ["--script", join(project.root, "sim.yaml"), "--format", "codex"] };
    const prices = [{ model: "my-model", input: 2, output: 8 }];
    project.sim(turns, { agent, prices });
    // The scripted agent stands for one that tells tokens only.
    const stopped = await project.run(["run", "-p", "Do it", "--max-cost", "1.5", "--model", "my-model"]);
    expect(stopped.stderr).toContain("cost: $0.80 (estimated), tokens: 400K in / 0 out");
    expect(stopped.stderr).toMatch(/^stopped: Spent \$1\.60 \(estimated\) of the budget of \$1\.50\.$/m);
    expect(stopped.code).toBe(4);
    expect(await project.json(["show"])).toMatchObject({ spend: { usd: 1.6, isEstimated: true } });
    expect((await project.run(["show"])).stdout).toContain("$1.60 (estimated)");
    const words = ["run", "-p", "Do it", "--max-cost", "1", "--agent", "codex"];
    const refused = await project.run([...words, "--dry-run"]);
    expect(refused.stderr).toContain("the price of its model is not known, so budget.spend cannot be kept");
    expect(refused.stderr).toContain("--model");
    expect(refused.code).toBe(2);
    expect((await project.run([...words, "--dry-run", "--model", "gpt-5"])).code).toBe(0);
  });

  it("--max-tokens cuts a turn that uses more while it runs: stopped, 4 (CB-08)", async () => {
    const project = openProject();
    project.sim(script("usage: { inputTokens: 900, outputTokens: 200 }", "say: Working.", "hang"));
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-tokens", "1000"]);
    expect(stderr).toMatch(/^stopped: Used 1100 of 1000 tokens\.$/m);
    expect(code).toBe(4);
    expect(project.living()).toEqual([]);
  });

  it("budget.tokens counts over iterations (CB-08)", async () => {
    const project = openProject();
    project.sim(script("usage: { inputTokens: 300, outputTokens: 100 }", "say: Hm."), { budget: { tokens: 1000 } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^stopped: Used 1200 of 1000 tokens\.$/m);
    expect(code).toBe(4);
  });

  it("--max-time ends a turn that takes longer, and everything it started: stopped, 4 (R-80)", async () => {
    const project = openProject();
    project.sim(script("child: { seconds: 600, setsid: true }", "say: Working.", "hang"));
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-time", "2s"]);
    expect(stderr).toMatch(/^stopped: Used the time budget of 2(\.0)?s\.$/m);
    expect(code).toBe(4);
    expect(project.living()).toEqual([]);
  });

  it("--max-time ends a guardrail that takes longer: stopped, 4 (CB-08)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [{ command: "sleep 600", failAction: "APPEND" }] });
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--max-time", "1500ms"]);
    expect(stderr).toMatch(/^stopped: Used the time budget/m);
    expect(code).toBe(4);
  });

  it("an unbounded run ends by its budget, and says no limit in the prompt (CB-02, S1-40)", async () => {
    const project = openProject();
    project.sim(script("usage: { inputTokens: 100 }", "say: Hm."), {
      includeIterationCountInPrompt: true,
      breaker: { noProgress: null },
    });
    const words = ["run", "-p", "Do it", "-m", "unbounded", "--max-tokens", "1200"];
    const { code, stderr } = await project.run(words);
    expect(stderr).toContain("Iteration 12\n");
    expect(stderr).toMatch(/^stopped: Used 1200 of 1200 tokens\.$/m);
    expect(code).toBe(4);
  });

  it("a run stopped by its budget goes on with a larger one", async () => {
    const project = openProject();
    project.sim("turns:\n  - usd: 1\n    steps: [say: Hm.]\n  - steps: [claim]\n");
    expect((await project.run(["run", "-p", "Do it", "--max-cost", "1"])).code).toBe(4);
    expect((await project.run(["resume"])).code).toBe(4);
    const resumed = await project.run(["resume", "--max-cost", "5"]);
    expect(resumed.stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 2/m);
    expect(resumed.code).toBe(0);
  });
});

describe("time limits of a turn", () => {
  it("agent.idleTimeout ends a silent turn, which has failed (CB-15, R-82, R-80)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - say: Working.\n    - child\n    - hang\n  - - claim\n", {
      agent: { idleTimeout: "1s" },
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("turn ended by the idle timeout");
    expect(stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 2/m);
    expect(code).toBe(0);
    expect(project.living()).toEqual([]);
  });

  it("agent.timeout ends a turn however much it says (CB-15, R-82)", async () => {
    const project = openProject();
    project.plainAgent("while :; do echo busy; sleep 0.05; done", { agent: { timeout: "1s" }, maximumIterations: 1 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("turn ended by the wall timeout");
    expect(code).toBe(1);
  });

  it("a program that stays after its result is ended after the grace, and has succeeded (R-81)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - claim\n    - ignore-sigterm\n    - linger\n", { agent: { resultGrace: "300ms" } });
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(0);
    expect(project.living()).toEqual([]);
  });

  it("a process the agent left behind is ended with its turn (R-80)", async () => {
    const project = openProject();
    const child = "child: { seconds: 600, setsid: true, ignoreTerm: true, holdOutput: true }";
    project.sim(script(child, `run: "while [ ! -e go ]; do sleep 0.02; done"`, "claim"));
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => project.living().length >= 3, "the agent, its child and its command");
    project.write("go", "");
    expect((await started.ended).code).toBe(0);
    expect(project.living()).toEqual([]);
  });
});
