import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
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

/** What a check of the project says in a fresh clone of what was delivered. */
function inClone(work: WorkProject, check: string): "green" | "red" {
  const clone = join(work.root, "clone");
  execFileSync("git", ["clone", "--quiet", join(work.root, "project"), clone]);
  return spawnSync("sh", ["-c", check], { cwd: clone }).status === 0 ? "green" : "red";
}

/** The second one begins when the first one is merged. */
const inOrder = [two[0] ?? {}, { ...two[1], dependencies: ["one"] }];

/** The main work tree, as agents see it from their own. */
const main = "../../..";

/** Waits as long as the branch of a task is there: it goes when the task is done. */
const whileBranch = (task: string): string =>
  `while git rev-parse -q --verify refs/heads/ralph/${task} > /dev/null; do sleep 0.02; done`;

describe("merged = verified holds for what a clone of the branch gets", () => {
  it("a file missing from the main work tree sends the task back to its coder", async () => {
    const work = openWork();
    const apartOnly = "! { test -e one.txt && test -e two.txt; }";
    const afterOne = `until [ -e ${main}/one.txt ]; do sleep 0.02; done; ${whileBranch("one")}; rm ${main}/one.txt`;
    const mended = `[ "$round" -gt 1 ] && { git -C ${main} checkout -q -- one.txt; git rm -q one.txt; }`;
    const body = `echo x > "$task.txt"; [ "$task $round" = "two 1" ] && { ${afterOne}; }; ${mended}; claim`;
    work.worker(body, guarded(apartOnly, 1));
    await work.tasks(...two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect(stderr).toContain("Task two is red on the merged tip, the merge is undone");
    expect(work.promptsOf("two", "coder")[1]).toContain("The project directory differs from the merged commit");
    expect(work.promptsOf("two", "coder")[1]).toContain("do not count for it: one.txt.");
    expect([code, await work.standing()]).toMatchObject([
      0,
      { one: "done coder 1, 1 iterations", two: "done coder 2, 2 iterations" },
    ]);
    expect(inClone(work, apartOnly)).toBe("green");
  });

  it("a branch that an agent moved gets no merge, and a merge that it lost is named", async () => {
    const work = openWork();
    const moves = [
      "git reset -q --hard $(git rev-list --max-parents=0 HEAD)",
      "echo bad > bad.txt; git add -A; git commit -qm bad",
      `git update-ref $(git -C ${main} symbolic-ref HEAD) HEAD; git reset -q --hard HEAD~1`,
    ].join("; ");
    work.worker(`[ "$task" = two ] && { ${moves}; }; echo x > "$task.txt"; claim`, guarded("! test -e bad.txt"));
    await work.tasks(...inOrder);
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/refs\/heads\/\w+ was moved: expected [0-9a-f]{12}, found [0-9a-f]{12}/);
    expect(stderr).toMatch(/[0-9a-f]{12} of task one is no longer in it/);
    expect(await work.standing()).toMatchObject({ two: expect.stringContaining("conflict") });
    expect(subjects(work)).toEqual(["bad", "start"]);
  });

  it("a change that a task hides from git is in its commit, or nothing is merged", async () => {
    const work = openWork();
    work.write("base.txt", "base\n");
    work.git("add", "-A");
    work.git("commit", "-qm", "base");
    const good = "grep -q good base.txt";
    const hide = "git update-index --assume-unchanged base.txt; echo good > base.txt";
    work.worker(`${hide}; echo good > ${main}/base.txt; echo x > "$task.txt"; claim`, guarded(good));
    await work.tasks(two[0] ?? {});
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("base.txt in")]);
    work.git("checkout", "--", "base.txt");
    const again = await work.run(["work", "one", "--worktrees"]);
    expect([again.code, inClone(work, good)]).toEqual([0, "green"]);
  });

  it("a sparse checkout that an agent sets up hides no committed file", async () => {
    const work = openWork();
    const clean = "! test -e bad.txt";
    const hide = [
      "echo bad > bad.txt; git add bad.txt; git commit -qm bad",
      `printf '/*\\n!/bad.txt\\n' > ${main}/.git/info/sparse-checkout; git config core.sparseCheckout true`,
      `d=$(git rev-parse --git-dir); mkdir -p $d/info; cp ${main}/.git/info/sparse-checkout $d/info/; git read-tree -mu HEAD`,
    ].join("; ");
    work.worker(`${hide}; echo x > "$task.txt"; claim`, guarded(clean));
    await work.tasks(two[0] ?? {});
    const { code } = await work.run(["work", "--worktrees"]);
    expect([code, inClone(work, clean)]).toEqual([0, "green"]);
  });

  it("patterns that an agent adds to info/exclude keep no file out of the commit or the comparison", async () => {
    const work = openWork();
    const needed = "test -e need.txt";
    const own = `echo need.txt >> ${main}/.git/info/exclude; echo x > ${main}/need.txt`;
    work.worker(`[ "$round" -gt 1 ] || { ${own}; }; echo x > need.txt; echo x > "$task.txt"; claim`, guarded(needed));
    await work.tasks(two[0] ?? {});
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("need.txt in")]);
    rmSync(join(work.root, "project/need.txt"));
    const again = await work.run(["work", "one", "--worktrees"]);
    expect([again.code, inClone(work, needed)]).toEqual([0, "green"]);
  });

  it("a person's changes from before are tolerated only as they were", async () => {
    const work = openWork();
    work.write("base.txt", "base\n");
    work.git("add", "-A");
    work.git("commit", "-qm", "base");
    work.write("base.txt", "mine\n");
    work.write("new.txt", "mine\n");
    work.worker(
      `echo x > "$task.txt"; [ "$task $round" = "two 1" ] && echo x > ${main}/new.txt; claim`,
      guarded("true", 1),
    );
    await work.tasks(...inOrder);
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect(stderr).toContain("Task one: done");
    expect(stderr).toMatch(
      /Task two is red on the merged tip, the merge is undone: .* do not count for it: new\.txt\./,
    );
    expect([code, work.read("base.txt"), work.git("show", "HEAD:base.txt")]).toEqual([1, "mine\n", "base\n"]);
  });

  it("a repository inside of the main work tree counts as a file that no commit has", async () => {
    const work = openWork();
    const needed = "test -e in/need.txt";
    const inner = `mkdir -p in ${main}/in; git init -q ${main}/in; echo x > ${main}/in/need.txt; git init -q in; echo x > in/need.txt`;
    work.worker(`${inner}; echo x > "$task.txt"; claim`, guarded(needed, 1));
    await work.tasks(two[0] ?? {});
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("do not count for it: in/.")]);
  });

  it("a branch that is moved before the only merge gets none", async () => {
    const work = openWork();
    const moves = `echo bad > bad.txt; git add -A; git commit -qm bad; git update-ref $(git -C ${main} symbolic-ref HEAD) HEAD`;
    work.worker(`${moves}; git reset -q --hard HEAD~1; echo x > "$task.txt"; claim`, guarded("! test -e bad.txt"));
    await work.tasks(two[0] ?? {});
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/refs\/heads\/\w+ was moved/)]);
    const again = await work.run(["resume"]);
    expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(/refs\/heads\/\w+ was moved/)]);
  });
});
