import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const append = (command: string) => ({ command, failAction: "APPEND" });

type ShownCheck = { name: string; evidence: string | null; logFile: string | null };

/** The checks of a run, in order, as programs see them. */
async function checksOf(project: Pick<ScratchProject, "json">, ...words: string[]): Promise<ShownCheck[]> {
  const shown = (await project.json(["show", ...words])) as { iterations: { checks: ShownCheck[] }[] };
  return shown.iterations.flatMap(({ checks }) => checks);
}

const textOf = (check: ShownCheck | undefined): string => readFileSync(check?.evidence ?? "none", "utf8");

describe("the evidence of a run", () => {
  it("stays what the check said when an agent rewrites the copy or plants a link for it (S1-54)", async () => {
    const project = openProject();
    const theirs = join(project.root, "theirs.txt");
    writeFileSync(theirs, "theirs");
    const copy = ".ralph/guardrail_001_make_test.log";
    const plant = `echo forged > ${copy}; ln -s '${theirs}' .ralph/guardrail_002_make_test.log`;
    project.write("Makefile", "test:\n\t@echo turn $(shell ls turns | wc -l)\n");
    project.claude(`mkdir -p turns; touch turns/$n; case $n in 2) ${plant}; claim;; esac`, {
      guardrails: [append("make test")],
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
    expect(project.read(copy)).toBe("forged\n");
    expect(readFileSync(theirs, "utf8")).toBe("theirs");
    const checks = await checksOf(project);
    expect(checks.map(textOf)).toEqual(["turn 1\n", "turn 2\n"]);
    expect(checks[0]).toMatchObject({ logFile: copy, output: { text: "turn 1" } });
    const { stdout } = await project.run(["show"]);
    for (const { evidence } of checks) expect(stdout).toContain(`log: ${evidence}\n`);
    expect(stdout).not.toContain(copy);
  });

  it("is kept by run, role and iteration, for the owner alone (S1-54)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [append("echo ok")] });
    await project.run(["run", "-p", "Do it"]);
    const { id } = await project.json(["show"]);
    const [check] = await checksOf(project);
    expect(check?.evidence).toBe(join(project.root, "state", `runs/${String(id)}/checks/run/001_echo_ok.log`));
    expect(statSync(check?.evidence ?? "").mode & 0o777).toBe(0o600);
  });

  it("of an old run is its own after a later run of the same check (S1-54)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [append("cat words.txt")] });
    const ids: unknown[] = [];
    for (const words of ["first", "second"]) {
      project.write("words.txt", words);
      await project.run(["run", "-p", "Do it"]);
      ids.push((await project.json(["show"]))["id"]);
    }
    const [old, young] = [await checksOf(project, String(ids[0])), await checksOf(project, String(ids[1]))];
    expect([textOf(old[0]), textOf(young[0])]).toEqual(["first", "second"]);
    expect(old[0]?.logFile).toBe(young[0]?.logFile);
  });

  it("of a task list is kept by the role of the turn (S1-54)", async () => {
    const settings = { guardrails: [append("echo ok")] };
    const project = openList({ stories: [story("A")], acts: [acts.implement("A"), acts.approve("A")], settings });
    await project.prdRun();
    const checks = (await checksOf(project)).filter(({ name }) => name === "echo ok");
    expect(checks.map(({ evidence }) => evidence?.split("/checks/")[1])).toEqual([
      "implement/001_echo_ok.log",
      "review/002_echo_ok.log",
    ]);
  });
});
