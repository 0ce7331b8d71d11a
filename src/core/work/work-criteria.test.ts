import { expect, it } from "vitest";
import { parseSettings } from "../settings/parse-settings.ts";
import { workCriteria } from "./work-criteria.ts";

const settings = parseSettings([{ source: "test", value: { verifyCommand: "make" } }]);
const task = {
  id: "a",
  spec: "",
  title: "Title",
  description: "",
  priority: 1,
  dependencies: [],
  assignee: null,
  metadata: {},
  completion: null,
  version: 1,
  iteration: 0,
};

it("has the criteria of every role of every task of a work run, and none of another run", () => {
  const plan = { tasks: [task, { ...task, id: "b" }], rounds: 1, jobs: 1, worktrees: null };
  const found = workCriteria({ settings, work: { ...plan, roles: ["coder", "qa"] } });
  expect(found.map(({ role }) => role)).toEqual(["coder", "qa", "coder", "qa"]);
  expect(found[0]?.criterion.verification).toMatchObject({ method: "external", command: "make" });
  expect(workCriteria({ settings })).toEqual([]);
});
