import { join } from "node:path";
import { canonicalJson } from "../../src/core/text/canonical-json.ts";
import { createRandom } from "../simulation/random.ts";
import type { Ended } from "../run/scratch-project.ts";
import { withClosing } from "./closing.ts";
import { type DrivenKind, scenes } from "./kinds.ts";
import { leftBehind } from "./left-behind.ts";
import type { Scene } from "./scene.ts";
import { heldBy, journalProblems, storedRuns } from "./store-facts.ts";
import { drawMoment, linesOf, type Measure, momentText, strike, type Struck } from "./strike.ts";

/** An undisturbed run: how long it took, and what each run of its kind must leave. */
export type Undisturbed = Measure & { facts: Record<string, unknown> };

/** One run to strike. */
export type Strikes = { kind: DrivenKind; seed: number; undisturbed: Undisturbed };

/** What was done to a run, for people, and what was wrong afterwards. */
export type Verdict = { story: string[]; problems: string[] };

const strikesMax = 3;

/** Codes of a further run that found its place free, whatever its agent then did. */
const startedCodes = [0, 1, 4];

/** Runs a scene without any disturbance; throws when it does not complete. */
export async function runUndisturbed(kind: DrivenKind): Promise<Undisturbed> {
  return withScene(kind, async (scene) => {
    const ended = await strike(scene.project, { words: scene.start, signal: "SIGKILL", moment: null });
    if (ended.code !== 0) throw new Error(`an undisturbed ${kind} ended with ${ended.code}: ${saidOf(ended)}`);
    return { lengthMs: ended.lengthMs, lines: linesOf(ended.stdout), facts: await factsOf(scene) };
  });
}

/** Kills a run up to three times with SIGKILL, resumes it until it ends, and looks at what is left. */
export async function killAndResume({ kind, seed, undisturbed }: Strikes): Promise<Verdict> {
  const random = createRandom(seed);
  const strikes = 1 + random.below(strikesMax);
  return verdictOf(kind, async (scene, story) => {
    const state = stateOf(scene);
    for (let count = 0; ; count += 1) {
      const words = storedRuns(state).length === 0 ? scene.start : scene.resume;
      const moment = count < strikes ? drawMoment(random, undisturbed) : null;
      story.push(`${words[0]} ${moment === null ? "undisturbed" : `killed ${momentText(moment)}`}`);
      const ended = await strike(scene.project, { words, signal: "SIGKILL", moment });
      if (ended.signal === null) return [...endProblems(ended), ...(await factProblems(scene, undisturbed))];
      // Killed when the outcome was stored and only its own end was left: the next run clears up.
      if (isCompleted(state)) return [...(await againProblems(scene)), ...(await factProblems(scene, undisturbed))];
    }
  });
}

/**
 * Sends a run one signal: it ends with 130 and holds nothing. Then it is resumed. A signal before the run is stored ends the
 * program like any other.
 */
export async function signalAndResume({ kind, seed, undisturbed }: Strikes): Promise<Verdict> {
  const random = createRandom(seed);
  const signal = random.pick(["SIGINT", "SIGTERM"] as const);
  const moment = drawMoment(random, undisturbed);
  return verdictOf(kind, async (scene, story) => {
    const state = stateOf(scene);
    story.push(`${scene.start[0]} got ${signal} ${momentText(moment)}`);
    const ended = await strike(scene.project, { words: scene.start, signal, moment });
    story.push(`ended with ${ended.code ?? ended.signal}`);
    const problems = signalProblems(scene, ended);
    const runs = storedRuns(state);
    if (problems.length > 0) return problems;
    if (!isCompleted(state)) {
      const words = runs.length === 0 ? scene.start : scene.resume;
      const resumed = await strike(scene.project, { words, signal, moment: null });
      problems.push(...endProblems(resumed));
    }
    return [...problems, ...(await factProblems(scene, undisturbed))];
  });
}

function signalProblems(scene: Scene, ended: Struck): string[] {
  const runs = storedRuns(stateOf(scene));
  // The program may have been at its very end, or gone already: it decided no more than how it ends.
  const isOver = decidedAfter(ended).every(isClosing) && ended.code === 0;
  const isBefore = ended.signal !== null && runs.length === 0;
  const left = leftBehind(scene.project);
  const staying = new Set(scene.staying?.().map(String));
  // What a child that may stay starts for a moment is gone at the next look.
  const living = new Set(scene.project.living().map(String));
  const leftAlive = left.living.filter((pid) => living.has(pid) && !staying.has(pid));
  // Before a run is stored nobody hears the signal: what that leaves is removed by the next run, and looked for after it.
  const found = isBefore ? [] : [...left.locks, ...left.temporary, ...leftAlive];
  return [
    ...(isOver || isBefore || ended.code === 130
      ? []
      : [`a signal ended it with ${ended.code ?? ended.signal}, not with 130: ${saidOf(ended)}`]),
    ...heldBy(stateOf(scene)).map((pid) => `process ${pid} still holds the place`),
    ...found.map((each) => `left after the signal: ${each}`),
  ];
}

