import { expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

it("refuses a claim whose tree nobody can read, and accepts it once git can again", async () => {
  const project = openProject({ isGit: true });
  // The first turn breaks the repository and claims; the second mends it and claims.
  const turns = "case $n in 1) mv .git ../hidden;; 2) mv ../hidden .git;; esac; claim";
  project.write("code.txt", "1\n");
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "start");
  project.plainAgent(turns, { guardrails: [{ command: "true", failAction: "APPEND" }], maximumIterations: 3 });
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect(stderr).toContain("What would be delivered could not be determined");
  expect(stderr).toContain("completed: Claim accepted in iteration 2");
  expect(code).toBe(0);
});
