import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const scm = { command: "git", tasks: ["commit"] };

/** An agent that does something in its turn and claims. */
function projectWith(deed: string, settings: Record<string, unknown> = {}): ScratchProject {
  const project = openProject({ isGit: true });
  const body = `case " $* " in *" text "*) echo Message; exit;; esac\n[ -e ../done ] || { touch ../done; ${deed}; }\nclaim`;
  project.claude(body, { guardrails: [{ command: "true", failAction: "APPEND" }], maximumIterations: 1, ...settings });
  return project;
}

describe("the branch of what is delivered", () => {
  it.each([
    ["with a commit", { scm }, "echo x > a.txt"],
    ["with the agent's own commit", {}, "echo x > a.txt; git add a.txt; git commit -qm own"],
  ])("is named when it is another than at the start, %s", async (_, settings, deed) => {
    const project = projectWith(`git checkout -q -b other; ${deed}`, settings);
    const began = project.git("branch", "--show-current").trim();
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const words = `The work is on branch other; the run began on branch ${began}.`;
    expect(stderr).toContain(words);
    expect((await project.run(["show"])).stdout).toContain(words);
    expect(code).toBe(0);
  });

  it("is named with the commit where there is none", async () => {
    const project = projectWith("git checkout -q --detach; echo x > a.txt", { scm });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const commit = project.git("rev-parse", "HEAD").trim();
    expect(stderr).toContain(`The work is on no branch, at commit ${commit}`);
    expect(stderr).toContain(`git branch NAME ${commit}`);
    expect(code).toBe(0);
  });

  it("is not named when it is the one of the start", async () => {
    const project = projectWith("echo x > a.txt", { scm });
    expect((await project.run(["run", "-p", "Do it"])).stderr).not.toContain("The work is on");
  });
});

it.each([
  ["with a commit", { scm }],
  ["without one", {}],
])("never completes a run by a link in the place of .git, %s", async (_, settings) => {
  const project = projectWith("mv .git ../moved; ln -s ../moved .git; echo x > a.txt", settings);
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect(stderr).toContain("is no longer the repository that the run began in");
  expect(code).toBe(1);
});

describe("a repository whose parts lie elsewhere since the run began never completes it", () => {
  it.each([
    [
      "another repository by commondir",
      "cp -r .git ../elsewhere; echo ../../elsewhere > .git/commondir",
      ".git/commondir",
    ],
    ["linked references", "mv .git/refs ../refs; ln -s ../../refs .git/refs", ".git/refs"],
    ["linked branches", "mv .git/refs/heads ../heads; ln -s ../../../heads .git/refs/heads", ".git/refs/heads"],
    ["linked objects", "mv .git/objects ../objects; ln -s ../../objects .git/objects", ".git/objects"],
    [
      "a linked object",
      "o=$(git hash-object -w base.txt); f=objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-); mv .git/$f ../object; ln -s ../../../../object .git/$f",
      ".git/objects/",
    ],
    [
      "objects of another repository",
      "git clone -q --bare . ../other; echo $PWD/../other/objects > .git/objects/info/alternates",
      ".git/objects/info/alternates",
    ],
  ])("%s", async (_, deed, part) => {
    for (const settings of [{ scm }, {}]) {
      const project = projectWith(`echo x > base.txt; ${deed}`, settings);
      const { code, stderr } = await project.run(["run", "-p", "Do it"]);
      expect(stderr).toMatch(/(?:is no longer|leads out of) the repository that the run began in/);
      expect([code, stderr]).toEqual([1, expect.stringContaining(part)]);
    }
  });

  it("and one whose parts were elsewhere before does", async () => {
    const project = projectWith("echo x > a.txt", { scm });
    project.git("clone", "--quiet", "--bare", ".", "../other");
    writeFileSync(join(project.directory, ".git/objects/info/alternates"), join(project.root, "other/objects\n"));
    renameSync(join(project.directory, ".git/refs"), join(project.root, "refs"));
    symlinkSync("../../refs", join(project.directory, ".git/refs"));
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect([code, project.git("show", "HEAD:a.txt")]).toEqual([0, "x\n"]);
  });
});

