import { describe, expect, it } from "vitest";
import { until } from "../run/scratch-project.ts";
import { completion, external, onWord, openWork, type WorkProject } from "../work/open-work.ts";

const coded = completion({ coder: onWord("CODED", 1), reviewer: onWord("REVIEWED", 1) });
const one = { id: "one", title: "Make one", priority: 1, completion: coded };
const two = { ...one, id: "two", title: "Make two", priority: 2 };

/** Starts few processes, and holds while `value.txt` says good and not both tasks have left their file. */
const script =
  'grep -q "^good$" value.txt || { echo "value is wrong"; exit 1; }\n[ ! -e one.txt ] || [ ! -e two.txt ] || { echo "no room"; exit 1; }\n';

const honest = "echo good > value.txt";
const weakens = "echo true > test/check.sh";

/** A project with a check; the agent works by this deed and claims. */
function sealedWork(deed: string, settings: Record<string, unknown> = {}, value = "bad"): WorkProject {
  const work = openWork();
  work.write("test/check.sh", script);
  work.write("value.txt", `${value}\n`);
  work.git("add", "--all");
  work.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command: "sh test/check.sh", failAction: "APPEND" }];
  const own = { guardrails, seal: { checks: "claims" }, work: { roles: ["coder"], rounds: 1 } };
  work.worker(`${deed}\nclaim`, { ...own, ...settings });
  return work;
}

function subjects(work: WorkProject): string[] {
  return work.git("log", "--first-parent", "--format=%s").trim().split("\n");
}

const places = [
  ["in the project", []],
  ["in work trees", ["--worktrees"]],
] as const;

describe("sealed checks of a role", () => {
  it.each(places)("accept honest work %s, say that they are sealed, and can be replayed", async (_, words) => {
    const work = sealedWork(honest);
    await work.tasks(one);
    expect((await work.run(["work", ...words, "--dry-run"])).stdout).toContain("Checks:       sealed");
    const { code, stderr } = await work.run(["work", ...words]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Checks are sealed: those of every role's claims")]);
    expect(stderr).toContain("green: sh test/check.sh, sealed verification.");
    const [whole] = await work.works();
    const [role] = whole?.children ?? [];
    expect((await work.run(["show", role?.id ?? ""])).stdout).toMatch(/sh test\/check\.sh.*sealed/);
    expect((await work.run(["show", whole?.id ?? ""])).stdout).toContain("Checks are sealed");
    for (const run of [whole, role]) expect((await work.run(["show", run?.id ?? "", "--check"])).code).toBe(0);
    expect(work.living()).toEqual([]);
  });

  it.each(places)("refuse a weakened test %s", async (_, words) => {
    const work = sealedWork(weakens);
    await work.tasks(one);
    const { code, stderr } = await work.run(["work", ...words]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("value is wrong")]);
    expect(subjects(work)).toEqual(["files", "start"]);
  });

  it("compare later roles with what the first one found", async () => {
    const byTest = completion({
      coder: onWord("CODED", 1),
      reviewer: external("REVIEWED", "sh test/check.sh", { max_iterations: 1 }),
    });
    const work = sealedWork(`[ $role = reviewer ] || ${weakens}`, {
      guardrails: [],
      work: { roles: ["coder", "reviewer"], rounds: 1 },
    });
    await work.tasks({ ...one, completion: byTest });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("A check is red in the sealed copy.")]);
  });

  it("hold a later task to the tests that an earlier one has brought", async () => {
    const adds = 'echo "grep -q ^good value.txt" > test/more.sh; echo "sh test/more.sh" >> run.sh';
    const removes = "echo true > test/more.sh; echo gone > value.txt";
    const work = sealedWork(
      `case $task in one) ${adds} ;; two) ${removes} ;; esac`,
      {
        guardrails: [
          { command: "for each in test/more*.sh; do [ ! -e $each ] || sh $each; done", failAction: "APPEND" },
        ],
      },
      "good",
    );
    await work.tasks(one, { ...two, dependencies: ["one"] });
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect(stderr).toContain("Task one: done");
    // Its own role refuses it, not only the merged tip.
    expect(stderr).not.toContain("red on the merged tip");
    expect([code, subjects(work)]).toEqual([1, ["task: one Make one", "files", "start"]]);
  });

  it("go on with the same seal after a kill, and with no other one", async () => {
    const work = sealedWork(`touch "$root/busy"; until [ -e "$root/go" ]; do sleep 0.02; done; ${honest}`);
    await work.tasks(one);
    const started = work.start(["work", "--worktrees"]);
    await until(() => work.has("../busy"), "the first turn");
    started.child.kill("SIGKILL");
    await started.ended;
    const [whole] = await work.works();
    const path = `../state/streams/${whole?.id ?? ""}/seal/seal.json`;
    const seal = work.read(path);
    work.write(path, seal.replace(/"base":"./, '"base":"f'));
    const refused = await work.run(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("The seal was changed")]);
    work.write(path, seal);
    work.write("../go", "");
    const { code, stderr } = await work.run(["resume"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("sealed verification")]);
    expect(work.read(path)).toBe(seal);
    expect(work.living()).toEqual([]);
  });
});

describe("sealed checks of a merged tip", () => {
  it("undo a merge that is red together, though the task has changed the test that says so", async () => {
    // In its own work tree both forms of the test pass.
    const work = sealedWork(`echo x > $task.txt; [ $task = one ] || ${weakens}`, {}, "good");
    await work.tasks(one, two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect(stderr).toContain("Task two is red on the merged tip, the merge is undone");
    expect(stderr).toContain("no room");
    expect([code, subjects(work)]).toEqual([1, ["task: one Make one", "files", "start"]]);
  });
});
