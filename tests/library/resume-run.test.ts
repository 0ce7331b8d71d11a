import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CheckFunction, type LoopHandle, resumeRun, runLoop, runTasks } from "../../src/index.ts";
import { eventually, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { openFolder } from "./open-folder.ts";

/** A loop whose agent claims only in its second turn, and which has one iteration. */
function exhausted(): { first: LoopHandle; stateFolder: string; agent: () => string; checks: [CheckFunction] } {
  const stateFolder = openFolder();
  let turn = 0;
  const agent = (): string => ((turn += 1) === 1 ? "Not yet." : "<promise>DONE</promise>");
  const checks: [CheckFunction] = [{ name: "the moon", check: () => true }];
  const settings = { maximumIterations: 1 };
  const first = runLoop({
    projectDir: openFolder(),
    prompt: "Try",
    stateFolder,
    agent,
    checks: [...checks, "true"],
    settings,
  });
  return { first, stateFolder, agent, checks };
}

describe("resumeRun", () => {
  it("continues a run with the functions that it was started with", async () => {
    const { first, stateFolder, agent, checks } = exhausted();
    expect(await first.outcome).toMatchObject({ name: "exhausted" });
    const again = resumeRun({ runId: first.id, stateFolder, agent, checks, moreIterations: 1 });
    const seen: string[] = [];
    for await (const event of again.events) if (event.kind === "check") seen.push(event.progress.gate.name);
    expect(again.id).toBe(first.id);
    expect(await again.outcome).toMatchObject({ name: "completed" });
    expect(seen).toContain("the moon");
  });

  it("refuses a run whose functions are not given, and names them", async () => {
    const { first, stateFolder, agent, checks } = exhausted();
    await first.outcome;
    const options = { runId: first.id, stateFolder, moreIterations: 1 };
    const refused = { name: "RalphError", code: "not-resumable" };
    await expect(resumeRun(options).outcome).rejects.toMatchObject({
      ...refused,
      message: `Run ${first.id} needs functions of the program that started it: its agent; the check the moon.`,
    });
    const more = [...checks, { name: "the sun", check: () => true }];
    await expect(resumeRun({ ...options, agent, checks: more }).outcome).rejects.toMatchObject({
      code: "usage",
      message: `Run ${first.id} was started without the check the sun; its agent and checks are frozen.`,
    });
    const other = [{ ...checks[0], name: "the sun" }];
    await expect(resumeRun({ ...options, agent, checks: other }).outcome).rejects.toMatchObject(refused);
    await expect(resumeRun({ runId: first.id, stateFolder, agent, checks }).outcome).rejects.toMatchObject({
      ...refused,
      hint: expect.stringContaining("moreIterations: 5") as string,
    });
  });

  it("refuses commands that the run was not started with, and takes those of its contract", async () => {
    const { first, stateFolder, agent, checks } = exhausted();
    await first.outcome;
    const options = { runId: first.id, stateFolder, agent, moreIterations: 1 };
    await expect(resumeRun({ ...options, checks: [...checks, "false"] }).outcome).rejects.toMatchObject({
      name: "RalphError",
      code: "usage",
      message: `Run ${first.id} was started without the check false; its agent and checks are frozen.`,
    });
    const again = resumeRun({ ...options, checks: [...checks, "true"] });
    expect(await again.outcome).toMatchObject({ name: "completed" });
  });

  it("refuses a run that this very program drives, and one that is not there", async () => {
    const stateFolder = openFolder();
    const agent = () => new Promise<string>(() => {});
    const living = runLoop({ projectDir: openFolder(), prompt: "Hang", stateFolder, agent });
    for await (const { kind } of living.events) if (kind === "started") break;
    const again = resumeRun({ runId: living.id, stateFolder, agent });
    await expect(again.outcome).rejects.toMatchObject({ code: "own-run" });
    await living.cancel();
    await expect(resumeRun({ runId: "none", stateFolder }).outcome).rejects.toMatchObject({ code: "not-found" });
  });

  it("continues a work run, each of its roles with the function", async () => {
    const stateFolder = openFolder();
    let turn = 0;
    const agent = (): string => ((turn += 1) <= 2 ? "Not yet." : "<promise>IMPLEMENTATION_COMPLETE</promise>");
    const coder = {
      promise: "IMPLEMENTATION_COMPLETE",
      max_iterations: 2,
      verification_method: "string_match" as const,
    };
    const completion = { outcome: "A greeting is shown.", acceptance_criteria: ["It greets."], coder };
    const work = runTasks({
      projectDir: openFolder(),
      stateFolder,
      tasks: [{ id: "greet", title: "Greet the user", completion }],
      roles: ["coder"],
      agent,
      settings: { verifyCommand: "true" },
    });
    expect(await work.outcome).toMatchObject({ name: "exhausted" });
    const again = resumeRun({ runId: work.id, stateFolder, agent, moreIterations: 2 });
    expect(await again.outcome).toMatchObject({ name: "completed" });
  });
});

const library = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "index.ts")).href;

/** A program of the project whose loop has an agent function, a check function and a kind of gate; killed in its first turn. */
async function killProgram(project: ScratchProject): Promise<void> {
  const options = `{ projectDir: ${JSON.stringify(project.directory)}, stateFolder: ${JSON.stringify(join(project.root, "state"))} }`;
  const program = join(project.root, "program.ts");
  writeFileSync(
    program,
    `import { writeFileSync } from "node:fs";
import { runLoop } from ${JSON.stringify(library)};
const agent = () => { writeFileSync("begun", ""); return new Promise(() => {}); };
const gates = [{ name: "toy", gatesOf: () => [{ id: "toy", kind: "toy", name: "a toy", when: "on-claim", isBeforeDelivery: true,
  isAlways: false, origin: "toy", limits: { wallMs: null }, tells: "reason", spec: null }], open: () => () => null }];
setInterval(() => {}, 1000);
await runLoop({ ...${options}, prompt: "Hang", agent, gates, checks: [{ name: "the moon", check: () => true }] }).outcome;
`,
  );
  const child = spawn(process.execPath, [program], { cwd: project.directory, stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await eventually(() => expect(project.has("begun")).toBe(true));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

describe("a killed run of a program with functions", () => {
  it("is not offered a resume on the command line that cannot work, but the one that can, and is cancelled there", async () => {
    const project = openProject();
    await killProgram(project);
    const { runs } = (await project.json(["status"])) as { runs: { id: string; reason: string }[] };
    const [{ id, reason } = { id: "", reason: "" }] = runs;
    expect(reason).toBe(
      `The driver died. Resume with: resumeRun({ runId: "${id}", ... }) in the program that started it, with the same functions`,
    );
    expect((await project.run(["show"])).stdout).toContain("in the program that started it");
    const resumed = await project.run(["resume"]);
    expect([resumed.code, resumed.stderr]).toEqual([
      2,
      expect.stringContaining(
        "needs functions of the program that started it: its agent; the check the moon; gates of",
      ),
    ]);
    project.claude("claim");
    const other = await project.run(["run", "-p", "Something else"]);
    expect(other.stderr).toContain(`Resume it with: resumeRun({ runId: "${id}"`);
    const cancelled = await project.run(["cancel", id]);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining(`Run ${id}: cancelled.`)]);
  });
});
