import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launcher, openProject, type ScratchProject, until } from "./scratch-project.ts";

const messagePrompt =
  "Provide a short imperative commit message for the changes. Output only the message, no explanation.";
const git = { command: "git", tasks: ["commit"], stage: "all" };

const subjects = (project: ScratchProject): string[] => project.git("log", "--format=%s").trim().split("\n");

function program(project: ScratchProject, name: string, body: string): string {
  const path = join(project.root, "agents", name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A `claude` that keeps each prompt and lets `ralph sim` play the turn or the answer. */
function recordedSim(project: ScratchProject, script: string, settings: Record<string, unknown>): void {
  project.write("../sim.yaml", script);
  const prompts = join(project.root, "prompts");
  const command = program(
    project,
    "claude",
    `n=$(($(ls '${prompts}' | wc -l) + 1))
cat > '${prompts}/'$n
case " $* " in *" text "*) set -- --text;; *) set --;; esac
exec '${process.execPath}' '${launcher}' sim --script '${project.root}/sim.yaml' "$@" < '${prompts}/'$n`,
  );
  project.settings({ ...settings, agent: { command } });
}

describe("guardrails, hints and delivery together", () => {
  it("give exactly the documented prompts and one safe commit (S1-39, S1-40, S1-56, S1-57, S1-61, S1-63, R-60)", async () => {
    const project = openProject({ isGit: true });
    const message = "Fix $(touch pwned) `touch pwned` \"quoted\" 'text'; touch pwned\n\nA second paragraph.\n-- end";
    const check = (name: string): string => `test -e fixed || { printf ${name}${"x".repeat(30)}; exit 3; }`;
    const script = {
      turns: [[{ claim: null }], [{ edit: { file: "fixed", content: "yes\n" } }, { claim: null }]],
      answer: `{"type":"system","subtype":"init"}\n\`\`\`\n<response>${message}</response>\n\`\`\`\n`,
    };
    recordedSim(project, JSON.stringify(script), {
      maximumIterations: 4,
      includeIterationCountInPrompt: true,
      outputTruncateChars: 10,
      guardrails: [
        { command: check("a"), failAction: "APPEND", hint: "Hint $1 & {one}" },
        { command: check("p"), failAction: "PREPEND", hint: "Look at\nthe file" },
        { command: check("r"), failAction: "REPLACE" },
      ],
      scm: git,
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^completed: Claim accepted in iteration 2: .+ green\.$/m);
    expect(code).toBe(0);
    const said = (name: string, ...hint: string[]): string =>
      [
        `Guardrail "${check(name)}" failed with exit code 3.`,
        ...hint,
        `Output file: .ralph/guardrail_001_test_e_fixed_printf_${name}${"x".repeat(50 - "test_e_fixed_printf_".length - 1)}.log`,
        "Output (truncated):",
        `${name}${"x".repeat(9)}... [truncated]`,
      ].join("\n");
    const paragraph =
      "When everything is done and verified, and not before, output the line <promise>DONE</promise> on its own.";
    expect(project.prompts()).toEqual([
      `Iteration 1 of 4, 3 remaining.\n\nDo it\n\n${paragraph}`,
      [
        "Iteration 2 of 4, 2 remaining.",
        said("p", "Hint: Look at\nthe file"),
        said("r"),
        said("a", "Hint: Hint $1 & {one}"),
        paragraph,
      ].join("\n\n"),
      messagePrompt,
    ]);
    expect(project.git("log", "-1", "--format=%B").trimEnd()).toBe(message);
    expect([subjects(project).length, project.has("pwned")]).toEqual([2, false]);
    expect(project.git("show", "HEAD:fixed")).toBe("yes\n");
  });
});

describe("delivery", () => {
  it("pushes, and a push that fails is shown and kept while the outcome stays (R-61, CW-1J)", async () => {
    const project = openProject({ isGit: true });
    const remote = join(project.root, "remote");
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    project.git("remote", "add", "origin", remote);
    const turn = (text: string) => [{ edit: { file: "a.txt", content: text } }, { claim: null }];
    const scm = { ...git, tasks: ["commit", "push --quiet origin HEAD"] };
    project.sim(JSON.stringify({ turns: [turn("one")], answer: "Say one" }), { scm });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.git("ls-remote", "origin", "HEAD").split("\t")[0]).toBe(project.git("rev-parse", "HEAD").trim());
    project.git("remote", "set-url", "origin", join(project.root, "gone"));
    project.sim(JSON.stringify({ turns: [turn("two")], answer: "Say two" }), { scm });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const problem = /push --quiet origin HEAD exited with code 128: /;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^completed, unverified: .* Delivery: push --quiet origin HEAD exited with code 128/m);
    expect(await project.json(["show"])).toMatchObject({
      outcome: "completed",
      iterations: [
        { delivery: { commit: project.git("rev-parse", "HEAD").trim(), problem: expect.stringMatching(problem) } },
      ],
    });
    expect((await project.run(["show"])).stdout).toMatch(problem);
    expect(subjects(project)).toEqual(["Say two", "Say one", "start"]);
  });

  it("does nothing after a red guardrail (S1-60)", async () => {
    const project = openProject({ isGit: true });
    const turns = [[{ edit: { file: "a.txt", content: "one" } }, { claim: null }]];
    const guardrails = [{ command: "false", failAction: "APPEND" }];
    project.sim(JSON.stringify({ turns, answer: "Never" }), { scm: git, guardrails, maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(subjects(project)).toEqual(["start"]);
  });

  it("counts a message call that edits as failed: nothing is committed, and the claim is refused (S1-61, CW-1J)", async () => {
    const project = openProject({ isGit: true });
    const body = `case " $* " in *" text "*) echo sneaky > b.txt; echo Message; exit;; esac\necho one > a.txt\nclaim`;
    project.claude(body, { scm: git, maximumIterations: 1 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const problem = "the call for the commit message changed b.txt; nothing was committed.";
    expect(stderr).toContain(`The last claim was refused: what was checked could not be committed: ${problem}`);
    expect([code, subjects(project)]).toEqual([1, ["start"]]);
  });

  it("that a hook refuses is no completion: the agent is told what the hook said, and repairs it (CW-1J)", async () => {
    const project = openProject({ isGit: true });
    const hook = join(project.directory, ".git", "hooks", "pre-commit");
    writeFileSync(hook, "#!/bin/sh\ngrep -q formatted a.txt || { echo 'a.txt: not formatted' >&2; exit 1; }\n", {
      mode: 0o755,
    });
    const body = [
      `case " $* " in *" text "*) echo Message; exit;; esac`,
      `if grep -q "a.txt: not formatted" ../prompts/$n; then echo formatted > a.txt; else echo one > a.txt; fi`,
      "claim",
    ];
    project.claude(body.join("\n"), { scm: git });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect([code, subjects(project)]).toEqual([0, ["Message", "start"]]);
    expect(project.git("show", "HEAD:a.txt")).toBe("formatted\n");
    expect(stderr).toContain("Claim accepted in iteration 2");
  });

  it.each([
    ["a new repository", "mkdir lib; git -C lib init -q; echo one > lib/x", "lib/ (a repository of its own"],
    [
      "a link to another repository's commit",
      "git init -q lib; echo one > lib/x; git -C lib add x; git -C lib -c user.name=A -c user.email=a@example.org commit -qm x; git add lib",
      "lib (only a link",
    ],
    ["a change inside a submodule", "echo one > sub/x", "sub (changes in a repository of its own"],
    [
      "a hidden change inside a submodule",
      "git -C sub update-index --assume-unchanged x; echo one > sub/x",
      "sub (changes in a repository of its own",
    ],
    [
      "a folder that became a repository of its own",
      "git init -q old; git -C old add x; git -C old -c user.name=A -c user.email=a@example.org commit -qm x; git rm -rq --cached old; git add old",
      "old (only a link",
    ],
    ["a folder of ralph's that is a link", "mv .ralph ../moved; ln -s ../moved .ralph", ".ralph is a link"],
    [
      "a repository in the place of the first",
      "rm -rf .git; git init -q; git config user.name A; git config user.email a@example.org; git add -A; git commit -qm x",
      "The commit",
    ],
    ["a file no longer tracked", "git rm -q --cached README; echo README >> .gitignore", "README (no longer tracked"],
  ])("never completes a run by %s, which the checks saw and no commit takes", async (_, deed, words) => {
    const project = openProject({ isGit: true });
    project.write("README", "Read me");
    project.write("old/x", "old");
    project.write("sub/x", "none");
    project.git("init", "--quiet", "sub");
    project.git("-C", "sub", "add", "x");
    const person = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    project.git("-C", "sub", ...person, "commit", "--quiet", "--message", "sub");
    project.git("-c", "advice.addEmbeddedRepo=false", "add", "README", "old", "sub");
    project.git("commit", "--quiet", "--message", "README");
    const body = `case " $* " in *" text "*) echo Message; exit;; esac\n[ -e done ] || { ${deed}; touch done; }\nclaim`;
    const guardrails = [{ command: "test -f lib/x || test -f sub/x || test -f README", failAction: "APPEND" }];
    project.claude(body, { scm: git, guardrails, maximumIterations: 1 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(1);
    const reason = "The last claim was refused: what is delivered is not what was checked, twice:";
    const refusal = stderr.slice(stderr.indexOf(reason)).slice(0, 200);
    expect(refusal).toContain(reason);
    expect(refusal).toContain(words);
  });

  it("with an object that stands in another's place does not deceive anybody about what was committed", async () => {
    const project = openProject({ isGit: true });
    const body = [
      `case " $* " in *" text "*) echo Message; exit;; esac`,
      "echo one > a.txt; git add a.txt",
      "git replace -f HEAD $(git commit-tree $(git write-tree) -m fake); git reset --quiet",
      "claim",
    ];
    project.claude(body.join("\n"), { scm: git, guardrails: [{ command: "test -f a.txt", failAction: "APPEND" }] });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.git("--no-replace-objects", "show", "HEAD:a.txt")).toBe("one\n");
  });

  it("stays what was checked when a turn adds a hook, and no monitor that it sets up is asked", async () => {
    const project = openProject({ isGit: true });
    const hook = "printf '#!/bin/sh\\necho evil > evil.txt; git add evil.txt\\n' > .git/hooks/pre-commit";
    const trap = `git config core.fsmonitor "touch '${project.root}/asked'; sleep 60; false"`;
    const body = `case " $* " in *" text "*) echo Say one; exit;; esac\necho one > a.txt\n${hook}; chmod +x .git/hooks/pre-commit\n${trap}\nclaim`;
    const { stage: _default, ...scm } = git;
    project.claude(body, { scm, completion: { requireProgress: true } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("Hooks that were changed or added since the start were not run: ");
    expect([code, subjects(project), project.has("../asked")]).toEqual([0, ["Say one", "start"], false]);
    expect(project.git("ls-tree", "--name-only", "HEAD").trim().split("\n")).toContain("a.txt");
    expect(project.git("ls-tree", "--name-only", "HEAD")).not.toContain("evil.txt");
  });

  it("goes on after kill -9 where its own git had locked the index, and names a lock of another git", async () => {
    const project = openProject({ isGit: true });
    const lock = join(project.root, "project/.git/index.lock");
    // The call for the message lies between two writes of the index; the driver dies there, the second time it does not.
    const once = `[ -e '${project.root}/once' ] || { touch '${project.root}/once'; sleep 60; }`;
    project.claude(`case " $* " in *" text "*) ${once}; echo Say one; exit;; esac\necho one > a.txt\nclaim`, {
      scm: git,
    });
    const driver = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("../once"), "the call for the message");
    driver.child.kill("SIGKILL");
    await driver.ended;
    project.write(".git/index.lock", "");
    const resumed = await project.run(["resume"]);
    expect(resumed.stderr).toContain("completed, unverified: ");
    expect([resumed.code, subjects(project), project.has(".git/index.lock")]).toEqual([0, ["Say one", "start"], false]);
    project.write("a.txt", "two\n");
    project.write(".git/index.lock", "");
    const { stderr } = await project.run(["run", "-p", "Do it", "--allow-dirty"]);
    expect(stderr).toContain(`${lock} exists: another git is running in this repository, or has crashed.`);
    expect(project.has(".git/index.lock")).toBe(true);
  });

  it("shows the commit a run started at (S1-63)", async () => {
    const project = openProject({ isGit: true });
    const startCommit = project.git("rev-parse", "HEAD").trim();
    const turns = [[{ edit: { file: "a.txt", content: "one" } }, { claim: null }]];
    project.sim(JSON.stringify({ turns, answer: "Say one" }), { scm: git });
    await project.run(["run", "-p", "Do it"]);
    expect(await project.json(["show"])).toMatchObject({ startCommit });
    expect((await project.run(["show"])).stdout).toContain(`started at commit ${startCommit}\n`);
  });
});

describe("a pull request", () => {
  const scm = { ...git, tasks: ["commit", "pr"] };

  function withGh(project: ScratchProject, code: number): { env: Record<string, string>; calls: () => string[] } {
    const path = join(project.root, "gh-calls");
    const answer = code === 0 ? "https://github.com/a/b/pull/7" : "sign in first";
    program(project, "gh", `echo "$*" >> '${path}'\n[ "$2" = list ] && exit 0\necho ${answer}\nexit ${code}`);
    const env = { PATH: [join(project.root, "agents"), "/usr/local/bin", "/usr/bin", "/bin"].join(":") };
    return { env, calls: () => readFileSync(path, "utf8").trim().split("\n") };
  }

  it("is opened once, after completion, and kept in show (S1-63)", async () => {
    const project = openProject({ isGit: true });
    const { env, calls } = withGh(project, 0);
    const edit = (content: string) => ({ edit: { file: "a.txt", content } });
    project.sim(JSON.stringify({ turns: [[edit("one")], [edit("two"), { claim: null }]], answer: "Say it" }), { scm });
    const { code, stderr } = await project.run(["run", "-p", "Do it"], { env });
    expect(code).toBe(0);
    expect(calls().map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual(["pr list", "pr create"]);
    expect(stderr).toMatch(/Opened a pull request: https:\/\/github\.com\/a\/b\/pull\/7[^]*^completed, unverified:/m);
    expect((await project.run(["show"])).stdout).toContain("Opened a pull request: https://github.com/a/b/pull/7");
    expect(await project.json(["show"])).toMatchObject({
      iterations: [{}, { delivery: { commit: project.git("rev-parse", "HEAD").trim(), problem: null } }],
    });
  });

  it("that cannot be opened is named; the outcome stays (CW-1J)", async () => {
    const project = openProject({ isGit: true });
    const { env } = withGh(project, 4);
    project.sim(JSON.stringify({ turns: [[{ claim: null }]], answer: "Say it" }), { scm });
    const { code, stderr } = await project.run(["run", "-p", "Do it"], { env });
    expect(stderr).toMatch(/^completed, unverified: .* Delivery: pr by gh exited with code 4: sign in first$/m);
    expect(code).toBe(0);
    expect((await project.run(["show"])).stdout).toContain("pr by gh exited with code 4: sign in first");
  });

  it("is not opened for a run that does not complete (S1-63)", async () => {
    const project = openProject({ isGit: true });
    const { env, calls } = withGh(project, 0);
    const turns = [[{ edit: { file: "a.txt", content: "one" } }]];
    project.sim(JSON.stringify({ turns, answer: "Say it" }), { scm, maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"], { env })).code).toBe(1);
    expect(calls).toThrow("ENOENT");
    expect(subjects(project)).toEqual(["Say it", "start"]);
  });
});

describe("a start with changes that are already there", () => {
  function dirty(): ScratchProject {
    const project = openProject({ isGit: true });
    project.write("a.txt", "one\n");
    project.git("add", "a.txt");
    project.git("commit", "--quiet", "--message", "a");
    project.write("a.txt", "mine\n");
    project.sim("turns: [[claim]]\nanswer: Say mine\n", { scm: git });
    return project;
  }

  it("is refused with 2 away from a terminal, and nothing is committed (S1-63)", async () => {
    const project = dirty();
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(2);
    expect(stderr).toContain("1 tracked file has changes that are not committed (a.txt).");
    expect(stderr).toContain("--allow-dirty");
    expect([subjects(project), await project.json(["status"])]).toEqual([["a", "start"], { runs: [] }]);
  });

  it("is allowed with --allow-dirty, and without delivery (S1-63)", async () => {
    const project = dirty();
    expect((await project.run(["run", "-p", "Do it", "--allow-dirty"])).code).toBe(0);
    expect(subjects(project)).toEqual(["Say mine", "a", "start"]);
    project.write("a.txt", "again\n");
    project.sim("turns: [[claim]]\n");
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
  });
});

describe("a delivery cut off by kill -9", () => {
  it("during the call for the message is done on resume, once (R-40, R-61)", async () => {
    const project = openProject({ isGit: true });
    const asking = join(project.root, "asking");
    const hang = `[ -e '${asking}' ] || { touch '${asking}'; sleep 600; }`;
    const body = `case " $* " in *" text "*) ${hang}; echo Message; exit;; esac\necho one > a.txt\nclaim`;
    project.claude(body, { scm: git });
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("../asking"), "the call for the message");
    started.child.kill("SIGKILL");
    await started.ended;
    expect(subjects(project)).toEqual(["start"]);
    const { code } = await project.run(["resume"]);
    expect([code, subjects(project)]).toEqual([0, ["Message", "start"]]);
    expect(project.living()).toEqual([]);
  });

  it("right after the commit is not committed again, and the commit is known (R-40, R-61, CW-1J)", async () => {
    const project = openProject({ isGit: true });
    const pid = join(project.root, "pid");
    mkdirSync(join(project.directory, ".git", "hooks"), { recursive: true });
    const hook = join(project.directory, ".git", "hooks", "post-commit");
    writeFileSync(hook, `#!/bin/sh\nkill -9 $(cat '${pid}')\n`);
    chmodSync(hook, 0o755);
    // The turn goes on only when the hook knows whom to kill.
    const body = `case " $* " in *" text "*) echo Message; exit;; esac\nuntil [ -s '${pid}' ]; do sleep 0.02; done\necho one > a.txt\nclaim`;
    project.claude(body, { scm: { ...git, tasks: ["commit", "tag delivered"] } });
    const started = project.start(["run", "-p", "Do it"]);
    writeFileSync(pid, String(started.pid));
    expect((await started.ended).signal).toBe("SIGKILL");
    await until(() => subjects(project).length === 2, "the commit");
    const { code, stderr } = await project.run(["resume"]);
    const commit = project.git("rev-parse", "HEAD").trim();
    expect(stderr).toContain(`Commit ${commit.slice(0, 12)} was made before the run was cut off`);
    expect([code, subjects(project)]).toEqual([0, ["Message", "start"]]);
    expect(project.git("rev-parse", "delivered").trim()).toBe(commit);
    expect(await project.json(["show"])).toMatchObject({ iterations: [{ delivery: { commit, problem: null } }] });
  });
});

describe("a delivery program", () => {
  it("that is git by another name commits (S1-63)", async () => {
    const project = openProject({ isGit: true });
    const command = program(project, "mygit", 'exec git "$@"');
    const script = { turns: [[{ edit: { file: "a", content: "x\n" } }, { claim: null }]], answer: "Add a" };
    recordedSim(project, JSON.stringify(script), { scm: { ...git, command } });
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect([code, subjects(project)]).toEqual([0, ["Add a", "start"]]);
  });

  it.each([
    ["is not git", "hg", "which does not say that it is git"],
    ["is not there", "no-such-scm", "which is not found"],
  ])("that %s is refused with one sentence before the agent starts (S1-63)", async (_, name, why) => {
    const project = openProject({ isGit: true });
    const path = program(project, "hg", "echo 'Mercurial Distributed SCM (version 6.1)'");
    const command = name === "hg" ? path : name;
    project.claude("claim", { scm: { command, tasks: ["commit"] } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    const said = stderr.split("\n").filter((line) => !line.startsWith("unsandboxed: "));
    expect(said.join("\n")).toBe(
      `ralph: scm.command is "${command}", ${why}, and ralph delivers with git only.\nSet scm.command to "git" or to a program that takes its commands.\n`,
    );
    expect([code, project.prompts()]).toEqual([2, []]);
  });
});
