import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const append = (command: string) => ({ command, failAction: "APPEND" });

/** Log names of the project, sorted. */
function logs(project: ScratchProject): string[] {
  return project.git("ls-files", "--others", "--", ".ralph/*.log").split("\n").filter(Boolean).toSorted();
}

describe("guardrails", () => {
  it("run after every turn, all of them, in order, also after a red one (S1-43, S1-52)", async () => {
    const project = openProject();
    const note = (name: string, code: number) => append(`echo ${name} >> order.txt; exit ${code}`);
    project.claude("echo turn$n >> order.txt\nclaim", {
      guardrails: [note("first", 0), note("second", 3), note("third", 0)],
      maximumIterations: 2,
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(project.read("order.txt")).toBe("turn1\nfirst\nsecond\nthird\nturn2\nfirst\nsecond\nthird\n");
  });

  it("show how the output of a red one begins while the run goes on (S1-59)", async () => {
    const project = openProject();
    const fail = "for n in 1 2 3 4 5 6 7; do echo line $n; done; exit 3";
    project.claude("claim", { guardrails: [append("echo quiet"), append(fail)], display: { maxOutputLines: 2 } });
    const { stderr } = await project.run(["run", "-p", "Do it", "-m", "1"], { env: { LANG: "C.UTF-8" } });
    const below = stderr
      .split("\n")
      .slice(stderr.split("\n").findIndex((line) => line.includes("guardrail failed")) + 1);
    expect(below.slice(0, 3)).toEqual(["    ⎿  line 1", "       line 2", "       … 5 more lines"]);
    expect(stderr).not.toContain("  quiet");
  });

  it("run after a failed turn as well, and refuse the claim it made (S1-43, S1-44)", async () => {
    const project = openProject();
    project.claude("claim\nexit 1", { guardrails: [append("echo ran >> ran.txt")], maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(project.read("ran.txt")).toBe("ran\nran\n");
  });

  it("are run by the shell in the project directory, whatever directory ralph was started in (S1-52)", async () => {
    const project = openProject();
    mkdirSync(join(project.root, "elsewhere"));
    project.claude("claim", { guardrails: [append('test "$(pwd)" = "$WANTED" && echo "a b" | grep -q "^a"')] });
    const words = ["run", "-p", "Do it", "-C", project.directory];
    expect((await project.run(words, { env: { WANTED: project.directory } })).code).toBe(0);
  });

  it("leave a log of their whole output, passed or failed, both streams together (S1-53, S1-54, S1-55)", async () => {
    const project = openProject({ isGit: true });
    project.write("Makefile", "test:\n\t@echo out; echo err >&2; echo out again\nbroken:\n\t@echo no; exit 3\n");
    project.claude("claim", { guardrails: [append("make test"), append("make broken")], maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(logs(project)).toEqual([".ralph/guardrail_001_make_broken.log", ".ralph/guardrail_001_make_test.log"]);
    expect(project.read(".ralph/guardrail_001_make_test.log")).toBe("out\nerr\nout again\n");
    expect(project.read(".ralph/guardrail_001_make_broken.log")).toMatch(/^no\nmake: \*\*\* .*Error 3\n$/);
  });

  it("are numbered by iteration and by equal slug (S1-54, R-62, CW-1E)", async () => {
    const project = openProject({ isGit: true });
    project.claude("case $n in 2) claim;; esac", {
      guardrails: [append("echo a"), append("echo  a"), append("echo 'a'")],
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    const names = ["a", "a_1", "a_2"];
    expect(logs(project)).toEqual(
      ["001", "002"].flatMap((iteration) => names.map((name) => `.ralph/guardrail_${iteration}_echo_${name}.log`)),
    );
    for (const log of logs(project)) expect(project.read(log)).toBe("a\n");
  });

  it("keep the log whole when the message is cut (S1-54, S1-56, R-64)", async () => {
    const project = openProject();
    project.claude("say Hm.", {
      guardrails: [append("yes 0123456789 | head -c 10000000; exit 1")],
      maximumIterations: 2,
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    const log = project.read(".ralph/guardrail_001_yes_0123456789_head_c_10000000_exit_1.log");
    expect(log).toHaveLength(10_000_000);
    const [, second = ""] = project.prompts();
    const output = second.slice(second.indexOf("Output (truncated):\n") + 20, second.indexOf("... [truncated]"));
    expect(output).toBe(log.slice(0, 5000));
  });

  it("that time out are ended with everything they started, and reported as exit code 124 (CB-15, R-80)", async () => {
    const project = openProject();
    project.claude("say Hm.", {
      guardrails: [append("echo begun; sleep 600")],
      guardrailTimeout: "300ms",
      maximumIterations: 2,
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/guardrail failed \(timed out, exit code 124, .*\), APPEND: echo begun; sleep 600/);
    expect(project.prompts()[1]).toContain('Guardrail "echo begun; sleep 600" failed with exit code 124.');
    expect(project.prompts()[1]).toContain("Output (truncated):\nbegun");
    expect(code).toBe(1);
    expect(project.living()).toEqual([]);
  });

  it("that leave a child holding their output do not hang, and the child is ended (R-65, R-80)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [append("echo checked; sleep 600 & exit 0")] });
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(0);
    expect(project.read(".ralph/guardrail_001_echo_checked_sleep_600_exit_0.log")).toBe("checked\n");
    expect(project.living()).toEqual([]);
  });

  it("that die by a signal or do not exist have failed (S1-53)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [append("kill -9 $$"), append("no-such-program")], maximumIterations: 1 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("guardrail failed (exit code 137,");
    expect(stderr).toContain("guardrail failed (exit code 127,");
    expect(code).toBe(1);
  });

  it("get an empty standard input (R-85)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [append("cat")] });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
  });

  it("are shown with start, end, exit status and fail action (S1-59, CB-18)", async () => {
    const project = openProject();
    const guardrails = [append("true"), { command: "exit 4", failAction: "prepend" }];
    project.claude("claim", { guardrails, maximumIterations: 1 });
    const { stderr, stdout } = await project.run(["run", "-p", "Do it"]);
    const lines = stderr.split("\n").map((line) => line.replace(/\d+\.\d+s/, "TIME"));
    const at = lines.indexOf("  guardrail: true");
    expect(lines.slice(at, at + 4)).toEqual([
      "  guardrail: true",
      "  guardrail passed (TIME): true",
      "  guardrail: exit 4",
      "  guardrail failed (exit code 4, TIME), PREPEND: exit 4",
    ]);
    expect(stdout).not.toContain("guardrail");
  });

  it("are frozen at the start: an agent that edits the settings changes nothing", async () => {
    const project = openProject();
    const edit = `echo '{"guardrails":[],"agent":{"command":"claude"}}' > .ralph/settings.json`;
    project.claude(`${edit}\nclaim`, { guardrails: [append("false")], maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(project.prompts()).toHaveLength(2);
  });
});

describe(".ralph/.gitignore", () => {
  it("is put there before the first log, so that git sees the settings only (S1-78, CW-1I)", async () => {
    const project = openProject({ isGit: true });
    project.claude("claim", { guardrails: [append("true")] });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.read(".ralph/.gitignore")).toBe("*\n!settings.json\n!settings.schema.json\n!.gitignore\n");
    const seen = project.git("status", "--porcelain", "--untracked-files=all");
    expect(seen).toBe("?? .ralph/.gitignore\n?? .ralph/settings.json\n");
  });

  it("stays as a person wrote it (CW-1I)", async () => {
    const project = openProject();
    project.write(".ralph/.gitignore", "*.log\n");
    project.claude("claim", { guardrails: [append("true")] });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.read(".ralph/.gitignore")).toBe("*.log\n");
  });

  it("is written by every run: each keeps its prompts there (CW-1I)", async () => {
    const project = openProject();
    project.claude("claim");
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.has(".ralph/.gitignore")).toBe(true);
  });
});