/** A step of a journal, as it is printed; other lines have no orders. */
type Line = { at?: number; effects?: { type: string }[] };

/** The steps a program took after it was struck. What was read by then says less: lines wait in the pipe. */
function decidedAfter({ stdout, struckAt }: Struck): Line[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  const steps = lines.map((line) => JSON.parse(line) as Line).filter(({ effects }) => effects !== undefined);
  return steps.filter(({ at = Infinity }) => struckAt !== null && at > struckAt);
}

/** Whether a step says how the run ends: no order follows from it but the end. */
function isClosing({ effects = [] }: Line): boolean {
  return effects.some(({ type }) => type === "end-run");
}

function endProblems(ended: Struck): string[] {
  return ended.code === 0 ? [] : [`ended with ${ended.code}: ${saidOf(ended)}`];
}

/** What a program said last: with `--json` the end of its journal. */
function saidOf({ stdout, stderr }: Ended): string {
  return `${stdout.trim().split("\n").at(-1) ?? ""}\n${stderr}`.trim();
}

async function factProblems(scene: Scene, undisturbed: Undisturbed): Promise<string[]> {
  const facts = await factsOf(scene);
  const different = Object.keys(facts).filter(
    (name) => canonicalJson(facts[name]) !== canonicalJson(undisturbed.facts[name]),
  );
  return [
    ...different.map(
      (name) => `${name} is ${JSON.stringify(facts[name])}, undisturbed ${JSON.stringify(undisturbed.facts[name])}`,
    ),
    ...(await journalProblems(stateOf(scene))),
    ...(await checkProblems(scene)),
    ...(await againProblems(scene)),
  ];
}

/** Everything that must be the same after each run of a kind. */
async function factsOf(scene: Scene): Promise<Record<string, unknown>> {
  const runs = storedRuns(stateOf(scene));
  const first = runs.find(({ parentId }) => parentId === null);
  const own = runs.filter(({ id, parentId }) => (parentId ?? id) === first?.id);
  const outcomes = own.map(({ kind, outcome }) => `${kind} ${outcome}`);
  return { outcomes: outcomes.toSorted(), ...leftBehind(scene.project), ...(await scene.facts()) };
}

async function checkProblems({ project }: Scene): Promise<string[]> {
  const [top] = storedRuns(join(project.root, "state")).filter(({ parentId }) => parentId === null);
  const { code, stdout, stderr } = await project.run(["show", top?.id ?? "", "--check"]);
  return code === 0 ? [] : [`show --check ended with ${code}: ${stdout}${stderr}`];
}

/** A further run finds the place free, and leaves it free. */
async function againProblems({ project, again }: Scene): Promise<string[]> {
  const { code, signal, stderr } = await project.run(again);
  const isStarted = code !== null && startedCodes.includes(code);
  const holders = heldBy(join(project.root, "state"));
  return [
    ...(isStarted ? [] : [`a further run ended with ${code ?? signal}: ${stderr}`]),
    ...holders.map((pid) => `process ${pid} holds the place after everything has ended`),
  ];
}

function isCompleted(state: string): boolean {
  return storedRuns(state).some(({ parentId, outcome }) => parentId === null && outcome === "completed");
}

function stateOf({ project }: Scene): string {
  return join(project.root, "state");
}

async function verdictOf(
  kind: DrivenKind,
  act: (scene: Scene, story: string[]) => Promise<string[]>,
): Promise<Verdict> {
  const story: string[] = [];
  try {
    const faults: string[] = [];
    const onFault = ({ message }: Error): void => void faults.push(message);
    const problems = await withScene(kind, (scene) => act(scene, story), onFault);
    return { story, problems: [...problems, ...faults] };
  } catch (error) {
    return { story, problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

async function withScene<Result>(
  kind: DrivenKind,
  use: (scene: Scene) => Promise<Result>,
  onFault?: (fault: Error) => void,
): Promise<Result> {
  return withClosing(async (atEnd) => use(await scenes[kind](atEnd)), onFault);
}
