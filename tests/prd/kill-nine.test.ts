import { expect, it } from "vitest";
import { openList } from "./list-project.ts";
import { story } from "./sample-task-file.ts";

/** Printed with a failure; `RALPH_TEST_SEED` plays it again. */
const seed = Number(process.env["RALPH_TEST_SEED"] ?? Date.now() % 1_000_000);
const killsWanted = 8;
const startsMax = 60;

/** Numbers in [0, 1), the same for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An honest agent that does what its prompt says; a prompt that was cut off says nothing. */
const honest = `set -- $(sed -n 's/^You \\([a-z-]*\\) \\([A-Z]*\\),.*/\\1 \\2/p' ../prompts/$n); case $1 in
implement) echo $2 >> code.txt; list $2 reviewStatus='"needs_review"' notes='"done"'; commit "feat: $2";;
review) list $2 reviewStatus='"approved"' passes=true reviewCount=1; commit "review: $2";;
*) exit 1;; esac`;

it(`survives ${killsWanted} kill -9 at random moments with its list in order (CW-4C, R-40)`, async ({ annotate }) => {
  await annotate(`seed ${seed}`);
  const random = randomFrom(seed);
  let kills = 0;
  for (let starts = 0; kills < killsWanted;) {
    const project = openList({
      stories: ["A", "B", "C"].map((id) => story(id)),
      acts: [honest],
      verifyCommands: ["true"],
    });
    for (let isDone = false; !isDone;) {
      expect((starts += 1), `seed ${seed}: too many starts`).toBeLessThan(startsMax);
      const runs = ((await project.json(["status"])) as { runs: { outcome: string | null }[] }).runs;
      isDone = runs[0]?.outcome === "completed";
      if (isDone) break;
      const started = project.start(runs.length === 0 ? ["prd", "run", "--unsafe", "-n", "30"] : ["resume"]);
      const delayMs = kills >= killsWanted ? 40_000 : 150 + Math.floor(random() * 1200);
      const timer = setTimeout(() => started.child.kill("SIGKILL"), delayMs);
      const { signal, code, stderr } = await started.ended;
      clearTimeout(timer);
      const isKilled = signal === "SIGKILL";
      kills += isKilled ? 1 : 0;
      expect(isKilled || code === 0, `seed ${seed}: ended with ${code}: ${stderr}`).toBe(true);
    }
    expect(project.stories(), `seed ${seed}`).toMatchObject(
      ["A", "B", "C"].map((id) => ({ id, passes: true, reviewStatus: "approved", reviewCount: 1 })),
    );
    expect(project.living(), `seed ${seed}`).toEqual([]);
  }
}, 240_000);
