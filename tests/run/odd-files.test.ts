import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { oddThings, putThere } from "./odd-places.ts";
import { type Ended, openProject, type ScratchProject, until } from "./scratch-project.ts";

const places = [".ralph/settings.json", ".ralph/settings.local.json", "prompt.md"] as const;

describe("ralph run with something odd in place of a file", () => {
  it.each(oddThings.flatMap((thing) => places.map((place) => [thing, place] as const)))(
    "refuses %s at %s with exit 2 and names it (R-99)",
    async (thing, place) => {
      const project = openProject();
      project.claude("claim");
      project.write("prompt.md", "Do it");
      putThere(join(project.directory, place), thing);
      const { code, stderr } = await project.run(["run", "-f", "prompt.md"]);
      expect(stderr).toContain(`ralph: ${join(project.directory, place)} is ${thing}`);
      expect(code).toBe(2);
      expect(project.prompts()).toEqual([]);
    },
  );

  it("reads a prompt and settings that are links to files kept elsewhere", async () => {
    const project = openProject();
    const program = project.claude("claim");
    project.write("../kept/prompt.md", "Do it");
    project.write(
      "../kept/settings.json",
      JSON.stringify({ agent: { command: program }, completion: { requireProgress: false } }),
    );
    rmSync(join(project.directory, ".ralph/settings.json"));
    symlinkSync("../../kept/settings.json", join(project.directory, ".ralph/settings.json"));
    symlinkSync("../kept/prompt.md", join(project.directory, "prompt.md"));
    expect((await project.run(["run", "-f", "prompt.md"])).code).toBe(0);
    expect(project.prompts()[0]).toContain("Do it");
  });
});

/** A run whose first turn does something to a file; the second would claim. */
async function runWith(act: string): Promise<Ended & { project: ScratchProject }> {
  const project = openProject();
  project.claude(`case $n in 1) ${act};; *) claim;; esac`);
  project.write("prompt.md", "Do it");
  return { ...(await project.run(["run", "-f", "prompt.md"])), project };
}

describe("a turn that puts something odd in place of a file", () => {
  it.each([
    ["a pipe", "rm prompt.md; mkfifo prompt.md"],
    ["a device", "ln -sf /dev/zero prompt.md"],
  ])("ends the run when the prompt is %s now, and says so (R-99)", async (thing, act) => {
    const { code, stderr, project } = await runWith(act);
    expect(stderr).toContain(`prompt.md is ${thing}, not a regular file.`);
    expect(code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
  });

  it("does not disturb the run when it is the settings: they are frozen (R-99)", async () => {
    const { code, stderr } = await runWith("rm .ralph/settings.json; mkfifo .ralph/settings.json");
    expect(stderr).toContain("The settings were edited during the run");
    expect(code).toBe(0);
  });

  it("leaves status, show and cancel at work (R-99, R-42)", async () => {
    const project = openProject();
    const act = "rm -f .ralph/settings.json prompt.md; mkfifo .ralph/settings.json .ralph-active prompt.md";
    project.claude(`${act}; exit 1`, { agent: { retryDelay: "60s" } });
    project.write("prompt.md", "Do it");
    const started = project.start(["run", "-f", "prompt.md"]);
    await until(() => started.stderr().includes("(back-off)"), "the wait after the first turn");
    expect((await project.run(["status"])).code).toBe(0);
    expect((await project.run(["show"])).code).toBe(0);
    expect((await project.run(["cancel"])).stdout).toContain("cancelled");
    expect((await started.ended).code).toBe(5);
  });
});
