import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, commitAll, type ListProject, openList } from "./list-project.ts";
import { story } from "./sample-task-file.ts";

/** A list with every field, and a prompt that names iteration and limit as variables. */
function openExample(): ListProject {
  const project = openList({ stories: [story("US-001")], acts: [acts.nothing] });
  const list = {
    project: "notes",
    branchName: "ralph/tags",
    description: "Notes get tags.",
    verifyCommands: ["true"],
    userStories: [
      {
        id: "US-001",
        title: "Store tags",
        description: "Each note keeps a list of tags.",
        acceptanceCriteria: ["a saved note has the tags it was saved with"],
        priority: 1,
        passes: false,
        reviewStatus: null,
        reviewCount: 0,
        reviewFeedback: "",
        notes: "",
        dependsOn: [],
      },
      {
        id: "US-002",
        title: "Show tags",
        description: "",
        acceptanceCriteria: ["`notes show 1` prints the tags"],
        priority: 2,
        passes: true,
        reviewStatus: "approved",
        reviewCount: 1,
        reviewFeedback: "",
        notes: "done",
        dependsOn: ["US-001"],
      },
    ],
  };
  project.write("ralph/tasks.json", JSON.stringify(list, null, 2));
  project.write("ralph/prompt.md", "Iteration $RALPH_ITERATION of $RALPH_MAX_ITERATIONS.\nWork.\n");
  commitAll(project);
  return project;
}

describe("a task list with every field", () => {
  it("runs with every flag, its prompt filled (S4-06, S4-10, S4-80)", async () => {
    const project = openExample();
    const flags = ["-n", "2", "-m", "opus", "-d", ".", "--ralph-dir", "./ralph", "--no-sandbox", "--review-cap", "5"];
    const ended = await project.run(["prd", "run", ...flags]);
    expect(ended.code).toBe(1);
    expect(project.prompts().map((prompt) => prompt.split("\n")[0])).toEqual([
      "Iteration 1 of 2.",
      "Iteration 2 of 2.",
    ]);
    expect(project.read("../command-lines")).toContain("--model opus");
    const skipped = await project.run(["prd", "run", "--max-iterations", "1", "--project-dir", ".", "--skip-review"]);
    expect(skipped.stderr).toContain("1 of 2 stories pass; reviews were skipped.");
  });

  it("is held at a stop by a .ralph-active with every field, both checks heard (S4-12, S4-40)", async () => {
    const project = openExample();
    const born = { passes: false, reviewStatus: null, reviewCount: 0 };
    const active = {
      timestamp: "2026-06-15T10:30:00Z",
      pid: 12345,
      max_iterations: 15,
      mode: "sandbox",
      skipReview: false,
      reviewCap: 5,
      iterationMode: "implement",
      preIterationSnapshot: { "US-001": born, "US-002": { passes: true, reviewStatus: "approved", reviewCount: 1 } },
    };
    project.write(".ralph-active", JSON.stringify(active));
    const path = join(project.directory, "ralph", "tasks.json");
    const text = readFileSync(path, "utf8");
    const event = { hook_event_name: "Stop", session_id: "one", cwd: project.directory, stop_hook_active: false };
    const stop = () => project.run(["hook", "stop"], { stdin: JSON.stringify(event) });
    writeFileSync(path, text.replace('"passes": false', '"passes": true').replace('"notes": ""', '"notes": "n"'));
    commitAll(project);
    const refused = await stop();
    expect(refused.code).toBe(2);
    expect(refused.stderr.split("\n")).toEqual([
      expect.stringMatching(/^Story US-001 has passes=true but reviewStatus is 'null', not 'approved'\./),
      expect.stringMatching(/^Implement iterations cannot set passes=true .* passes false → true\.$/),
    ]);
    writeFileSync(path, text.replace('"reviewStatus": null', '"reviewStatus": "needs_review"'));
    commitAll(project);
    expect(await stop()).toMatchObject({ code: 0, stderr: "" });
  });
});
