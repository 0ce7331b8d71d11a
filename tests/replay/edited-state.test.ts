import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { openPrdScene } from "../kills/prd-scene.ts";
import { openRunScene } from "../kills/run-scene.ts";
import type { OpenScene, Scene } from "../kills/scene.ts";
import { storedRuns } from "../kills/store-facts.ts";
import { openSuperviseScene } from "../kills/supervise-scene.ts";
import { openWorkScene } from "../kills/work-scene.ts";
import { patient } from "../patience.ts";

const scenes: { kind: string; open: OpenScene }[] = [
  { kind: "run", open: openRunScene },
  { kind: "work", open: openWorkScene },
  { kind: "prd", open: openPrdScene },
  { kind: "supervise", open: openSuperviseScene },
];

/** What people can write into the store by hand, and the field that a check must name then. */
const edits = [
  { set: "state = json_set(state, '$.iteration', json_extract(state, '$.iteration') + 1)", field: "iteration" },
  { set: "state = json_set(state, '$.usedMs', json_extract(state, '$.usedMs') + 1)", field: "usedMs" },
  { set: "state = json_set(state, '$.outcome.reason', 'All is well.')", field: "outcome" },
  { set: "outcome = json_set(outcome, '$.reason', 'All is well.')", field: "outcome" },
];

/** What a run was started with is stored once, and the first entry of its journal has the hash of it. */
const frozenEdits = [
  "json_set(frozen, '$.settings.guardrails', json('[]'), '$.settings.maximumIterations', 9)",
  'json_set(frozen, \'$.prompt\', json(\'{"kind":"text","text":"Do less."}\'))',
  "json_set(frozen, '$.startCommit', 'abc')",
];

const stateOf = ({ project }: Scene): string => join(project.root, "state");

/** Edits a run, looks, and undoes the edit. */
async function checkEdited(scene: Scene, id: string, set: string, look: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(join(stateOf(scene), "ralph.db"));
  const { state, outcome } = database.prepare("select state, outcome from runs where id = ?").get(id) ?? {};
  database.prepare(`update runs set ${set} where id = ?`).run(id);
  await look();
  database.prepare("update runs set state = ?, outcome = ? where id = ?").run(state ?? "", outcome ?? "", id);
  database.close();
}

/** The same for what it was started with. */
async function checkRestarted(scene: Scene, id: string, frozen: string, look: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(join(stateOf(scene), "ralph.db"));
  const before = database.prepare("select frozen from inputs where run_id = ?").get(id)?.["frozen"] ?? "";
  database.prepare(`update inputs set frozen = ${frozen} where run_id = ?`).run(id);
  await look();
  database.prepare("update inputs set frozen = ? where run_id = ?").run(before, id);
  database.close();
}

async function check(scene: Scene, id: string): Promise<{ code: number | null; said: unknown }> {
  const { code, stdout, stderr } = await scene.project.run(["show", id, "--check", "--json"]);
  expect(stderr).toBe("");
  return { code, said: JSON.parse(stdout) };
}

it.each(scenes)(
  "calls the journals of ralph $kind intact, and broken where the stored state or what it was started with was edited by hand",
  async ({ open }) => {
    const scene = await open(onTestFinished);
    expect(await scene.project.run(scene.start)).toMatchObject({ code: 0 });
    const runs = storedRuns(stateOf(scene));
    const whole = { isIntact: true, isReplayed: true, unreplayed: 0 };
    for (const { id } of runs) expect(await check(scene, id)).toMatchObject({ code: 0, said: { id, ...whole } });
    const [top, last] = [runs[0]?.id ?? "", runs.at(-1)?.id ?? ""];
    for (const { set, field } of edits)
      await checkEdited(scene, last, set, async () => {
        expect(await check(scene, last)).toMatchObject({ code: 1, said: { isIntact: false, fields: [field] } });
        // A work run is checked with its role runs.
        expect(await check(scene, top)).toMatchObject({ code: 1, said: { id: top, isIntact: false } });
      });
    for (const frozen of frozenEdits)
      for (const edited of new Set([top, last]))
        await checkRestarted(scene, edited, frozen, async () => {
          const problem = "what it was started with was changed";
          expect(await check(scene, edited)).toMatchObject({ code: 1, said: { isIntact: false, seq: null, problem } });
          expect(await check(scene, top)).toMatchObject({ code: 1, said: { id: top, isIntact: false } });
        });
    expect(await check(scene, top)).toMatchObject({ code: 0 });
  },
  patient(120_000),
);

it("calls a work run broken whose role run was taken away", async () => {
  const scene = await openWorkScene(onTestFinished);
  expect(await scene.project.run(scene.start)).toMatchObject({ code: 0 });
  const runs = storedRuns(stateOf(scene));
  const [top, role] = [runs[0]?.id ?? "", runs.at(-1)?.id ?? ""];
  const database = new DatabaseSync(join(stateOf(scene), "ralph.db"));
  database.prepare("update runs set parent_id = null where id = ?").run(role);
  database.close();
  const { code, said } = await check(scene, top);
  expect(code).toBe(1);
  expect(said).toMatchObject({ isIntact: false, problem: `its role run ${role} is gone` });
});
