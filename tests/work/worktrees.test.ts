import { describe, expect, it } from "vitest";
import { completion, onWord, openWork, type WorkProject } from "./open-work.ts";

const coded = completion({ coder: onWord("CODED") });

function openRepository(): WorkProject {
  const work = openWork();
  work.write("shared.txt", "as it was\n");
  work.git("add", "shared.txt");
  work.git("commit", "--quiet", "--message", "shared");
  return work;
}

/** Subjects of the commits of the starting branch, the newest first, without those of the tasks' own branches. */
function merges(work: WorkProject): string[] {
  return work.git("log", "--first-parent", "--format=%s").trim().split("\n");
}

describe("ralph work --worktrees", () => {
  it("merges independent tasks in the order they were chosen, whoever is ready first", async () => {
    const work = openRepository();
    // The first task ends last.
    work.worker(
      'echo "$task" > "$task.txt"; [ "$task" = one ] && while [ ! -e "$root/two" ] || [ ! -e "$root/three" ]; do sleep 0.02; done; touch "$root/$task"; claim',
      { work: { roles: ["coder"] } },
    );
    const tasks = ["one", "two", "three"].map((id, index) => ({
      id,
      title: `Make ${id}`,
      priority: index + 1,
      completion: coded,
    }));
    await work.tasks(...tasks);
    const { code, stderr, stdout } = await work.run(["work", "-j", "3", "--worktrees"]);
    expect(stderr).toContain("completed, unverified: 3 of 3 tasks done.");
    expect(code).toBe(0);
    expect(merges(work)).toEqual([
      "task: three Make three",
      "task: two Make two",
      "task: one Make one",
      "shared",
      "start",
    ]);
    expect(["one.txt", "two.txt", "three.txt"].map((path) => work.has(path))).toEqual([true, true, true]);
    expect(work.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(work.git("branch", "--list", "ralph/*")).toBe("");
    expect(work.git("status", "--porcelain", "--untracked-files=no")).toBe("");
    expect(stdout).toContain("[two] <promise>CODED</promise>\n");
    expect(stderr).toContain("[two] Iteration 1/3");
  });

  it("merges what nobody committed, and nothing of ralph's own, in a project that ignores .ralph and in one that does not", async () => {
    for (const ignored of [".ralph/", "nothing"]) {
      const work = openRepository();
      work.write(".gitignore", `${ignored}\n`);
      work.git("add", ".gitignore");
      work.git("commit", "--quiet", "--message", "ignore");
      work.worker('echo "$task" > "$task.txt"; echo >> .ralph/settings.json; claim', {
        guardrails: [{ command: "true", failAction: "APPEND" }],
        work: { roles: ["coder"] },
      });
      work.git("add", "--force", ".ralph/settings.json");
      work.git("commit", "--quiet", "--message", "settings");
      await work.tasks({ id: "one", completion: coded });
      const { code, stderr } = await work.run(["work", "--worktrees"]);
      expect([code, stderr]).toEqual([0, expect.stringContaining("completed: 1 of 1 task done.")]);
      expect(work.git("diff", "--name-only", "HEAD~1", "HEAD").trim()).toBe("one.txt");
      expect(work.git("ls-tree", "-r", "--name-only", "HEAD").trim().split("\n")).toEqual([
        ".gitignore",
        ".ralph/settings.json",
        "one.txt",
        "shared.txt",
      ]);
    }
  });

  it("merges agents that commit everything, ralph's own ignore file included", async () => {
    const work = openRepository();
    work.worker('echo "$task" > "$task.txt"; git add --all; git commit -qm "$task"; claim', {
      guardrails: [{ command: "true", failAction: "APPEND" }],
      work: { roles: ["coder"] },
    });
    await work.tasks({ id: "one", priority: 1, completion: coded }, { id: "two", priority: 2, completion: coded });
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect(stderr).toContain("completed: 2 of 2 tasks done.");
    expect(code).toBe(0);
    expect(work.git("ls-files", ".ralph/.gitignore").trim()).toBe(".ralph/.gitignore");
  });

  it("runs no hook and no filter of the repository when it merges, and no monitor that a role set up", async () => {
    const work = openRepository();
    const trap = `touch '${work.root}/sprung'`;
    for (const hook of ["pre-commit", "post-checkout", "pre-merge-commit", "commit-msg", "post-merge"])
      work.write(`.git/hooks/${hook}`, `#!/bin/sh\n${trap}\n`);
    work.git("config", "core.sharedRepository", "0755");
    work.worker(
      `chmod +x "$(git rev-parse --git-common-dir)"/hooks/*; echo "$task" > "$task.txt"; echo '*.txt filter=evil merge=evil' > .gitattributes; git config core.fsmonitor 'sleep 60; false'; git config filter.evil.smudge "${trap}; cat"; git config filter.evil.clean "${trap}; cat"; git config merge.evil.driver "${trap}"; claim`,
      { work: { roles: ["coder"] } },
    );
    await work.tasks({ id: "one", priority: 1, completion: coded }, { id: "two", priority: 2, completion: coded });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect(stderr).toContain("completed, unverified: 2 of 2 tasks done.");
    expect([code, work.has("one.txt"), work.has("two.txt"), work.has("../sprung")]).toEqual([0, true, true, false]);
  });

  it("names a file git does not know where a task brings one, and overwrites nothing", async () => {
    const work = openRepository();
    work.worker('echo "$task" > one.txt; claim', { work: { roles: ["coder"] } });
    work.write("one.txt", "mine\n");
    await work.tasks({ id: "one", completion: coded });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect(code).toBe(3);
    expect(stderr).toContain("one.txt in");
    expect(stderr).toContain("is not known to git and would be overwritten.");
    expect(work.read("one.txt")).toBe("mine\n");
  });

  it("merges one of two that conflict and keeps the other with instructions, exit 3", async () => {
    const work = openRepository();
    work.worker('echo "$task" > shared.txt; claim', { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", priority: 1, completion: coded }, { id: "two", priority: 2, completion: coded });
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect(code).toBe(3);
    expect(stderr).toContain("it conflicts in shared.txt.");
    expect(stderr).toContain("Merge it by hand: git merge ralph/two");
    expect(await work.standing()).toMatchObject({
      one: "done coder 1, 1 iterations",
      two: "conflict coder 1, 1 iterations",
    });
    expect(work.read("shared.txt")).toBe("one\n");
    expect(work.read(".ralph/worktrees/two/shared.txt")).toBe("two\n");
    expect(work.git("status", "--porcelain", "--untracked-files=no")).toBe("");
    // A person merges it, and the work hears of it.
    work.git("merge", "--quiet", "--strategy-option", "theirs", "--no-edit", "ralph/two");
    const after = await work.run(["work", "two", "--worktrees"]);
    expect([after.code, await work.standing()]).toMatchObject([0, { two: "done coder 1, 1 iterations" }]);
    expect(work.has(".ralph/worktrees/two")).toBe(false);
  });

  it("leaves changes of a person in the main work tree alone", async () => {
    const work = openRepository();
    work.worker('echo "$task" > shared.txt; claim', { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", completion: coded });
    work.write("shared.txt", "a person's\n");
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("has changes that are not committed")]);
    expect(work.read("shared.txt")).toBe("a person's\n");
    work.git("checkout", "--quiet", "shared.txt");
    expect((await work.run(["resume"])).code).toBe(0);
    expect(work.read("shared.txt")).toBe("one\n");
  });

  it("keeps the work tree of a failed task and names it", async () => {
    const work = openRepository();
    work.worker('echo "$task" >> made.txt', { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", completion: completion({ coder: onWord("CODED", 1) }) });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("/.ralph/worktrees/one (ralph/one)")]);
    expect(work.read(".ralph/worktrees/one/made.txt")).toBe("one\n");
    expect(work.has("made.txt")).toBe(false);
    const here = await work.run(["work", "one"]);
    expect([here.code, here.stderr]).toEqual([2, expect.stringContaining("ralph work --worktrees")]);
  });

  it("starts a task that depends on another from what that one brought", async () => {
    const work = openRepository();
    work.worker(
      '[ "$task" = two ] && cp one.txt two.txt; echo "$task" > "$task-was-here.txt"; echo "$task" > one.txt; claim',
      {
        work: { roles: ["coder"] },
      },
    );
    await work.tasks({ id: "one", completion: coded }, { id: "two", dependencies: ["one"], completion: coded });
    expect((await work.run(["work", "-j", "2", "--worktrees"])).code).toBe(0);
    expect(work.read("two.txt")).toBe("one\n");
  });

  it("keeps the work tree of a merged task when it holds files that no commit has, and names them", async () => {
    const work = openRepository();
    const body =
      "echo notes/ > .gitignore; mkdir -p notes node_modules; echo mine > notes/a; echo x > $task.txt; claim";
    work.worker(body, { work: { roles: ["coder"] } });
    await work.tasks({ id: "one", title: "Make one", completion: coded });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("one is kept, because no commit has notes/.")]);
    expect(work.read(".ralph/worktrees/one/notes/a")).toBe("mine\n");
  });

  it("refuses the claim of a task whose work is in a folder that ignores itself, and loses nothing", async () => {
    const work = openRepository();
    const body = "mkdir -p helper; echo '*' > helper/.gitignore; echo x > helper/impl; echo x > $task.txt; claim";
    work.worker(body, {
      guardrails: [{ command: "test -e helper/impl", failAction: "APPEND" }],
      work: { roles: ["coder"] },
    });
    await work.tasks({ id: "one", title: "Make one", completion: coded });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("helper/ (ignored only by helper/.gitignore")]);
    expect(work.read(".ralph/worktrees/one/helper/impl")).toBe("x\n");
  });
});
