import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject, until } from "./scratch-project.ts";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const runId = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

type Summary = Record<string, unknown> & { id: string };

async function runsOf(project: ScratchProject, ...words: string[]): Promise<Summary[]> {
  return ((await project.json(["status", ...words])) as { runs: Summary[] }).runs;
}

describe("status --json", () => {
  it("has every field of an ended run", async () => {
    const project = openProject();
    project.sim("turns:\n  - - say: Hm.\n  - - claim\n", { maximumIterations: 4 });
    await project.run(["run", "-p", "Do it"]);
    const [run, ...others] = await runsOf(project);
    expect(others).toEqual([]);
    expect(run).toEqual({
      id: expect.stringMatching(runId),
      project: project.directory,
      kind: "run",
      state: "ended",
      outcome: "completed",
      isVerified: false,
      reason: "Claim accepted in iteration 2: no check is configured.",
      iteration: 2,
      maxIterations: 4,
      startedAt: expect.stringMatching(instant),
      endedAt: expect.stringMatching(instant),
      spend: expect.objectContaining({ inputTokens: 2000, outputTokens: 100, usd: 0.02 }),
      topic: "Do it",
      agent: "sim",
      model: null,
      activity: null,
      lastChecks: null,
      waitingFor: null,
      waitingUntil: null,
      next: null,
    });
  });

  it("shows a running run first, then the ended ones, newest first, at most ten", async () => {
    const project = openProject();
    project.claude("if [ -e hold ]; then touch begun; while [ ! -e go ]; do sleep 0.02; done; fi\nclaim");
    for (let count = 0; count < 11; count += 1) await project.run(["run", "-p", "Do it"]);
    project.write("hold", "");
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("begun"), "the agent");
    const runs = await runsOf(project);
    expect(runs).toHaveLength(11);
    expect(runs[0]).toMatchObject({ state: "running", outcome: null, reason: null, endedAt: null, iteration: 1 });
    const ended = runs.slice(1).map(({ startedAt }) => String(startedAt));
    expect(ended).toEqual(ended.toSorted().toReversed());
    expect(await runsOf(project, "--all")).toHaveLength(12);
    project.write("go", "");
    await started.ended;
  });

  it("shows this project only, and every project with --all", async () => {
    const project = openProject();
    project.claude("claim");
    project.write("sub/.keep", "");
    await project.run(["run", "-p", "Do it"]);
    await project.run(["run", "-p", "Do it", "--agent", `${project.root}/agents/claude`, "-C", "sub"]);
    expect(await runsOf(project)).toMatchObject([{ project: project.directory }]);
    expect(await runsOf(project, "-C", "sub")).toMatchObject([{ project: `${project.directory}/sub` }]);
    expect(await runsOf(project, "--all")).toHaveLength(2);
  });

  it("is an empty list before the first run, and a sentence for people", async () => {
    const project = openProject();
    expect(await project.json(["status"])).toEqual({ runs: [] });
    const { code, stdout } = await project.run(["status"]);
    expect(stdout).toContain("No runs in");
    expect(code).toBe(0);
  });
});

describe("status for people", () => {
  it("is a row per run, and below it prompt, last check, question and the command that answers it", async () => {
    const project = openProject();
    project.sim("turns:\n  - - decide: Tabs or spaces?\n", {
      guardrails: [{ command: "false", failAction: "APPEND" }],
    });
    await project.run(["run", "-p", "Do it"]);
    const { stdout } = await project.run(["status"]);
    const [head, row, ...details] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^RUN +STATE +ITERATION +COST +AGE +AGENT$/);
    expect(row).toMatch(/^\d{8}-\d{6}-\w{4} {2}waiting {2}1\/10 +\$0\.01 +\d+s +sim$/);
    expect(details).toEqual([
      "  Do it",
      expect.stringContaining("  checks red: "),
      "  waits for an answer",
      expect.stringContaining("Tabs or spaces?"),
      expect.stringMatching(/^ {2}Answer with: ralph resume \S+ --answer "TEXT"$/),
    ]);
  });
});

