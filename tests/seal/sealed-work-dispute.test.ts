import { expect, it } from "vitest";
import { completion, onWord, openWork } from "../work/open-work.ts";
import { writeSuite } from "./sealed-project.ts";

/** Adds 10, and changes the tests to that: the old ones fail, its own ones pass. */
const changes = "sed -i 's/, 3)/, 13)/; s/, 1)/, 11)/' test/add.test.js";
const insists = `printf "export const add = (a, b) => a + b + 10;\\n" > add.js; ${changes}`;

it("changed tests make a role wait, and count for all roles and the merged tip once they are accepted", async () => {
  const work = openWork();
  writeSuite(work);
  const guardrails = [{ command: "node --test", failAction: "APPEND" }];
  const seal = { checks: "claims", repeat: 1 };
  const roles = ["coder", "reviewer"];
  work.worker(`[ $role = reviewer ] || { ${insists}; }\nclaim`, { guardrails, seal, work: { roles, rounds: 1 } });
  const done = completion({ coder: onWord("CODED", 4), reviewer: onWord("REVIEWED", 1) });
  await work.tasks({ id: "one", title: "Add ten", completion: done });
  const { code, stderr } = await work.run(["work", "--worktrees"]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("--accept-tests all")]);
  const [whole] = await work.works();
  const [coder] = whole?.children ?? [];
  expect((await work.run(["show", coder?.id ?? ""])).stdout).toContain("In dispute (refused 2 times)");
  const wrong = await work.run(["resume", "--accept-tests", "test/other.js"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Not in dispute: test/other.js.")]);
  const accepted = await work.run(["resume", coder?.id ?? "", "--accept-tests", "all"]);
  expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining("Merged, then green: node --test")]);
  expect(work.read("test/add.test.js")).toContain("13");
  expect((await work.run(["show", "--check"])).code).toBe(0);
  expect(work.living()).toEqual([]);
});
