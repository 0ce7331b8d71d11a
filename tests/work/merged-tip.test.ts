import { describe, expect, it } from "vitest";
import { until } from "../run/scratch-project.ts";
import { completion, external, onWord, openWork, type WorkProject } from "./open-work.ts";
import { patient } from "../patience.ts";

const coded = completion({ coder: onWord("CODED") });
const two = [
  { id: "one", title: "Make one", priority: 1, completion: coded },
  { id: "two", title: "Make two", priority: 2, completion: coded },
];

/** Green with either file alone, red with both, until somebody has written `both.txt`. */
const apart = "[ ! -e one.txt ] || [ ! -e two.txt ] || [ -e both.txt ] || { echo 'one and two do not fit'; false; }";

/** In the project itself, where merged tips are verified, a check that waits until the test says go. */
const waiting = (root: string, then: string): string =>
  `case "$PWD" in */worktrees/*) ;; *) touch '${root}/verifying'; while [ ! -e '${root}/go' ]; do sleep 0.02; done; ${then} ;; esac`;

const guarded = (command: string, rounds = 3): Record<string, unknown> => ({
  guardrails: [{ command, failAction: "APPEND" }],
  work: { roles: ["coder"], rounds },
});

/** Each task makes its file; from the second round on its coder also makes them fit. */
const mends = 'echo "$task" > "$task.txt"; [ "$round" -gt 1 ] && echo fit > both.txt; claim';

function subjects(work: WorkProject): string[] {
  return work.git("log", "--first-parent", "--format=%s").trim().split("\n");
}

async function startWaiting(work: WorkProject, then: string) {
  work.worker(mends, guarded(waiting(work.root, then)));
  await work.tasks({ id: "two", title: "Make two", completion: coded });
  const started = work.start(["work", "--worktrees"]);
  await until(() => work.has("../verifying"), "the check on the merged tip");
  return started;
}

describe("a merged tip", () => {
  it("that is red though each task was green alone undoes the merge, and the task goes back to its coder (merged = verified)", async () => {
    const work = openWork();
    work.worker(mends, guarded(apart));
    await work.tasks(...two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect(stderr).toContain("Task two is red on the merged tip, the merge is undone");
    expect(stderr).toContain("completed: 2 of 2 tasks done.");
    expect(code).toBe(0);
    expect(await work.standing()).toMatchObject({
      one: "done coder 1, 1 iterations",
      two: "done coder 2, 2 iterations",
    });
    expect(work.promptsOf("two", "coder")[1]).toContain("- Round 1, merge: Merged with the work of others");
    expect(work.promptsOf("two", "coder")[1]).toContain("one and two do not fit");
    expect(subjects(work)).toEqual(["task: two Make two", "task: one Make one", "start"]);
    expect(work.git("status", "--porcelain")).not.toContain(".txt");
    expect(work.git("branch", "--list", "ralph/*")).toBe("");
  });

  it("that stays red fails the task when its rounds are used up, and the branch is as before its merge", async () => {
    const work = openWork();
    work.worker('echo "$task $round" > "$task.txt"; claim', guarded(apart, 1));
    await work.tasks(...two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Max iterations reached")]);
    expect(await work.standing()).toMatchObject({ one: "done coder 1, 1 iterations" });
    expect(subjects(work)).toEqual(["task: one Make one", "start"]);
    expect([work.has("one.txt"), work.has("two.txt")]).toEqual([true, false]);
    expect(work.read(".ralph/worktrees/two/one.txt")).toBe("one 1\n");
  });

  it("is verified by the criteria of the project too, also where the task works in the project itself", async () => {
    const work = openWork();
    work.worker(mends, { work: { roles: ["coder"] } });
    work.write(
      "ralph/criteria.yaml",
      JSON.stringify(completion({ qa: external("ACCEPTED", "test -e both.txt", { timeout: 60 }) })),
    );
    await work.tasks({ id: "one", completion: coded });
    const { code, stderr } = await work.run(["work"]);
    expect(stderr).toContain("Task one is red on the tip");
    expect([code, await work.standing()]).toEqual([0, { one: "done coder 2, 2 iterations" }]);
  });

  it("of a work run killed between merge and verdict is verified by the resume (merged = verified)", async () => {
    const work = openWork();
    const started = await startWaiting(work, "[ -e both.txt ]");
    started.child.kill("SIGKILL");
    await started.ended;
    expect(work.has("two.txt")).toBe(true);
    expect(await work.standing()).toEqual({ two: "running coder 1, 1 iterations" });
    work.write("../go", "");
    const { code, stderr } = await work.run(["resume"]);
    expect(stderr).toContain("Task two is red on the merged tip, the merge is undone");
    expect([code, await work.standing()]).toEqual([0, { two: "done coder 2, 2 iterations" }]);
    expect(subjects(work)).toEqual(["task: two Make two", "start"]);
    expect(work.living()).toEqual([]);
  });

  it("is not waited for by a cancel; its task is not done before a later work has verified it (merged = verified)", async () => {
    const work = openWork();
    const started = await startWaiting(work, "true");
    const before = performance.now();
    expect((await work.run(["cancel"])).code).toBe(0);
    expect((await started.ended).code).toBe(5);
    expect(performance.now() - before).toBeLessThan(patient(6000));
    expect(work.living()).toEqual([]);
    expect(await work.standing()).toEqual({ two: "ready coder 1, 1 iterations" });
    work.write("../go", "");
    const after = await work.run(["work", "--worktrees"]);
    expect([after.code, await work.standing()]).toEqual([0, { two: "done coder 1, 1 iterations" }]);
  });

  it("that is red under a commit of a person is reverted, and the commit stays (merged = verified)", async () => {
    const work = openWork();
    const started = await startWaiting(work, "[ -e both.txt ] || [ ! -e two.txt ]");
    work.write("mine.txt", "mine\n");
    work.git("add", "mine.txt");
    work.git("commit", "--quiet", "--message", "mine");
    work.write("../go", "");
    const { code } = await started.ended;
    expect(code).toBe(0);
    expect(subjects(work)).toEqual([
      "task: two Make two",
      'Revert "task: two Make two"',
      "mine",
      "task: two Make two",
      "start",
    ]);
    expect([work.read("two.txt"), work.read("mine.txt"), work.read("both.txt")]).toEqual(["two\n", "mine\n", "fit\n"]);
  });
});
