import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject, type Started, until } from "./scratch-project.ts";

const waiting = "touch begun\nwhile [ ! -e go ]; do sleep 0.02; done";

async function startWaiting(project: ScratchProject): Promise<Started> {
  const started = project.start(["run", "-p", "Do it"]);
  await until(() => project.has("begun"), "the agent");
  return started;
}

describe("a second run in one directory", () => {
  it("is refused with 2 and told who holds it, while the first one lives (R-24, R-25)", async () => {
    const project = openProject();
    project.claude(`${waiting}\nclaim`);
    const started = await startWaiting(project);
    const second = await project.run(["run", "-p", "Do it too"]);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/is already worked on by run \d{8}-\d{6}-\w{4} \(process \d+ on /);
    expect(second.stderr).toContain(`process ${started.pid} `);
    expect(second.stderr).toMatch(/ralph cancel \d{8}-\d{6}-\w{4}/);
    expect(project.prompts()).toHaveLength(1);
    project.write("go", "");
    expect((await started.ended).code).toBe(0);
    expect((await project.run(["run", "-p", "Now"])).code).toBe(0);
  });

  it("is the same directory under another name (R-24)", async () => {
    const project = openProject();
    project.claude(`${waiting}\nclaim`);
    const started = await startWaiting(project);
    const second = await project.run(["run", "-p", "Do it too", "-C", `${project.directory}/.ralph/..`]);
    expect(second.code).toBe(2);
    project.write("go", "");
    await started.ended;
  });

  it("takes over from a killed one, ends what it left and says how to resume it (R-24, R-45, R-80)", async () => {
    const project = openProject();
    const body = "[ $n = 1 ] && { sleep 600 & }\nif [ $n = 1 ]; then touch begun; sleep 600; fi\nclaim";
    // In a PID namespace nothing would be left.
    project.claude(body, { agent: { namespace: false } });
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGKILL");
    await started.ended;
    expect(project.living().length).toBeGreaterThan(0);
    const second = await project.run(["run", "-p", "Do it"]);
    expect(second.stderr).toMatch(/was cut off in iteration 1\. Resume it with: ralph resume \S+/);
    expect(second.stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 1/m);
    expect(second.code).toBe(0);
    expect(project.living()).toEqual([]);
  });
});

describe("pause and resume of a living run", () => {
  it("lets the turn finish, begins nothing new, and goes on when told", async () => {
    const project = openProject();
    project.claude(`[ $n = 1 ] && { ${waiting.replaceAll("\n", "; ")}; }\ncase $n in 2) claim;; esac`);
    const started = await startWaiting(project);
    const paused = await project.run(["pause"]);
    expect(paused.code).toBe(0);
    project.write("go", "");
    await until(() => started.stderr().includes("turn ended"), "the end of the turn");
    await untilState(project, "paused");
    expect(await project.json(["status"])).toMatchObject({
      runs: [{ state: "paused", iteration: 1, outcome: null, waitingFor: "a resume" }],
    });
    expect(project.prompts()).toHaveLength(1);
    const lost = await project.run(["resume", "-m", "5"]);
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining("takes no new limits and no answer")]);
    const resumed = await project.run(["resume"]);
    expect(resumed.code).toBe(0);
    const { code, stderr } = await started.ended;
    expect(stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 2/m);
    expect(code).toBe(0);
  });

  it.each([
    ["cancelled", 5],
    ["interrupted", 130],
  ])("a paused run can be %s (R-42, R-84)", async (name, code) => {
    const project = openProject();
    project.claude(waiting);
    const started = await startWaiting(project);
    await project.run(["pause"]);
    project.write("go", "");
    await untilState(project, "paused");
    if (name === "cancelled") await project.run(["cancel"]);
    else process.kill(started.pid, "SIGINT");
    expect((await started.ended).code).toBe(code);
    expect(await project.json(["show"])).toMatchObject({ outcome: name });
  });
});

/** Waits until status shows the state; each look is a process, so it is bounded by a count. */
async function untilState(project: ScratchProject, state: string): Promise<void> {
  for (let look = 0; look < 50; look += 1) {
    const { runs } = (await project.json(["status"])) as { runs: { state: string }[] };
    if (runs[0]?.state === state) return;
  }
  throw new Error(`the run never became ${state}`);
}

