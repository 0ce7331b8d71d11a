import { expect, it } from "vitest";
import { completion, external, openWork } from "./open-work.ts";

it("task create proposes limits from what similar tasks needed, and applies none (S2-59)", async () => {
  const work = openWork();
  work.worker('echo "$iteration" >> "$task.txt"; claim');
  const needs = (id: string, iterations: number) => ({
    id,
    spec: "login",
    completion: completion({ coder: external("CODED", `grep -q ${iterations} ${id}.txt`) }),
  });
  await work.tasks(needs("a", 1), needs("b", 2), needs("c", 3));
  expect((await work.run(["work", "--roles", "coder"])).code).toBe(0);
  const needed = ["--outcome", "It works", "--acceptance", "It works"];
  const create = (id: string, spec: string) => ["task", "create", id, spec, "Another one", ...needed];
  const { stdout, stderr } = await work.run(create("d", "login"));
  expect(stdout).toBe("Task d is stored. Look at it: ralph task show d\n");
  expect(stderr).toBe(
    "Iterations that similar tasks of this project needed (a proposal, nothing is changed):\n" +
      "  coder: median 2, p90 3, of 3 completed runs; the limit is 15\n" +
      "To take the p90 as the limit: ralph task edit d --coder-max-iterations 3\n",
  );
  expect(await work.json(["task", "show", "d"])).toMatchObject({ roles: [{ maxIterations: 15 }, {}, {}, {}] });
  expect((await work.run(["task", "edit", "d", "--coder-max-iterations", "3"])).code).toBe(0);
  expect(await work.json(["task", "show", "d"])).toMatchObject({ roles: [{ maxIterations: 3 }, {}, {}, {}] });
  expect(await work.json(create("e", "login"))).toMatchObject({
    history: [{ role: "coder", runs: 3, unfinished: 0, median: 2, p90: 3, limit: 15 }],
  });
  expect(await work.json(create("f", "shop"))).toMatchObject({ history: [] });
});
