import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { completion, onWord, openWork, type WorkProject } from "./open-work.ts";

const coded = completion({ coder: onWord("CODED") });
const one = { id: "one", title: "Make one", priority: 1, completion: coded };
const two = { id: "two", title: "Make two", priority: 2, completion: coded };
const settings = { guardrails: [{ command: "true", failAction: "APPEND" }], work: { roles: ["coder"], rounds: 1 } };

/** Both tasks change the same lines, so that no honest merge has both. */
const lines = "first\nsecond\nthird\n";

function openLines(): WorkProject {
  const work = openWork();
  work.write("shared.txt", lines);
  work.git("add", "shared.txt");
  work.git("commit", "--quiet", "--message", "shared");
  return work;
}

/** What an agent leaves in the repository that all work trees share; `$main` is its branch, `$common` its folder. */
const attacks: Record<string, string> = {
  "a strategy of the branch": 'git config "branch.$main.mergeOptions" "-s ours"',
  "a merge of the branch that is not committed": 'git config "branch.$main.mergeOptions" --no-commit',
  "a merge of the branch that is squashed": 'git config "branch.$main.mergeOptions" --squash',
  "a strategy for two heads": "git config pull.twohead ours",
  "a history that ends early": 'git rev-parse HEAD > "$common/shallow"',
};

const places =
  'main=$(git -C ../../.. symbolic-ref --short HEAD); common=$(cd "$(git rev-parse --git-common-dir)" && pwd)';

describe("a merge of ralph work --worktrees", () => {
  it.each(Object.entries(attacks))("brings all work of the task whatever an agent set up: %s", async (_, attack) => {
    const work = openLines();
    const commit = 'echo x > "$task.txt"; git add -A; git commit -qm work';
    work.worker(`${places}; ${commit}; ${attack}; claim`, settings);
    await work.tasks(one);
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 of 1 task done")]);
    expect(work.git("show", "HEAD:one.txt")).toBe("x\n");
    expect(work.git("log", "--first-parent", "-1", "--format=%s %p").trim()).toMatch(/^task: one Make one \w+ \w+$/);
    expect(work.git("status", "--porcelain", "--untracked-files=no")).toBe("");
    expect(work.has(".git/MERGE_HEAD")).toBe(false);
  });

  it.each([
    [
      "a driver that keeps one side",
      "git config merge.keep.driver true; echo '* merge=keep' >> \"$common/info/attributes\"",
    ],
    ["a default driver", "git config merge.keep.driver true; git config merge.default keep"],
    ["attributes that keep both sides", "echo '* merge=union' >> \"$common/info/attributes\""],
  ])("conflicts in what both changed, whatever an agent set up: %s", async (_, attack) => {
    const work = openLines();
    work.worker(`${places}; mkdir -p "$common/info"; ${attack}; echo "$task" > shared.txt; claim`, settings);
    await work.tasks(one, two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("it conflicts in shared.txt.")]);
    expect([work.read("shared.txt"), work.git("status", "--porcelain", "--untracked-files=no")]).toEqual(["one\n", ""]);
    expect(work.git("show", "ralph/two:shared.txt")).toBe("two\n");
  });

  it("resolves what git resolves: a file that one task renames and the other edits", async () => {
    const work = openLines();
    const body = '[ "$task" = one ] && git mv shared.txt renamed.txt || sed -i s/third/last/ shared.txt; claim';
    work.worker(body, settings);
    await work.tasks(one, two);
    const { code } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, work.read("renamed.txt"), work.has("shared.txt")]).toEqual([0, "first\nsecond\nlast\n", false]);
  });

  it("shows a coder whose merge was undone the work of the others, whatever its branch says about merges", async () => {
    const work = openLines();
    const apart = "[ ! -e one.txt ] || [ ! -e two.txt ] || [ -e both.txt ]";
    const mend = '[ "$round" -gt 1 ] && cp one.txt both.txt';
    work.worker(`git config branch.ralph/two.mergeOptions "-s ours"; echo x > "$task.txt"; ${mend}; claim`, {
      guardrails: [{ command: apart, failAction: "APPEND" }],
      work: { roles: ["coder"], rounds: 2 },
    });
    await work.tasks(one, two);
    const { code } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, work.git("ls-files").trim().split("\n")]).toEqual([
      0,
      ["both.txt", "one.txt", "shared.txt", "two.txt"],
    ]);
  });

  it("uses the merge driver that the user had set up before", async () => {
    const work = openLines();
    work.write(".gitattributes", "shared.txt merge=both\n");
    work.git("add", ".gitattributes");
    work.git("commit", "--quiet", "--message", "attributes");
    work.git("config", "merge.both.driver", "cat %B >> %A");
    work.worker('echo "$task" > shared.txt; claim', settings);
    await work.tasks(one, two);
    const { code } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, work.read("shared.txt")]).toEqual([0, "one\ntwo\n"]);
  });

  it("leaves what a person staged alone", async () => {
    const work = openLines();
    work.write("mine.txt", "mine\n");
    work.worker('echo x > "$task.txt"; git -C ../../.. add mine.txt; claim', settings);
    await work.tasks(one);
    const { code, stderr } = await work.run(["work", "--worktrees"]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/mine\.txt in \S+ is staged: commit it, or take it back/),
    ]);
    expect([work.git("diff", "--cached", "--name-only").trim(), work.has("one.txt")]).toEqual(["mine.txt", false]);
  });

  it("works in a shallow clone", async () => {
    const work = openLines();
    const parent = work.git("rev-parse", "HEAD").trim();
    work.write(".git/shallow", `${parent}\n`);
    work.worker('echo x > "$task.txt"; claim', settings);
    await work.tasks(one);
    const { code } = await work.run(["work", "--worktrees"]);
    expect([code, work.git("show", "HEAD:one.txt")]).toEqual([0, "x\n"]);
  });

  it("fetches what a partial clone left out, from where the user had cloned", async () => {
    const work = openLines();
    const source = join(work.root, "source");
    for (const words of [
      ["clone", "--quiet", "--bare", ".", source],
      ["-C", source, "config", "uploadpack.allowFilter", "true"],
      ["config", "remote.origin.url", `file://${source}`],
      ["config", "remote.origin.promisor", "true"],
      ["config", "remote.origin.partialCloneFilter", "blob:none"],
    ])
      work.git(...words);
    const former = work.git("rev-parse", "HEAD:shared.txt").trim();
    // Both work trees are checked out by then.
    const both = "until [ -e ../one/shared.txt ] && [ -e ../two/shared.txt ]; do sleep 0.02; done";
    const lose = `${both}; rm -f ../../../.git/objects/${former.slice(0, 2)}/${former.slice(2)}`;
    work.worker(`echo "$task" > shared.txt; ${lose}; claim`, settings);
    await work.tasks(one, two);
    const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("it conflicts in shared.txt.")]);
  });
});
