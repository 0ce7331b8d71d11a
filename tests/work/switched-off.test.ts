import { describe, expect, it } from "vitest";
import { completion, external, onWord, openWork } from "./open-work.ts";

/** A worker that needs two turns of the coder before the check is green. */
const slowWorker = '[ "$role" = coder ] && echo "$iteration" >> made.txt; claim';
const criteria = { coder: external("CODED", "grep -q 2 made.txt"), reviewer: onWord("REVIEWED") };
const roles = ["work", "--roles", "coder,reviewer"];

describe("a loop that is switched off", () => {
  it("is one iteration of each role: green is completed (S2-08, S2-46)", async () => {
    const work = openWork();
    work.worker('[ "$role" = coder ] && echo 2 > made.txt; claim', { ralph: { enabled: false } });
    await work.tasks({ id: "a-1", completion: completion(criteria) });
    expect((await work.run(roles)).code).toBe(0);
    expect(await work.standing()).toEqual({ "a-1": "done reviewer 1, 2 iterations" });
    expect(work.promptsOf("a-1", "coder")[0]).toContain("- **Iteration**: 1/1\n");
  });

  it("is one iteration of each role: red is exhausted, although the agent claims (S2-08, S2-46)", async () => {
    const work = openWork();
    work.worker(slowWorker, { ralph: { enabled: false } });
    await work.tasks({ id: "a-1", completion: completion(criteria) });
    const { code, stderr } = await work.run(roles);
    expect(code).toBe(1);
    expect(stderr).toContain("Max iterations reached. Last verification: Command exited with 1, expected 0");
    const [run] = await work.works();
    expect(run).toMatchObject({ outcome: "exhausted", children: [{ outcome: "exhausted", iteration: 1 }] });
  });

  it("sends nothing back (S2-63)", async () => {
    const work = openWork();
    work.worker('[ "$role" = reviewer ] && reject "no test" && exit; echo 2 > made.txt; claim', {
      loop: { enabled: false },
    });
    await work.tasks({ id: "a-1", completion: completion(criteria) });
    const { code, stderr } = await work.run(roles);
    expect(code).toBe(1);
    expect(stderr).toContain("The reviewer sent it back, and loop.enabled is false: no test");
    expect(await work.standing()).toEqual({ "a-1": "failed reviewer 1, 2 iterations" });
  });

  it("applies to one role where only that one is switched off, with every guardrail (S2-46)", async () => {
    const work = openWork();
    const guardrails = [{ command: "test ! -e broken", failAction: "APPEND" }];
    work.worker('echo 2 >> made.txt; [ "$role" = coder ] && touch broken; claim', {
      guardrails,
      ralph: { agents: { coder: { enabled: false } } },
    });
    await work.tasks({ id: "a-1", completion: completion(criteria) });
    const { code } = await work.run(roles);
    expect(code).toBe(1);
    expect(await work.standing()).toEqual({ "a-1": "failed coder 1, 1 iterations" });
  });

  it("says which default method cannot be used, and uses one that can (S2-44)", async () => {
    const work = openWork();
    work.worker("echo 2 >> made.txt; claim", { work: { verification: { coder: "semantic" } } });
    await work.tasks({ id: "a-1" });
    const { stderr } = await work.run(["work", "--roles", "coder"]);
    expect(stderr).toContain("Task a-1, coder: semantic needs acceptance criteria; string_match is used.");
  });
});

describe("ralph run with the loop switched off", () => {
  it("ends after one iteration: completed when it is green, exhausted when it is not (S2-08)", async () => {
    const work = openWork();
    const command = "test -e done.txt";
    const guardrails = [{ command, failAction: "APPEND" }];
    work.plainAgent("echo '<promise>DONE</promise>'", { guardrails, loop: { enabled: false } });
    expect((await work.run(["run", "-p", "Do it", "--allow-dirty"])).code).toBe(1);
    work.plainAgent("touch done.txt; echo '<promise>DONE</promise>'", { guardrails, loop: { enabled: false } });
    const { code, stderr } = await work.run(["run", "-p", "Do it", "--allow-dirty"]);
    expect({ code, said: stderr.includes("completed") }).toEqual({ code: 0, said: true });
  });
});
