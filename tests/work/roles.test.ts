import { describe, expect, it } from "vitest";
import { believed, completion, external, onWord, openWork } from "./open-work.ts";
import { patient } from "../patience.ts";

describe("ralph work", () => {
  it("leads a task through its four roles, and sends each the prompt it built, counted from 1 (CW-2D, S2-10, S2-47, S2-61)", async () => {
    const work = openWork();
    work.worker('[ "$role" = coder ] && echo one > made.txt; claim');
    await work.tasks({ id: "a-1", title: "Make it", description: "In one file.", completion: believed });
    const { code, stderr } = await work.run(["work"]);
    expect(stderr).toContain("Task a-1: coder starts");
    expect(stderr).toContain("completed, unverified: 1 of 1 task done.");
    expect(code).toBe(0);
    expect(await work.standing()).toEqual({ "a-1": "done qa 1, 4 iterations" });
    const [prompt] = work.promptsOf("a-1", "reviewer");
    expect(prompt).toContain("# Task a-1: Make it\n\nIn one file.\n");
    expect(prompt).toContain("- **Iteration**: 1/3\n- **Agent**: reviewer\n");
    expect(prompt).toMatch(/The loop will continue until genuine completion or iteration 3\.$/);
  });

  it("sends a rejected task back to the coder with the reason, and begins the roles again (CB-16, R-71)", async () => {
    const work = openWork();
    work.worker(
      '[ "$role" = tester ] && [ "$round" = 1 ] && reject "no test for expiry" && exit; echo "$role" >> made.txt; claim',
    );
    await work.tasks({ id: "a-1", completion: believed });
    expect((await work.run(["work"])).code).toBe(0);
    expect(await work.standing()).toEqual({ "a-1": "done qa 2, 7 iterations" });
    expect(work.promptsOf("a-1", "coder")[1]).toContain(
      "## Why It Was Sent Back\n- Round 1, tester: no test for expiry\n",
    );
  });

  it("fails a task that is sent back too often, and goes on with the others (S2-63)", async () => {
    const work = openWork();
    work.worker('[ "$task$role" = badreviewer ] && reject never && exit; echo "$round" >> made.txt; claim', {
      work: { rounds: 1 },
    });
    await work.tasks(
      { id: "bad", priority: 1, completion: believed },
      { id: "good", priority: 2, completion: believed },
    );
    const { code, stderr } = await work.run(["work"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Sent back once; the reviewer again: never");
    expect(await work.standing()).toEqual({ bad: "failed reviewer 2, 4 iterations", good: "done qa 1, 4 iterations" });
  });

  it("fails at the limit, although the reason says passed (CW-2C, R-66, S2-16)", async () => {
    const work = openWork();
    work.worker('echo "$iteration" >> made.txt; claim');
    const coder = external("CODED", "echo 3 failed", { output_contains: "passed", max_iterations: 2 });
    await work.tasks({ id: "a-1", completion: completion({ coder }) });
    const { code, stderr } = await work.run(["work", "--roles", "coder"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Max iterations reached. Last verification: Output doesn't contain: passed");
    expect(await work.standing()).toEqual({ "a-1": "failed coder 1, 2 iterations" });
    const [, second] = work.promptsOf("a-1", "coder");
    expect(second).toContain(
      "## Previous Verification Attempts\n- Iteration 1: claimed, not verified: Output doesn't contain: passed",
    );
  });

  it("takes no wrong promise, whatever the command says, and records every iteration (CW-2B, CW-2O)", async () => {
    const work = openWork();
    work.worker('echo "$iteration" >> made.txt; case $iteration in 1) claim OTHER;; 2) echo nothing;; 3) claim;; esac');
    await work.tasks({ id: "a-1", completion: completion({ coder: external("CODED", "true") }) });
    expect((await work.run(["work", "--roles", "coder"])).code).toBe(0);
    const shown = (await work.json(["show", "a-1"])) as { runs: { verificationResults: object[] }[] };
    expect(shown.runs[0]?.verificationResults).toMatchObject([
      { iteration: 1, promise_found: false, verified: false, reason: "Wrong promise 'OTHER', expected 'CODED'" },
      { iteration: 2, promise_found: false, verified: false, reason: "No completion promise found" },
      { iteration: 3, promise_found: true, verified: true },
    ]);
  });

  it("finds the promise in any case, over lines and among white space (S2-11)", async () => {
    const work = openWork();
    work.worker("echo x >> made.txt; printf '<Promise>\\n  coded\\n</PROMISE>\\n'", { work: { roles: ["coder"] } });
    await work.tasks({
      id: "a-1",
      completion: completion({ coder: external("CODED", "true", { max_iterations: 1 }) }),
    });
    expect((await work.run(["work"])).code).toBe(0);
  });

  it("labels a check that was red before the first turn, and still wants it green (S2-19)", async () => {
    const work = openWork();
    work.worker('[ "$iteration" = 2 ] && touch made.txt; claim');
    await work.tasks({ id: "a-1", completion: completion({ coder: external("CODED", "test -f made.txt") }) });
    expect((await work.run(["work", "--roles", "coder"])).code).toBe(0);
    expect(work.promptsOf("a-1", "coder")[1]).toContain("before the first turn");
    expect((await work.run(["show", "a-1"])).stdout).toContain("baseline-broken");
  });

  it("takes tasks in the order of dependencies and priority, and leaves what waits for a failed one", async () => {
    const work = openWork();
    work.worker('echo "$task" >> "$root/order"; echo "$task" >> made.txt; [ "$task" = bad ] || claim', {
      work: { roles: ["coder"] },
    });
    const spec = completion({ coder: onWord("CODED", 1) });
    await work.tasks(
      { id: "late", priority: 1, dependencies: ["early"], completion: spec },
      { id: "early", priority: 3, completion: spec },
      { id: "bad", priority: 2, completion: spec },
      { id: "never", priority: 2, dependencies: ["bad"], completion: spec },
    );
    const { code, stderr } = await work.run(["work"]);
    expect(work.read("../order").trim().split("\n")).toEqual(["bad", "early", "late"]);
    expect(stderr).toContain("Task never: not begun: waits for bad");
    expect(code).toBe(1);
  });

  it("says so when nothing is ready, and refuses what it does not know", async () => {
    const work = openWork();
    work.worker("claim");
    const empty = await work.run(["work"]);
    expect([empty.code, empty.stderr]).toEqual([0, "There are no tasks yet. Add some: ralph task import FILE\n"]);
    await work.tasks({ id: "auth-001", completion: believed });
    const check = async (words: string[], message: string): Promise<void> => {
      const { code, stderr } = await work.run(["work", ...words]);
      expect([code, stderr.split("\n")[0]]).toEqual([2, expect.stringContaining(message)]);
    };
    await check(["auth-01"], 'There is no task "auth-01"; did you mean auth-001?');
    await check(["--roles", "coder,chef"], '--roles knows coder, reviewer, tester, qa, found "chef"');
    await check(["-j", "2"], "--jobs 2 needs --worktrees");
    expect(await work.works()).toEqual([]);
  });

  it("warns of a task without criteria, runs it by the defaults, and says that it is unverified (S2-57, CW-2E)", async () => {
    const work = openWork();
    work.worker('echo "$role" >> made.txt; claim');
    await work.tasks({ id: "a-1" });
    const refused = await work.run(["work"], { env: { RALPH_MISSING_SPEC: "error" } });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Without completion criteria")]);
    const { code, stderr } = await work.run(["work"]);
    expect(code).toBe(0);
    expect(stderr).toContain("Task a-1 does not say what done means: default criteria are used.");
    expect(stderr).toContain("Done on the agents' word alone, unverified: a-1.");
  });

  it("says of a done task what each role's claim rests on, and who was not asked (honest words)", async () => {
    const work = openWork();
    work.worker('echo "$role" >> made.txt; claim', { work: { roles: ["coder", "tester"] } });
    const spec = completion({ coder: external("CODED", "test -e made.txt"), tester: onWord("TESTED") });
    await work.tasks({ id: "a-1", completion: spec });
    const { code, stderr } = await work.run(["work"]);
    const words = "Verified: coder by test -e made.txt; tester by its word only. Not asked: reviewer and qa.";
    expect([code, stderr]).toEqual([0, expect.stringContaining(words)]);
    expect(stderr).not.toContain("Every role was verified");
    const [shown] = await work.works();
    const tester = shown?.children?.find(({ role }) => role === "tester");
    expect(tester?.reason).toBe("Completion claimed; nothing but the agent's word was asked for");
  });

  it("runs a task without criteria once a role where it shall (S2-18)", async () => {
    const work = openWork();
    work.worker("echo no claim", { missingSpec: "single-pass" });
    await work.tasks({ id: "a-1" });
    expect((await work.run(["work"])).code).toBe(1);
    expect(await work.standing()).toEqual({ "a-1": "failed coder 1, 1 iterations" });
  });

  it("waits for a person when a role is blocked, and goes on with the answer", async () => {
    const work = openWork();
    work.worker(
      'echo "$role" >> made.txt; case $prompt in *"Answer to your question: Port 8080"*) claim;; *) echo "<promise>BLOCKED: which port?</promise>";; esac',
      { work: { roles: ["coder"] } },
    );
    await work.tasks({ id: "a-1", completion: believed });
    const first = await work.run(["work"]);
    expect([first.code, first.stderr]).toEqual([3, expect.stringContaining("which port?")]);
    expect(await work.standing()).toEqual({ "a-1": "ready coder 1, 1 iterations" });
    const second = await work.run(["resume", "--answer", "Port 8080"]);
    expect([second.code, await work.standing()]).toEqual([0, { "a-1": "done coder 1, 2 iterations" }]);
  });

  it("gives an exhausted role more iterations when it is asked to", async () => {
    const work = openWork();
    work.worker('echo x >> made.txt; [ "$iteration" -ge 3 ] && claim', { work: { roles: ["coder"] } });
    await work.tasks({ id: "a-1", completion: completion({ coder: onWord("CODED", 2) }) });
    expect((await work.run(["work"])).code).toBe(1);
    const refused = await work.run(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("-m 5")]);
    expect((await work.run(["resume", "-m", "5"])).code).toBe(0);
    expect(await work.standing()).toEqual({ "a-1": "done coder 1, 3 iterations" });
  });

  it("names an edit of a task at work, and goes on with what it began with (S2-06)", async () => {
    const work = openWork();
    work.worker(
      'echo "$role" >> made.txt; [ "$role" = coder ] && while [ ! -e "$root/edited" ]; do sleep 0.02; done; claim',
    );
    await work.tasks({ id: "a-1", title: "Old title", completion: believed });
    const started = work.start(["work", "--roles", "coder,reviewer"]);
    await expect.poll(() => work.has("made.txt"), { timeout: patient(20_000) }).toBe(true);
    expect((await work.run(["task", "edit", "a-1", "--title", "New title"])).code).toBe(0);
    work.write("../edited", "");
    const { code, stderr } = await started.ended;
    expect(code).toBe(0);
    expect(stderr).toContain(
      "Task a-1 was edited during the run; the run verified version 1. Run ralph work again for version 2.",
    );
    expect(work.promptsOf("a-1", "reviewer")[0]).toContain("# Task a-1: Old title");
    expect(await work.standing()).toEqual({ "a-1": "ready" });
  });
});
