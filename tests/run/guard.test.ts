import { describe, expect, it } from "vitest";
import { completion, onWord, openWork } from "../work/open-work.ts";
import { openProject, type ScratchProject } from "./scratch-project.ts";

/** An agent that writes down how it was called, and claims. */
function agent(project: ScratchProject, settings: Record<string, unknown> = {}): void {
  project.claude(`printf '%s\\n' "$@" > ../argv\ntouch "work-$n"\nclaim`, { maximumIterations: 1, ...settings });
}

describe("the guard of a run", () => {
  it("is handed to the agent, and the start line says so (CW-4B, S4-89)", async () => {
    const project = openProject();
    agent(project);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Run \S+ starts, guarded: /m)]);
    expect(project.read("../argv")).toMatch(/^--settings\n\{"hooks":\{"PreToolUse":.*"pre-tool-use"/m);
  });

  it("is off where a flag or the settings say so, also after a resume (CW-4B)", async () => {
    const project = openProject();
    agent(project, { agent: { guard: true }, guardrails: [{ command: "test -e green", failAction: "APPEND" }] });
    const { stderr } = await project.run(["run", "-p", "Do it", "--no-guard"]);
    expect(stderr).toMatch(/^Run \S+ starts, unguarded: /m);
    expect(project.read("../argv")).not.toContain("--settings");
    project.write("green", "");
    const resumed = await project.run(["resume", /^Run (\S+)/m.exec(stderr)?.[1] ?? "", "-m", "2"]);
    expect(resumed.stderr).toMatch(/^Run \S+ continues, unguarded: /m);
    expect(project.read("../argv")).not.toContain("--settings");
  });

  it("is not there for an agent without hooks, which the start line says (CW-4B)", async () => {
    const project = openProject();
    project.plainAgent("touch work; echo '<promise>DONE</promise>'", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).stderr).toMatch(/^Run \S+ starts, unguarded: /m);
  });

  it("refuses a call of any tool that carries a command, inside the run alone (S4-89, R-121)", async () => {
    const project = openProject();
    const event = { session_id: "s", tool_name: "mcp__x__y", tool_input: { argv: ["rm", "-rf", "/"] } };
    const stdin = JSON.stringify({ ...event, cwd: project.directory, hook_event_name: "PreToolUse" });
    const hook = ["hook", "pre-tool-use", "--host", "claude-code", "--for", "run"];
    const inside = await project.run(hook, { stdin, env: { RALPH_RUN_ID: "r" } });
    expect(inside.stdout).toContain('"permissionDecision":"deny"');
    expect((await project.run(hook, { stdin })).stdout).not.toContain("deny");
  });
});

it("is handed to every role of a work run, and the lines say so (CW-4B, S4-89)", async () => {
  const work = openWork();
  const roles = { work: { roles: ["coder"] } };
  work.worker("touch made; claim", roles);
  await work.tasks({ id: "a-1", completion: completion({ coder: onWord("CODED") }) });
  const path = work.claude(`printf '%s\\n' "$@" > "$HOME/argv"\ntouch made\nsay '<promise>CODED</promise>'`, roles);
  const { stderr } = await work.run(["work", "--agent", path]);
  expect(stderr).toMatch(/^Work \S+ starts, guarded: [^]*^Task a-1: coder starts, guarded \(run \S+\)$/m);
});