it("never lets a delivery fetch missing objects by a program that the run named", async () => {
  const keys = ["promisor true", "url $PWD", "uploadpack $PWD/../trap"].map(
    (words) => `git config remote.evil.${words}`,
  );
  const remove = "o=$(git rev-parse HEAD:a.txt); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)";
  const promise = "git config core.repositoryFormatVersion 1; git config extensions.partialClone evil";
  const project = projectWith(`${keys.join("; ")}; ${promise}; ${remove}; echo y > a.txt; echo y > b.txt`, { scm });
  writeFileSync(join(project.root, "trap"), `#!/bin/sh\ntouch '${project.root}/sprung'\n`, { mode: 0o755 });
  project.write("a.txt", "x\n");
  project.git("add", "a.txt");
  project.git("commit", "--quiet", "--message", "a");
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect(project.has("../sprung")).toBe(false);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/(?:remote\.evil\.promisor|extensions\.partialclone) was set to/),
  ]);
});

it.each([
  ["with a commit", { scm }],
  ["without one", {}],
])("refuses a claim for a new file whose name is not UTF-8, and says to rename it, %s", async (_, settings) => {
  const project = projectWith(`echo x > "$(printf 'caf\\351.js')"; echo x > a.txt`, settings);
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/name (?:of \S+ )?is not UTF-8\b.*\brename/)]);
});

describe("files that the run itself lets git ignore", () => {
  it("are named, those that were ignored before are not", async () => {
    const project = projectWith("echo '*.new' >> .gitignore; echo x > b.new; echo x > c.old; echo x > a.txt", { scm });
    project.write(".gitignore", "*.old\n");
    project.git("add", ".gitignore");
    project.git("commit", "--quiet", "--message", "ignore");
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("Not delivered, by ignore rules that this run added: b.new.");
    expect(code).toBe(0);
  });
});

describe("files that a rule outside of the tree hides", () => {
  const deed = "echo b.txt >> .git/info/exclude; echo x > b.txt; echo x > a.txt";

  it("refuse the claim of a run that commits nothing: whoever commits by hand would not get them", async () => {
    const { code, stderr } = await projectWith(deed).run(["run", "-p", "Do it"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("b.txt (ignored by a rule outside of the tree")]);
  });

  it("are delivered by a run that commits", async () => {
    const project = projectWith(deed, { scm });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.git("ls-files", "b.txt")).toContain("b.txt");
  });
});

describe("files that git ignores by rules which no commit holds", () => {
  it.each([
    [
      "of a folder that ignores itself",
      "mkdir -p helper; echo '*' > helper/.gitignore; echo x > helper/impl",
      "helper/",
    ],
    ["of a file that ignores itself", "printf '.gitignore\\nimpl\\n' > .gitignore; echo x > impl", "impl"],
    ["outside of the project", "echo impl > ../rules; echo x > impl", "impl"],
  ])("refuse the claim: %s", async (_, deed, path) => {
    for (const settings of [{ scm }, {}]) {
      const project = projectWith(`${deed}; echo x > a.txt`, settings);
      project.git("config", "core.excludesFile", join(project.root, "rules"));
      const { code, stderr } = await project.run(["run", "-p", "Do it"]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} (ignored only by `)]);
      expect(stderr).toContain("which no commit holds");
    }
  });

  it("are delivered when the rules stand in info/exclude, or in a file that the configuration names since", async () => {
    const deed =
      "echo one > .git/info/exclude; echo two > ../rules; git config core.excludesFile ../rules; echo x > one; echo x > two";
    const project = projectWith(deed, { scm });
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect([code, project.git("show", "HEAD:one", "HEAD:two")]).toEqual([0, "x\nx\n"]);
  });

  it("are named when a tool made the folder, and unknown to nobody when it was there before", async () => {
    const deed =
      "mkdir -p .cache-of-tool; echo '*' > .cache-of-tool/.gitignore; touch .cache-of-tool/CACHEDIR.TAG; echo x > mine/b";
    const project = projectWith(`${deed}; echo x > a.txt`, { scm });
    project.write("mine/.gitignore", "*\n");
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("Not delivered, by ignore rules that this run added: .cache-of-tool/.");
    expect(code).toBe(0);
  });
});

describe("a hook that refuses the commit", () => {
  it.each([
    ["says nothing", "exit 3", "the hook pre-commit exited with code 3 and said nothing."],
    ["says why", "echo 'too late'; exit 4", "the hook pre-commit exited with code 4: too late"],
  ])("is named once with its exit code when it %s", async (_, hook, words) => {
    const project = projectWith("echo x > a.txt", { scm });
    writeFileSync(join(project.directory, ".git/hooks/pre-commit"), `#!/bin/sh\n${hook}\n`, { mode: 0o755 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const outcome = stderr.split("\n").find((line) => line.startsWith("exhausted: ")) ?? "";
    expect(outcome).toContain(`what was checked could not be committed: ${words}`);
    expect(outcome.split("the hook pre-commit").length).toBe(2);
    expect(code).toBe(1);
  });
});
