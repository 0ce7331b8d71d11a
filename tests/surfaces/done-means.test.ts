import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { superviseLoop } from "../../src/index.ts";
import { openHookWorld } from "../hooks/built-hook.ts";
import { openFolder } from "../library/open-folder.ts";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openProject } from "../run/scratch-project.ts";
import { openTask } from "../supervise/open-task.ts";
import { completion, onWord, openWork } from "../work/open-work.ts";

/** Where a check stands, and whether it is green. */
type Source = { guardrail: boolean | null; criterion: boolean | null };

const command = (isGreen: boolean): string => (isGreen ? "true" : "false");

function settingsOf({ guardrail }: Source): Record<string, unknown> {
  return guardrail === null ? {} : { guardrails: [{ command: command(guardrail), failAction: "APPEND" }] };
}

function criteriaOf(isGreen: boolean): string {
  const coder = {
    promise: "NEVER_SAID",
    description: "the project's own",
    verification_method: "external",
    verification_config: { command: command(isGreen) },
  };
  return JSON.stringify({ outcome: "It works.", acceptance_criteria: ["it works"], coder });
}

function writeCriteria(directory: string, { criterion }: Source): void {
  if (criterion === null) return;
  mkdirSync(join(directory, "ralph"), { recursive: true });
  writeFileSync(join(directory, "ralph", "criteria.yaml"), criteriaOf(criterion));
}

/** Each surface with a claim in its first turn: whether that claim completes. */
const surfaces: Record<string, (source: Source) => Promise<boolean>> = {
  async run(source) {
    const project = openProject({ isGit: true });
    project.claude("claim", { ...settingsOf(source), maximumIterations: 1 });
    writeCriteria(project.directory, source);
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect([0, 1]).toContain(code);
    return code === 0;
  },
  async prd(source) {
    const settings = { ...settingsOf(source), maximumIterations: 2 };
    const list = openList({
      stories: [story("US-001")],
      acts: [acts.implement("US-001"), acts.approve("US-001")],
      settings,
    });
    writeCriteria(list.directory, source);
    const { code } = await list.prdRun();
    expect([0, 1, 4]).toContain(code);
    return code === 0;
  },
  async supervise(source) {
    const task = openTask();
    task.agent("done_now", settingsOf(source));
    writeCriteria(task.project.directory, source);
    const { code } = await task.run(["--max-restarts", "1"]);
    expect([0, 1]).toContain(code);
    // A refused DONE is moved aside, so that only a new one counts.
    expect(task.has("DONE")).toBe(code === 0);
    return code === 0;
  },
  async superviseLoop(source) {
    const projectDir = openFolder({ ".ralph/settings.json": JSON.stringify(settingsOf(source)) });
    writeCriteria(projectDir, source);
    const taskDir = openFolder();
    const done = join(taskDir, "DONE");
    const runRoot = (): Promise<null> => {
      writeFileSync(done, "");
      return Promise.resolve(null);
    };
    const order = { projectDir, taskDir, stateFolder: openFolder(), maxRestarts: 1, runRoot };
    const { outcome } = await superviseLoop(order);
    expect(["completed", "exhausted"]).toContain(outcome.name);
    expect(existsSync(done)).toBe(outcome.name === "completed");
    return outcome.name === "completed";
  },
  async work(source) {
    const project = openWork();
    project.worker("claim", { ...settingsOf(source), work: { roles: ["coder"], rounds: 1 } });
    await project.tasks({ id: "T1", title: "It", completion: completion({ coder: onWord("CODED", 1) }) });
    writeCriteria(project.directory, source);
    const { code } = await project.run(["work"]);
    expect([0, 1, 4]).toContain(code);
    return code === 0;
  },
  session(source) {
    const world = openHookWorld();
    onTestFinished(() => world.remove());
    mkdirSync(join(world.project, ".ralph"), { recursive: true });
    writeFileSync(join(world.project, ".ralph", "settings.json"), JSON.stringify(settingsOf(source)));
    writeCriteria(world.project, source);
    world.run("user-prompt-submit", "UserPromptSubmit-ralph");
    const fields = { last_assistant_message: "All done. <promise>DONE</promise>" };
    const { exitCode, isBlocked } = world.run("stop", "Stop-first", { fields });
    expect([0, 2]).toContain(exitCode);
    return Promise.resolve(!isBlocked);
  },
};

describe.each(Object.keys(surfaces))("done on the surface %s", (name) => {
  it.each<[string, Source, boolean]>([
    ["a red guardrail refuses", { guardrail: false, criterion: null }, false],
    ["a green guardrail lets through", { guardrail: true, criterion: null }, true],
    ["a red criterion of the project refuses", { guardrail: null, criterion: false }, false],
    ["a green criterion of the project lets through", { guardrail: null, criterion: true }, true],
    ["one red source of two refuses", { guardrail: true, criterion: false }, false],
    ["both green let through", { guardrail: true, criterion: true }, true],
  ])("%s", async (_title, source, expected) => {
    expect(await surfaces[name]?.(source)).toBe(expected);
  });
});

describe("done at a stop without a loop", () => {
  function stop(source: Source): number {
    const world = openHookWorld();
    onTestFinished(() => world.remove());
    mkdirSync(join(world.project, ".ralph"), { recursive: true });
    writeFileSync(join(world.project, ".ralph", "settings.json"), JSON.stringify(settingsOf(source)));
    writeCriteria(world.project, source);
    return world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } }).exitCode ?? -1;
  }

  it.each<[string, Source, number]>([
    ["a red guardrail refuses where the project has criteria", { guardrail: false, criterion: true }, 2],
    ["a red criterion refuses", { guardrail: true, criterion: false }, 2],
    ["green ones let through", { guardrail: true, criterion: true }, 0],
    ["guardrails alone hold nobody: the criteria file is the switch", { guardrail: false, criterion: null }, 0],
  ])("%s", (_title, source, exitCode) => expect(stop(source)).toBe(exitCode));
});
