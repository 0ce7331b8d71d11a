import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const killsWanted = 30;

/** Printed with a failure; `RALPH_TEST_SEED` plays it again. */
const seed = Number(process.env["RALPH_TEST_SEED"] ?? Date.now() % 1_000_000);

/** Numbers in [0, 1), the same for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts a driver and kills it at a random moment; true when it was killed before it ended by itself. */
async function killAt(project: ScratchProject, words: string[], delayMs: number): Promise<boolean> {
  const started = project.start(words);
  const timer = setTimeout(() => started.child.kill("SIGKILL"), delayMs);
  const { signal, code, stderr } = await started.ended;
  clearTimeout(timer);
  if (signal === null && code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
  return signal === "SIGKILL";
}

it(`survives ${killsWanted} kill -9 at random moments: right iterations, nothing left, completed (R-40, R-44, R-80)`, async ({
  annotate,
}) => {
  await annotate(`seed ${seed}`);
  const random = randomFrom(seed);
  const iterations = 8;
  let kills = 0;
  for (let round = 0; kills < killsWanted; round += 1) {
    expect(round, `seed ${seed}: too few kills`).toBeLessThan(killsWanted);
    const project = openProject();
    // Each turn leaves a child behind and notes which iteration it is; only the eighth claims. A driver killed before it
    // has written the prompt leaves a turn that knows nothing.
    const count = join(project.root, "turns");
    project.claude(
      `sleep 600 &
i=$(sed -n 's/^Iteration \\([0-9]*\\) of.*/\\1/p' '${join(project.root, "prompts")}/'$n)
[ -n "$i" ] || exit 1
echo $i >> '${count}'
sleep 0.05
[ "$i" -ge ${iterations} ] && claim
say "Iteration $i."`,
      {
        maximumIterations: iterations,
        breaker: { noProgress: null },
        includeIterationCountInPrompt: true,
        guardrails: [{ command: "sleep 0.02", failAction: "APPEND" }],
      },
    );
    let isDone = false;
    for (let start = 0; !isDone; start += 1) {
      const isLast = kills >= killsWanted;
      const words = start === 0 ? ["run", "-p", "Do it"] : await nextWords(project);
      const isKilled = await killAt(project, words, isLast ? 30_000 : 120 + Math.floor(random() * 700));
      isDone = !isKilled || (await isCompleted(project));
      if (isKilled) kills += 1;
    }
    expect(project.living(), `seed ${seed}`).toEqual([]);
    const status = (await project.json(["status"])) as { runs: { outcome: string; iteration: number }[] };
    expect(status.runs, `seed ${seed}`).toMatchObject([{ outcome: "completed", iteration: iterations }]);
    const turns = readFileSync(count, "utf8").trim().split("\n").map(Number);
    // A turn cut off is repeated under its number; none is left out and none comes back later.
    expect(turns, `seed ${seed}`).toEqual(turns.toSorted((first, second) => first - second));
    expect(new Set(turns).size, `seed ${seed}`).toBe(iterations);
    const shown = (await project.json(["show"])) as { iterations: { number: number; checks: unknown[] }[] };
    const judged = shown.iterations.filter(({ checks }) => checks.length > 0).map(({ number }) => number);
    expect(judged, `seed ${seed}`).toEqual(Array.from({ length: iterations }, (_, at) => at + 1));
  }
}, 240_000);

/** A driver may be killed when the outcome is stored and only its own end is left. */
async function isCompleted(project: ScratchProject): Promise<boolean> {
  const { runs } = (await project.json(["status"])) as { runs: { outcome: string | null }[] };
  return runs.some(({ outcome }) => outcome === "completed");
}

/** A driver killed before it had stored its run leaves nothing to resume; then it is started again. */
async function nextWords(project: ScratchProject): Promise<string[]> {
  const { runs } = (await project.json(["status"])) as { runs: unknown[] };
  return runs.length === 0 ? ["run", "-p", "Do it"] : ["resume"];
}
