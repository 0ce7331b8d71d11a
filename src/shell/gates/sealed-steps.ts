import { addedLines } from "../../core/verification/diff-lines.ts";
import { findForbidden, forbiddenText } from "../../core/verification/forbid.ts";
import { areRedOnlyIn, quarantineOf, withoutTests } from "../../core/verification/inventory/flaky-tests.ts";
import { namesOfTests } from "../../core/verification/inventory/inventory-texts.ts";
import { releaseTests } from "../../core/verification/inventory/release-tests.ts";
import { isTestIn } from "../../core/verification/inventory/test-place.ts";
import { lockNames } from "../../core/verification/locks/read-lock.ts";
import { checkTexts } from "../../core/verification/sealed/check-texts.ts";
import { areSure, deafReason, falsifyFiles, judgeProbe, probeLimitMs } from "../../core/verification/sealed/probe.ts";
import { type Dispute, disputeText } from "../../core/verification/sealed/judge-dispute.ts";
import { judgeLocks, type LockPair } from "../../core/verification/sealed/judge-locks.ts";
import { countTurned, judgeRepeats, type RepeatedRun } from "../../core/verification/sealed/repeats.ts";
import type { SealedStep } from "../../core/verification/sealed/sealed-steps.ts";
import { allowedFiles } from "../seal/check-in-copy.ts";
import type { OpenSeal } from "../seal/open-seal.ts";
import { projectFiles, type SealedCheckEnd, testsOf } from "../seal/sealed-checks.ts";
import type { CheckBase } from "../seal/seal-record.ts";
import { isDeafToSpots, spotRunOf } from "../seal/single-probes.ts";
import { tryMutants } from "./mutants-step.ts";
import { runAgain, type SealedScene, type StepEnd } from "./sealed-scene.ts";

const passed: StepEnd = { problem: null };

function refused(problem: string): StepEnd {
  return { problem };
}

function inDispute(dispute: Dispute): StepEnd {
  return { problem: disputeText(dispute), dispute };
}

/** How each step is carried out. Each rejects when the copy cannot be used. */
export const stepPerformers: Record<SealedStep, (scene: SealedScene) => Promise<StepEnd>> = {
  async tools({ seal }) {
    const changes = await seal.toolChanges();
    return changes.length === 0 ? passed : refused(`A program of the checks is another one: ${changes.join(" ")}`);
  },
  locks: judgeLockFiles,
  forbid: findForbiddenLines,
  repeats: repeatTurned,
  "own-tests": runOwnTests,
  probe,
  mutants: tryMutants,
};

async function judgeLockFiles({ seal, candidate, context }: SealedScene): Promise<StepEnd> {
  const [base, now] = [await locksOf(seal, seal.record.base), await locksOf(seal, candidate)];
  const paths = [...new Set([...base.keys(), ...now.keys()])];
  const pairs = paths.map((path): LockPair => ({
    path,
    base: base.get(path) ?? null,
    candidate: now.get(path) ?? null,
  }));
  const { refusals, disputed } = judgeLocks(pairs, context.frozen.settings.seal.allow);
  if (refusals.length > 0) return refused(refusals.join(" "));
  if (disputed.length === 0) return passed;
  const names = disputed.map(({ packages }) => packages).join(", ");
  return inDispute({ kind: "packages", files: disputed.map(({ path }) => path), names });
}

async function locksOf(seal: OpenSeal, tree: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, { object }] of await seal.files(tree)) {
    if (lockNames.includes(path.slice(path.lastIndexOf("/") + 1)) && !path.includes("node_modules/"))
      texts.set(path, await seal.text(object));
  }
  return texts;
}

/** Lines that silence a tool of the checks; which tools these are, the scripts of the base say. */
async function findForbiddenLines({ seal, candidate, context, results }: SealedScene): Promise<StepEnd> {
  const lines = addedLines(await seal.difference(candidate));
  const checks = checkTexts([...results.keys()], await projectFiles(seal, { candidate, variant: "A" }));
  const problem = forbiddenText(findForbidden(lines, context.frozen.settings.seal.forbid, checks));
  return problem === null ? passed : refused(problem);
}

/** Tests that turned green run again, each time in a fresh copy. A check without a report is repeated by its exit code. */
async function repeatTurned(scene: SealedScene): Promise<StepEnd> {
  const { repeat } = scene.context.frozen.settings.seal;
  for (const [command, { verdict }] of scene.results) {
    if (turnedOf(scene, command) === 0) continue;
    const runs: RepeatedRun[] = [];
    for (let count = 1; count < repeat; count += 1) {
      const ended = await runAgain(scene, { command, variant: "A" });
      if (ended === "cut") return "cut";
      runs.push({ exitCode: codeOf(ended), tests: testsOf(ended.report) });
    }
    const problem = judgeRepeats(verdict.comparison, runs);
    if (problem !== null) return refused(problem);
  }
  return passed;
}

