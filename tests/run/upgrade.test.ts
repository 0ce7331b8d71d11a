import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { upgradeNotes } from "../../src/core/settings/upgrade-notes.ts";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const heading = "ralph has changed since you last used it";
const sentences = upgradeNotes.map(({ text }) => text);

/** A store as an earlier version left it: that version remembered nothing. */
async function openEarlier(): Promise<ScratchProject> {
  const project = openProject();
  expect(await project.run(["status"])).toMatchObject({ code: 0 });
  rmSync(join(project.root, "state", "seen-notes"), { recursive: true });
  return project;
}

describe("the first command after an upgrade", () => {
  it("says on standard error what changed, with every note, and the next one does not", async () => {
    const project = await openEarlier();
    const first = await project.run(["status"]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain(heading);
    expect(sentences.filter((sentence) => !first.stderr.includes(sentence))).toEqual([]);
    expect(first.stdout).not.toContain(heading);
    expect((await project.run(["status"])).stderr).not.toContain(heading);
  });

  it.each([
    ["status", "--json"],
    ["run", "-p", "x", "-q", "--agent", "false"],
    ["completions", "bash"],
  ])("leaves it to the next one where programs read or nobody wants to: %s", async (...words) => {
    const project = await openEarlier();
    const { stdout, stderr } = await project.run(words);
    expect(stdout + stderr).not.toContain(heading);
    expect((await project.run(["status"])).stderr).toContain(heading);
  });

  it("reads only flags of its own, not those of a command it is given", async () => {
    const project = await openEarlier();
    const words = ["supervise", "--task-dir", "tasks/none", "--", "true", "--json"];
    expect((await project.run(words)).stderr).toContain(heading);
  });

  it("says nothing inside a turn, where an agent would read it", async () => {
    const project = await openEarlier();
    const { stderr } = await project.run(["status"], { env: { RALPH_TURN: "1" } });
    expect(stderr).not.toContain(heading);
  });

  it("says nothing to a new user, in none of their commands", async () => {
    const project = openProject();
    for (const words of [["status"], ["doctor"], ["status"]])
      expect((await project.run(words)).stderr).not.toContain(heading);
  });

  it("works where the notes cannot be remembered, and says nothing", async () => {
    const project = await openEarlier();
    project.write("../state/seen-notes", "a file in the place of the folder");
    const { code, stderr } = await project.run(["status"]);
    expect({ code, isTold: stderr.includes(heading) }).toEqual({ code: 0, isTold: false });
  });
});

it("the change log has every sentence that is said after an upgrade", () => {
  const log = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(sentences.filter((sentence) => !log.includes(sentence))).toEqual([]);
});
