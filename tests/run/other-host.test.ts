import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openProject, type ScratchProject, until } from "./scratch-project.ts";

type Status = { runs: { id: string; state: string; outcome: string | null }[] };

/** Makes the lease of the only run one of another host that ends at `expiresAt`. */
function moveLease(project: ScratchProject, expiresAt: number): void {
  const database = new DatabaseSync(join(project.root, "state", "ralph.db"));
  const moved = database.prepare("update locks set host = 'elsewhere', expires_at = ?").run(expiresAt);
  database.close();
  expect(Number(moved.changes)).toBe(1);
}

it("leaves a run of another host alone until its lease ends, and resumes it then (R-24, R-44)", async () => {
  const project = openProject();
  project.claude("[ $n -gt 1 ] || sleep 600\nclaim", { guardrails: [{ command: "true", failAction: "APPEND" }] });
  const driver = project.start(["run", "-p", "Do it"]);
  await until(() => project.prompts().length === 1, "the first turn");
  driver.child.kill("SIGKILL");
  await driver.ended;

  moveLease(project, Date.now() + 3_600_000);
  const held = (await project.json(["status"])) as Status;
  expect(held.runs).toMatchObject([{ outcome: null }]);
  const refused = await project.run(["run", "-p", "Do it too"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/already worked on by run \S+ \(process \d+ on elsewhere\)/);

  moveLease(project, Date.now() - 1);
  const free = (await project.json(["status"])) as Status;
  expect(free.runs).toMatchObject([{ state: "died", outcome: null }]);
  const resumed = await project.run(["resume", free.runs[0]?.id ?? ""]);
  expect(resumed).toMatchObject({ code: 0 });
  expect((await project.json(["status"])) as Status).toMatchObject({ runs: [{ outcome: "completed" }] });
  expect(project.living()).toEqual([]);
});