/** How many tests of a check turned green with this candidate. */
export function turnedOf(scene: SealedScene, command: string): number {
  const comparison = scene.results.get(command)?.verdict.comparison ?? null;
  return countTurned({ comparison, baseExitCode: baseOf(scene, command)?.exitCode ?? null });
}

/** The candidate's own tests: green, and no fewer passed tests than the base has. Where the base's form of them is red, a dispute. */
async function runOwnTests(scene: SealedScene): Promise<StepEnd> {
  const ended = await runChangedTests(scene);
  const tests = [...scene.results.values()].flatMap(({ verdict }) => (verdict.isPassed ? [] : verdict.disputable));
  if (ended === "cut" || ended.problem !== null || tests.length === 0) return ended;
  const files = scene.written.changedTests.filter((path) => tests.some((test) => isTestIn(test, [path])));
  return inDispute({ kind: "tests", files: files.slice(0, disputedFilesMax), names: namesOfTests(tests) });
}

/** The state of a run names them; those beyond are in dispute the next time. */
const disputedFilesMax = 200;

async function runChangedTests(scene: SealedScene): Promise<StepEnd> {
  const allowed = await allowedFiles(scene.seal, scene.context);
  for (const command of scene.results.keys()) {
    const ended = await runAgain(scene, { command, variant: "B" });
    if (ended === "cut") return "cut";
    const { tests: asked = null, flaky = [] } = baseOf(scene, command) ?? {};
    const quarantined = quarantineOf({ flaky: new Set(flaky), base: asked ?? [], changed: scene.written.changedTests });
    const isByChance = areRedOnlyIn(testsOf(ended.report) ?? [], quarantined);
    if (codeOf(ended) !== 0 && !isByChance)
      return refused(`The changed tests fail: "${command}" exited with code ${codeOf(ended)}.`);
    const former = passedOf(asked === null ? null : withoutTests(releaseTests(asked, allowed).kept, quarantined));
    const now = passedOf(withoutTests(testsOf(ended.report), quarantined));
    if (former !== null && (now === null || now < former))
      return refused(
        `With the changed tests "${command}" passes ${now ?? "unknown"} tests, before the first turn ${former}.`,
      );
  }
  return passed;
}

async function probe(scene: SealedScene): Promise<StepEnd> {
  const texts = await scene.seal.testTexts({ candidate: scene.candidate, variant: "A" });
  const files = falsifyFiles(texts);
  if (files.size === 0) return passed;
  const overlay = new Map([...files].map(([path, { text }]) => [path, text]));
  for (const [command, { verdict, report, end }] of scene.results) {
    const base = baseOf(scene, command);
    const isListening = base?.isListening === true || (testsOf(report) !== null && areSure(files));
    if (!isListening) continue;
    const limitMs = probeLimitMs(end.kind === "ended" ? end.durationMs : 0);
    const ended = await runAgain(scene, { command, variant: "A", overlay, limitMs });
    if (ended === "cut") return "cut";
    const turned = verdict.comparison?.turned ?? [];
    const flaky = new Set(base?.flaky);
    const known = { deaf: new Set(base?.deaf), helpers: new Set(base?.helpers), flaky };
    const judged = judgeProbe({ files, exitCode: codeOf(ended), report: ended.report, turned, ...known });
    if (!judged.isPassed) return refused(judged.reason);
    const isDeaf = await isDeafSingly(scene, { command, limitMs, texts });
    if (isDeaf === "cut") return "cut";
    if (isDeaf) return refused(deafReason);
  }
  return passed;
}

type Single = { command: string; limitMs: number; texts: ReadonlyMap<string, string> };

/** One expectation at a time, where the base was asked so. */
async function isDeafSingly(scene: SealedScene, { command, limitMs, texts }: Single): Promise<boolean | "cut"> {
  const known = baseOf(scene, command)?.spots ?? [];
  if (known.length === 0) return false;
  return isDeafToSpots(texts, known, async (each) => {
    const ended = await runAgain(scene, {
      command,
      variant: "A",
      limitMs,
      ...(each === null ? {} : { overlay: each }),
    });
    return ended === "cut" ? "cut" : spotRunOf(ended.end);
  });
}

function codeOf({ end }: SealedCheckEnd): number {
  return end.kind === "ended" ? end.exitCode : 127;
}

function passedOf(tests: CheckBase["tests"]): number | null {
  return tests === null ? null : tests.filter(({ status }) => status === "passed").length;
}

function baseOf({ seal }: SealedScene, command: string): CheckBase | undefined {
  return seal.record.checks.find((each) => each.command === command);
}