describe("resume of an ended run", () => {
  it("gives an exhausted one N more iterations, and refuses without -m", async () => {
    const project = openProject();
    project.claude("case $n in 4) claim;; esac", { maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    const refused = await project.run(["resume"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("-m 5");
    expect((await project.run(["resume", "-m", "1"])).code).toBe(1);
    expect(project.prompts()).toHaveLength(3);
    const resumed = await project.run(["resume", "-m", "3"]);
    expect(resumed.stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 4/m);
    expect(resumed.code).toBe(0);
    expect(await project.json(["show"])).toMatchObject({ iteration: 4, maxIterations: 6 });
    expect(await project.json(["status"])).toMatchObject({ runs: [{ outcome: "completed" }] });
  });

  it("puts the answer into the next prompt, behind what guardrails said", async () => {
    const project = openProject();
    const guardrails = [{ command: "test -e ok", failAction: "APPEND" }];
    project.claude("case $n in 1) say '<promise>DECIDE: tabs?</promise>';; *) touch ok; claim;; esac", {
      guardrails,
      completion: { instruction: false },
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(3);
    const answer = 'Spaces, $(four) of "them".\n\nAlways. '.concat("x".repeat(6000));
    expect((await project.run(["resume", "--answer", answer])).code).toBe(0);
    const message =
      'Guardrail "test -e ok" failed with exit code 1.\nOutput file: .ralph/guardrail_001_test_e_ok.log\nOutput (truncated):\n';
    expect(project.prompts()).toEqual(["Do it", `Do it\n\n${message}\n\nAnswer to your question: ${answer}`]);
    expect(await project.json(["show"])).toMatchObject({ iteration: 2, outcome: "completed" });
  });

  it("starts the breaker's count anew (R-45)", async () => {
    const project = openProject();
    project.claude("case $n in 4) claim;; *) exit 1;; esac", { breaker: { failures: 2 } });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(4);
    expect((await project.run(["resume"])).code).toBe(0);
    expect(project.prompts()).toHaveLength(4);
  });

  it("uses the settings it was started with, whatever the file says now", async () => {
    const project = openProject();
    const guardrails = [{ command: "test -e ok", failAction: "APPEND" }];
    project.claude("claim", { guardrails, maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    project.settings("{ broken");
    expect((await project.run(["resume", "-m", "1"])).code).toBe(1);
    project.write("ok", "");
    expect((await project.run(["resume", "-m", "1"])).code).toBe(0);
  });

  it("is not offered by a new run: exhausted and failed ones do not hold it up (R-45)", async () => {
    const project = openProject();
    project.claude("case $n in 2) claim;; esac", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    const second = await project.run(["run", "-p", "Do it"]);
    expect(second.stderr).not.toContain("cut off");
    expect(second.code).toBe(0);
  });
});

describe("nothing to act on", () => {
  it.each([["resume"], ["cancel"], ["pause"], ["show"], ["logs"]])(
    "%s without any run is a clear sentence and 2",
    async (command) => {
      const { code, stdout, stderr } = await openProject().run([command]);
      expect(stderr).toMatch(/^ralph: There is no .*run in /);
      expect(stdout).toBe("");
      expect(code).toBe(2);
    },
  );

  it.each([["resume"], ["cancel"], ["pause"]])("%s of a completed run says so, with 2 (R-43)", async (command) => {
    const project = openProject();
    project.claude("claim");
    await project.run(["run", "-p", "Do it"]);
    const { runs } = (await project.json(["status"])) as { runs: { id: string }[] };
    const [id = ""] = runs.map((run) => run.id);
    expect((await project.run([command])).code).toBe(2);
    const named = await project.run([command, id]);
    expect(named.stderr).toContain(id);
    expect(named.code).toBe(2);
    expect(await project.json(["show"])).toMatchObject({ outcome: "completed" });
  });
});

describe("cancel of a dead run", () => {
  it("ends what it left and writes the outcome itself (R-42, R-44, R-80)", async () => {
    const project = openProject();
    project.claude("sleep 600 &\ntouch begun\nsleep 600");
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGKILL");
    await started.ended;
    expect(await project.json(["status"])).toMatchObject({ runs: [{ state: "died", outcome: null }] });
    expect((await project.run(["cancel"])).code).toBe(0);
    expect(project.living()).toEqual([]);
    expect(await project.json(["status"])).toMatchObject({ runs: [{ state: "ended", outcome: "cancelled" }] });
    expect((await project.run(["resume"])).code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
  });

  it("asked while nobody drove it, is heard by the next resume (R-42)", async () => {
    const project = openProject();
    project.claude(`${waiting}\nclaim`);
    const started = await startWaiting(project);
    // A driver that is stopped cannot answer; then it dies without having heard.
    process.kill(started.pid, "SIGSTOP");
    const cancel = project.start(["cancel"]);
    await until(() => project.living().length > 0, "the agent");
    process.kill(started.pid, "SIGKILL");
    await started.ended;
    await cancel.ended;
    const resumed = await project.run(["resume"]);
    expect([2, 5]).toContain(resumed.code);
    expect(await project.json(["status"])).toMatchObject({ runs: [{ outcome: "cancelled" }] });
  });
});

it("a run killed during its criterion asks its guardrails again: one that is red by then refuses the claim", async () => {
  const project = openProject();
  const config = { verification_method: "external", verification_config: { command: "exec sh kill-once.sh" } };
  const coder = { promise: "DONE", description: "It works", ...config };
  project.write("ralph/criteria.yaml", JSON.stringify({ outcome: "It works.", acceptance_criteria: ["works"], coder }));
  project.write("kill-once.sh", "[ -e killed ] && exit 0\ntouch killed\nkill -KILL $PPID\nsleep 600\n");
  project.write("a.txt", "good");
  const guardrails = [{ command: "grep -q good a.txt", failAction: "APPEND" }];
  project.claude("claim", { guardrails, maximumIterations: 1 });
  const killed = await project.run(["run", "-p", "Do it"]);
  expect([killed.signal, project.has("killed")]).toEqual(["SIGKILL", true]);
  project.write("a.txt", "bad");
  const { code, stderr } = await project.run(["resume"]);
  expect([code, stderr]).toEqual([1, expect.not.stringContaining("completed")]);
  expect(project.prompts()).toHaveLength(1);
});