describe("show --json", () => {
  it("is the summary with the iterations: turn, checks with evidence, claim, feedback", async () => {
    const project = openProject();
    const guardrails = [{ command: "test -e work.txt || { echo missing; exit 3; }", failAction: "APPEND" }];
    project.sim("turns:\n  - - lie\n  - - edit: { file: work.txt, content: x }\n    - claim\n", { guardrails });
    await project.run(["run", "-p", "Do it"]);
    const [summary] = await runsOf(project);
    const shown = await project.json(["show"]);
    expect(shown).toMatchObject(summary ?? {});
    expect(shown["prompt"]).toEqual({ kind: "text", text: "Do it" });
    const red = {
      index: 0,
      name: guardrails[0]?.command,
      isPassed: false,
      exitCode: 3,
      isTimedOut: false,
      output: { text: "missing" },
      logFile: ".ralph/guardrail_001_test_e_work_txt_echo_missing_exit_3.log",
    };
    expect(shown["iterations"]).toMatchObject([
      { number: 1, turn: { exitCode: 0, result: "success" }, checks: [red], claim: { isPromised: true }, feedback: [] },
      {
        number: 2,
        turn: { tools: { calls: 1, changes: 1 } },
        checks: [{ isPassed: true, exitCode: 0 }],
        claim: { isPromised: true },
        feedback: [{ kind: "output", name: guardrails[0]?.command, exitCode: 3, output: { text: "missing" } }],
      },
    ]);
  });

  it("has long output whole, as far as the agent saw it", async () => {
    const project = openProject();
    project.claude("say Hm.", {
      guardrails: [{ command: "printf '%06000d' 7; exit 1", failAction: "APPEND" }],
      outputTruncateChars: 5500,
      maximumIterations: 1,
    });
    await project.run(["run", "-p", "Do it"]);
    const output = { text: `${"0".repeat(5500)}... [truncated]` };
    expect(await project.json(["show"])).toMatchObject({ iterations: [{ checks: [{ output }] }] });
  });

  it("takes any part of an id, and refuses one that fits none with 2", async () => {
    const project = openProject();
    project.claude("claim");
    await project.run(["run", "-p", "Do it"]);
    const [run] = await runsOf(project);
    expect(await project.json(["show", (run?.id ?? "").slice(0, 12)])).toMatchObject({ id: run?.id });
    expect(await project.json(["show", (run?.id ?? "").slice(-4)])).toMatchObject({ id: run?.id });
    const { code, stderr } = await project.run(["show", "19990101"]);
    expect(stderr).toContain('There is no run "19990101"');
    expect(code).toBe(2);
  });

  it("names the commit the run started from", async () => {
    const project = openProject({ isGit: true });
    project.claude("claim");
    await project.run(["run", "-p", "Do it"]);
    const startCommit = project.git("rev-parse", "HEAD").trim();
    expect(await project.json(["show"])).toMatchObject({ startCommit });
    expect((await project.run(["show"])).stdout).toContain(startCommit);
  });
});

describe("logs", () => {
  it("--json is one object per line: the journal and the agent's events in the order of time (CB-18)", async () => {
    const project = openProject();
    project.sim("turns:\n  - - say: Working on it.\n    - claim\n");
    await project.run(["run", "-p", "Do it"]);
    const { stdout, code } = await project.run(["logs", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    const times = lines.map(({ at }) => Number(at));
    expect(times).toEqual(times.toSorted((first, second) => first - second));
    const steps = lines.flatMap((line) => (line["kind"] === "step" ? [line["observation"] as { type: string }] : []));
    expect(steps.map(({ type }) => type).filter((type) => type !== "turn-progressed")).toEqual([
      "run-started",
      "turn-started",
      "turn-ended",
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ type: "text", text: "Working on it." }) }),
    );
  });

  it("--raw is what the agent printed, byte by byte, turn after turn", async () => {
    const project = openProject();
    project.plainAgent("printf 'turn %s \\377\\n' $n\n[ $n = 2 ] && claim");
    await project.run(["run", "-p", "Do it"]);
    const { stdout } = await project.run(["logs", "--raw"]);
    expect(stdout).toBe("turn 1 \uFFFD\nturn 2 \uFFFD\n<promise>DONE</promise>\n");
  });

  it("-f goes on while the run does, and ends with it", async () => {
    const project = openProject();
    project.claude("say 'First words.'\ntouch begun\nwhile [ ! -e go ]; do sleep 0.02; done\nsay 'Last words.'\nclaim");
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("begun"), "the agent");
    const logs = project.start(["logs", "-f"]);
    await until(() => logs.stdout().includes("First words."), "the first words");
    expect(logs.stdout()).not.toContain("Last words.");
    project.write("go", "");
    await started.ended;
    const { code, stdout } = await logs.ended;
    expect(stdout).toContain("Last words.");
    expect(stdout).toContain("completed, unverified: Claim accepted");
    expect(code).toBe(0);
  });

  it("to a reader that goes away ends quietly, and so does a run", async () => {
    const project = openProject();
    project.sim(`turns:\n  - - flood: 2MB\n    - claim\n`);
    const started = project.start(["run", "-p", "Do it"]);
    started.child.stdout?.destroy();
    const { code, stderr } = await started.ended;
    expect(stderr).toMatch(/^completed, unverified:/m);
    expect(code).toBe(0);
  });
});
