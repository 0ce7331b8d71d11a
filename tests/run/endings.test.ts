import { describe, expect, it } from "vitest";
import { type Ended, openProject, type ScratchProject } from "./scratch-project.ts";

const id = /\d{8}-\d{6}-[a-z0-9]{4}/g;

/** The last line of an ended command, with the run it names. */
function lastLine({ stderr }: Ended): string {
  return (stderr.trimEnd().split("\n").at(-1) ?? "").replaceAll(id, "RUN");
}

function ending(script: string, settings: Record<string, unknown>): ScratchProject {
  const project = openProject();
  project.claude(script, settings);
  return project;
}

describe("the last line of a run", () => {
  it("gives an exhausted one more iterations, also after a resume", async () => {
    const project = ending("say Hm.", { maximumIterations: 1 });
    const more = "Give it more iterations with: ralph resume RUN -m 5";
    expect(lastLine(await project.run(["run", "-p", "Do it"]))).toBe(more);
    expect(lastLine(await project.run(["resume", "-m", "1"]))).toBe(more);
  });

  it("answers the question of one that waits", async () => {
    const project = ending("say '<promise>DECIDE: tabs?</promise>'", {});
    expect(lastLine(await project.run(["run", "-p", "Do it"]))).toBe('Answer with: ralph resume RUN --answer "TEXT"');
  });

  it("asks for a repair where failures stopped it", async () => {
    const project = ending("exit 1", { breaker: { failures: 1 } });
    expect(lastLine(await project.run(["run", "-p", "Do it"]))).toBe(
      "Repair the cause, then resume with: ralph resume RUN",
    );
  });

  it("is how a completed one ended", async () => {
    const project = ending("claim", {});
    expect(lastLine(await project.run(["run", "-p", "Do it"]))).toMatch(/^completed, unverified: /);
  });
});
