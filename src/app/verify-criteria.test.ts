import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type CriterionVerdict, verifyCriteria, type VerifyCriteriaOptions } from "./verify-criteria.ts";

/** A project directory that is gone after the test. */
function project(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-criteria-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function only(options: VerifyCriteriaOptions): Promise<CriterionVerdict> {
  const { verdicts } = await verifyCriteria(options);
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length !== 1) throw new Error(`there are ${verdicts.length} verdicts`);
  return verdict;
}

const external = (command: string) => ({
  promise: "BUILT",
  description: "It builds",
  verification_method: "external" as const,
  verification_config: { command },
});

describe("verifyCriteria", () => {
  // What the person who runs the tests has configured must not count.
  beforeEach(() => {
    vi.stubEnv("XDG_CONFIG_HOME", project());
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  it("runs the command of a criterion in the project and gives its reason and its output", async () => {
    const projectDir = project({ "a.txt": "here\n" });
    expect(await only({ projectDir, criteria: external("cat a.txt") })).toMatchObject({
      role: "coder",
      promise: "BUILT",
      name: "It builds",
      method: "external",
      isPassed: true,
      isUnverified: false,
      output: "here",
      exitCode: 0,
      logFile: null,
    });
    const red = await verifyCriteria({ projectDir, criteria: external("echo no; exit 3") });
    expect(red).toMatchObject({ isPassed: false, isVerified: false });
    expect(red.verdicts).toMatchObject([{ exitCode: 3, output: "no", reason: "Command exited with 3, expected 0" }]);
  });

  it("looks for a promise in the words of the turn, and says that nothing else was looked at", async () => {
    const projectDir = project();
    const criteria = { promise: "ALL_DONE" };
    const passed = await verifyCriteria({ projectDir, criteria, turnText: "So.\n<promise>ALL_DONE</promise>\n" });
    expect(passed).toMatchObject({ isPassed: true, isVerified: false, verdicts: [{ isUnverified: true }] });
    for (const turnText of ["", "ALL_DONE", "<promise>DONE</promise>"])
      expect(await only({ projectDir, criteria, turnText })).toMatchObject({ isPassed: false, method: "string_match" });
  });

  it("verifies every role of a completion, or the one that is named", async () => {
    const projectDir = project();
    const criteria = {
      outcome: "It works.",
      acceptance_criteria: ["a works"],
      coder: external("true"),
      tester: external("false"),
    };
    const { isPassed, verdicts } = await verifyCriteria({ projectDir, criteria });
    expect([isPassed, verdicts.map((each) => [each.role, each.isPassed])]).toEqual([
      false,
      [
        ["coder", true],
        ["tester", false],
      ],
    ]);
    expect(await only({ projectDir, criteria, role: "tester" })).toMatchObject({ role: "tester", isPassed: false });
  });

  it("verifies a task by its own criteria and by the default ones of a role (S2-44)", async () => {
    const projectDir = project();
    const completion_spec = { outcome: "It works.", acceptance_criteria: ["a works"], coder: external("true") };
    const task = { id: "t-1", title: "Sign in", completion_spec };
    expect(await only({ projectDir, task })).toMatchObject({ role: "coder", isPassed: true });
    const settings = { verifyCommand: "exit 7" };
    expect(await only({ projectDir, task, role: "tester", settings })).toMatchObject({
      promise: "TESTS_PASSED",
      method: "external",
      exitCode: 7,
    });
  });

  it("verifies the criteria of the project where none are given", async () => {
    const yaml =
      "outcome: It works.\nacceptance_criteria: [a]\ncoder:\n  promise: OK\n  verification_method: external\n  verification_config: { command: 'true' }\n";
    const projectDir = project({ "ralph/criteria.yaml": yaml });
    expect(await only({ projectDir })).toMatchObject({ promise: "OK", isPassed: true });
    await expect(verifyCriteria({ projectDir: project() })).rejects.toMatchObject({ code: "contract" });
  });

  it("asks the judge of the settings and shows it the changes since the start", async () => {
    const projectDir = project({
      "judge.sh": `#!/bin/sh\ncase "$*$(cat)" in *"second line"*) echo VERIFIED: it is there;; *) echo NOT_VERIFIED: it is not;; esac\n`,
      "a.txt": "first line\n",
    });
    const git = (...words: string[]): string => execFileSync("git", ["-C", projectDir, ...words], { encoding: "utf8" });
    execFileSync("chmod", ["+x", join(projectDir, "judge.sh")]);
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "commit", "--quiet", "--message", "start");
    const criteria = {
      promise: "OK",
      verification_method: "semantic" as const,
      verification_config: { check_for: ["x"] },
    };
    const settings = { verification: { judge: { agent: "./judge.sh" } } };
    expect(await only({ projectDir, criteria, settings })).toMatchObject({ isPassed: false, reason: "it is not" });
    writeFileSync(join(projectDir, "a.txt"), "first line\nsecond line\n");
    expect(await only({ projectDir, criteria, settings })).toMatchObject({ isPassed: true, reason: "it is there" });
  });

  it("says that a judge could not be asked, which is no verdict on the work", async () => {
    const projectDir = project();
    const criteria = { promise: "OK", verification_method: "semantic" as const };
    const settings = { verification: { judge: { agent: "false", tries: 1 } } };
    expect(await only({ projectDir, criteria, settings })).toMatchObject({ isPassed: false, isUnasked: true });
    await expect(verifyCriteria({ projectDir, criteria })).rejects.toMatchObject({ code: "settings" });
    const missing = { verification: { judge: { agent: "no-such-judge" } } };
    await expect(verifyCriteria({ projectDir, criteria, settings: missing })).rejects.toMatchObject({ code: "agent" });
  });

  it("keeps the whole output of every check where a directory for it is named", async () => {
    const projectDir = project();
    const logDir = join(project(), "logs");
    const { logFile, output } = await only({ projectDir, logDir, criteria: external("seq 3000") });
    expect(readFileSync(logFile ?? "", "utf8").split("\n")).toHaveLength(3001);
    expect(output.length).toBeLessThanOrEqual(4096);
  });

  it("ends what it started when the signal is aborted, and rejects with its reason", async () => {
    const projectDir = project();
    const stop = new AbortController();
    const reason = new Error("enough");
    const criteria = external(`echo $$ > pid; touch begun; sleep 60`);
    const verified = verifyCriteria({ projectDir, criteria, signal: stop.signal });
    await expect.poll(() => existsSync(join(projectDir, "begun")), { timeout: 20_000 }).toBe(true);
    stop.abort(reason);
    await expect(verified).rejects.toBe(reason);
    const pid = Number(readFileSync(join(projectDir, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(verifyCriteria({ projectDir, criteria, signal: stop.signal })).rejects.toBe(reason);
  });

  it("is red for a criterion that does not end within the time", async () => {
    const verdict = await only({ projectDir: project(), criteria: external("sleep 60"), timeoutMs: 300 });
    expect(verdict).toMatchObject({ isPassed: false, isTimedOut: true });
  });

  it.each([
    [{ projectDir: "nowhere" }, 'option projectDir is "nowhere", expected a directory that exists.'],
    [{ role: "boss" }, 'option role is "boss", expected "coder" or "reviewer" or "tester" or "qa".'],
    [{ criteria: "true" }, 'option criteria is "true", expected an object.'],
    [{ criteria: { promise: "" } }, "criteria.promise must not be empty."],
    [{ criteria: { outcome: "x" } }, "criteria.acceptance_criteria needs at least one criterion."],
    [{ criteria: { promise: "A" }, task: {} }, "options criteria and task are both given, expected one of them."],
    [{ task: { id: "a b", title: "x" } }, 'task.id "a b"'],
    [{ task: { id: "a", title: "x" } }, "task a has no criterion of its own."],
    [{ timeoutMs: "5s" }, 'option timeoutMs is "5s", expected milliseconds, at least 1.'],
  ])("refuses %j by name", async (options, message) => {
    // A program in JavaScript can give anything.
    const given = { projectDir: ".", ...options } as unknown as VerifyCriteriaOptions;
    await expect(verifyCriteria(given)).rejects.toMatchObject({
      name: "RalphError",
      code: "usage",
      message: expect.stringContaining(`verifyCriteria: ${message}`) as unknown,
    });
  });
});
