import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

it("verifies the journal of a run with show --check, and names the entry that was changed with exit 1", async () => {
  const project = openProject();
  project.sim(JSON.stringify({ turns: [["claim"]] }), { maximumIterations: 2 });
  expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
  const intact = await project.run(["show", "--check"]);
  expect(intact).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The journal of run \S+ is intact: \d+ entries lead to its state\.\n$/) as string,
  });
  const database = new DatabaseSync(join(project.root, "state", "ralph.db"));
  const [row] = database.prepare("select min(seq) as seq from journal where body like '%turn-started%'").all();
  const seq = Number(row?.["seq"]);
  database.exec(`update journal set body = replace(body, 'turn-started', 'turn-Started') where seq = ${seq}`);
  database.close();
  const broken = await project.run(["show", "--check"]);
  expect(broken).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`is broken at entry ${seq}: it was changed`) as string,
  });
  expect(JSON.parse((await project.run(["show", "--check", "--json"])).stdout)).toMatchObject({
    isIntact: false,
    seq,
  });
});

it("names a run that a newer version stored: status leaves it out, show and resume refuse it with the remedy", async () => {
  const project = openProject();
  project.sim(JSON.stringify({ turns: [[{ say: "hello" }]] }), { maximumIterations: 1 });
  await project.run(["run", "-p", "Do it"]);
  const [id = ""] = ((await project.json(["status"])) as { runs: { id: string }[] }).runs.map((run) => run.id);
  const database = new DatabaseSync(join(project.root, "state", "ralph.db"));
  database.exec("update runs set state = json_set(state, '$.version', 99)");
  database.close();
  const named = `Run ${id} was stored by version 99 and cannot be used`;
  const listed = await project.run(["status", "--json"]);
  expect(listed.stderr).toContain(named);
  expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [], unusable: [{ id }] });
  for (const command of ["show", "resume"]) {
    const refused = await project.run([command, id]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(named);
    expect(refused.stderr).toContain("Start a new one with `ralph run`.");
  }
});
