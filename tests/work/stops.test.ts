import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, until } from "../run/scratch-project.ts";
import { completion, onWord, openWork, type WorkProject } from "./open-work.ts";
import { patient } from "../patience.ts";

const coded = completion({ coder: onWord("CODED") });
const three = ["one", "two", "three"].map((id, index) => ({ id, priority: index + 1, completion: coded }));

/** Agents that say they are at work and stay until `$root/go` is there. */
const stays =
  'echo x >> "$task.txt"; touch "$root/at-work-$task-$iteration"; while [ ! -e "$root/go" ]; do sleep 0.02; done; claim';

function atWork(work: WorkProject): string[] {
  return readdirSync(work.root).filter((name) => name.startsWith("at-work-"));
}

async function startThree(work: WorkProject) {
  work.worker(stays, { work: { roles: ["coder"] } });
  await work.tasks(...three);
  const started = work.start(["work", "-j", "3", "--worktrees"]);
  await until(() => atWork(work).length === 3, "three agents at work");
  return started;
}

describe("a work run", () => {
  it("ends all of it on a cancel within six seconds, and nothing brings it back (R-42, CW-2L, S2-54)", async () => {
    const work = openWork();
    const started = await startThree(work);
    const before = performance.now();
    expect((await work.run(["cancel"])).code).toBe(0);
    const { code } = await started.ended;
    expect(performance.now() - before).toBeLessThan(patient(6000));
    expect(code).toBe(5);
    expect(work.living()).toEqual([]);
    const [shown] = await work.works();
    expect(shown).toMatchObject({ state: "ended", outcome: "cancelled" });
    expect(shown?.children?.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect((await work.run(["resume"])).code).toBe(2);
    expect(await work.standing()).toMatchObject({ one: "ready coder 1, 1 iterations" });
  });

  it("ends one task on a cancel of its run, and leaves the others alone (R-43)", async () => {
    const work = openWork();
    const started = await startThree(work);
    const [running] = await work.works();
    const run = running?.children?.find(({ task }) => task === "two");
    expect((await work.run(["cancel", run?.id ?? ""])).code).toBe(0);
    work.write("../go", "");
    const { code } = await started.ended;
    expect(code).toBe(5);
    const standing = await work.standing();
    expect(standing).toMatchObject({ one: "done coder 1, 1 iterations", three: "done coder 1, 1 iterations" });
    expect(standing["two"]).toBe("ready coder 1, 1 iterations");
    expect([work.has("one.txt"), work.has("two.txt"), work.has("three.txt")]).toEqual([true, false, true]);
  });

  it("loses nothing to kill -9 with three agents at work, and a resume finishes all (CW-2L)", async () => {
    const work = openWork();
    const started = await startThree(work);
    const [before] = await work.works();
    started.child.kill("SIGKILL");
    await started.ended;
    expect(await work.standing()).toEqual({
      one: "running coder 1, 0 iterations",
      two: "running coder 1, 0 iterations",
      three: "running coder 1, 0 iterations",
    });
    work.write("../go", "");
    const { code, stderr } = await work.run(["resume"]);
    expect(stderr).toContain("Task one: coder continues");
    expect(code).toBe(0);
    const [after] = await work.works();
    // Each role's run went on: none was begun anew.
    expect(after?.children?.map(({ id }) => id).toSorted()).toEqual(before?.children?.map(({ id }) => id).toSorted());
    expect(await work.standing()).toEqual({
      one: "done coder 1, 1 iterations",
      two: "done coder 1, 1 iterations",
      three: "done coder 1, 1 iterations",
    });
    expect(work.git("log", "--format=%s", "--first-parent").trim().split("\n")).toHaveLength(4);
  });

  it("names the work that a task was left running by, takes edits of it, and gives it back on a cancel", async () => {
    const work = openWork();
    work.worker(stays, { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", completion: coded });
    const started = work.start(["work"]);
    await until(() => atWork(work).length === 1, "an agent at work");
    const [{ id } = { id: "" }] = await work.works();
    const driven = await work.run(["task", "remove", "one"]);
    expect([driven.code, driven.stderr]).toEqual([2, expect.stringContaining(`ralph cancel ${id}`)]);
    started.child.kill("SIGKILL");
    await started.ended;
    const dead = await work.run(["task", "remove", "one"]);
    expect([dead.code, dead.stderr]).toEqual([2, expect.stringContaining("which was cut off")]);
    expect(dead.stderr).toContain(`ralph resume ${id}`);
    expect((await work.run(["task", "edit", "one", "--priority", "2"])).code).toBe(0);
    expect((await work.run(["cancel"])).code).toBe(0);
    expect(await work.standing()).toEqual({ one: expect.stringContaining("ready coder 1") });
    expect((await work.run(["task", "remove", "one"])).code).toBe(0);
  });

  it("cancels a work run whose driver is dead, with every role that was at work", async () => {
    const work = openWork();
    const started = await startThree(work);
    started.child.kill("SIGKILL");
    await started.ended;
    expect((await work.run(["cancel"])).code).toBe(0);
    expect(work.living()).toEqual([]);
    const [shown] = await work.works();
    expect(shown?.outcome).toBe("cancelled");
    expect(shown?.children?.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("lets agents finish their turns on a signal, begins nothing new, and goes on where it stopped", async () => {
    const work = openWork();
    work.worker(stays, { work: { roles: ["coder", "reviewer"] } });
    await work.tasks({ id: "one", completion: completion({ coder: onWord("CODED"), reviewer: onWord("REVIEWED") }) });
    const started = work.start(["work"]);
    await until(() => atWork(work).length === 1, "an agent at work");
    started.child.kill("SIGINT");
    await until(() => started.stderr().includes("Received signal"), "the signal heard");
    work.write("../go", "");
    expect((await started.ended).code).toBe(130);
    expect(work.promptsOf("one", "reviewer")).toEqual([]);
    expect((await work.run(["resume"])).code).toBe(0);
    expect(await work.standing()).toEqual({ one: "done reviewer 1, 2 iterations" });
  });

  it("merges nothing any more once it was asked to stop, and does so on a resume", async () => {
    const work = openWork();
    work.worker(
      'echo x > "$task.txt"; touch "$root/at-work-$task"; [ "$task" = one ] && while [ ! -e "$root/go" ]; do sleep 0.02; done; claim',
      { work: { roles: ["coder"] } },
    );
    await work.tasks(...three.slice(0, 2));
    const started = work.start(["work", "-j", "2", "--worktrees"]);
    await until(
      () => atWork(work).includes("at-work-one") && /^\W*two\b.*Complete/m.test(started.stderr()),
      "two verified",
    );
    started.child.kill("SIGINT");
    await until(() => started.stderr().includes("Received signal"), "the signal heard");
    work.write("../go", "");
    expect((await started.ended).code).toBe(130);
    expect([work.has("one.txt"), work.has("two.txt")]).toEqual([false, false]);
    expect((await work.run(["resume"])).code).toBe(0);
    expect([work.has("one.txt"), work.has("two.txt")]).toEqual([true, true]);
  });

  it("pauses between roles and goes on", async () => {
    const work = openWork();
    work.worker(stays, { work: { roles: ["coder", "reviewer"] } });
    await work.tasks({ id: "one", completion: completion({ coder: onWord("CODED"), reviewer: onWord("REVIEWED") }) });
    const started = work.start(["work"]);
    await until(() => atWork(work).length === 1, "an agent at work");
    expect((await work.run(["pause"])).code).toBe(0);
    work.write("../go", "");
    await eventually(async () => expect((await work.works())[0]).toMatchObject({ state: "paused" }));
    expect((await work.run(["resume"])).code).toBe(0);
    expect((await started.ended).code).toBe(0);
  });

  it("gives a role that its budget ends the same reason, and calls nothing interrupted (honest words)", async () => {
    const work = openWork();
    work.sim(
      `turns:
  - when: "# Task one"
    usd: 2
    steps: [ { run: "while [ ! -e '${work.root}/two' ]; do sleep 0.02; done" }, { claim: CODED } ]
  - when: "# Task two"
    steps: [ { run: "touch '${work.root}/two'" }, hang ]
`,
    );
    await work.tasks(...three.slice(0, 2));
    const flags = ["-j", "2", "--worktrees", "--roles", "coder", "--max-cost", "1"];
    const { code } = await work.run(["work", ...flags]);
    const [shown] = await work.works();
    const two = shown?.children?.find(({ task }) => task === "two");
    expect([code, two?.outcome, two?.reason]).toEqual([4, "stopped", "Spent $2.00 of the budget of $1.00."]);
    expect(shown?.reason).toContain("Spent $2.00 of the budget of $1.00.");
  });

  it("holds its budget over all roles together (S2-63)", async () => {
    const work = openWork();
    work.sim(
      `turns:
  - when: "**Agent**: coder"
    usd: 0.6
    steps: [ { edit: { file: a.txt, content: x } }, { claim: CODED } ]
  - when: "**Agent**: reviewer"
    usd: 0.6
    steps: [ { claim: REVIEWED } ]
  - when: "**Agent**: tester"
    usd: 0.6
    steps: [ { claim: TESTED } ]
`,
    );
    const spec = completion({ coder: onWord("CODED"), reviewer: onWord("REVIEWED"), tester: onWord("TESTED") });
    await work.tasks({ id: "one", completion: spec });
    const { code, stderr } = await work.run(["work", "--roles", "coder,reviewer,tester", "--max-cost", "1"]);
    expect(code).toBe(4);
    expect(stderr).toContain("stopped:");
    expect(await work.standing()).toEqual({ one: expect.stringContaining("ready") });
    const shown = (await work.json(["status"])) as { runs: { spend: { usd: number } }[] };
    expect(shown.runs[0]?.spend.usd).toBeCloseTo(1.2);
    expect(existsSync(join(work.directory, "a.txt"))).toBe(true);
  });
});

describe("ralph work without a task that is ready", () => {
  it("begins no run, and says so in a sentence and with --json in one line", async () => {
    const work = openWork();
    work.worker("claim", { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", completion: coded });
    expect((await work.run(["work"])).code).toBe(0);
    const { code, stdout, stderr } = await work.run(["work", "--json"]);
    const reason = "Nothing to do: every task is done.";
    expect(JSON.parse(stdout)).toMatchObject({ kind: "outcome", id: null, outcome: null, reason, exitCode: 0 });
    expect([code, stderr]).toEqual([0, `${reason}\n`]);
    expect((await work.works()).length).toBe(1);
  });
});
