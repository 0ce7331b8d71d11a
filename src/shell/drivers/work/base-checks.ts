import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import type { Machine } from "../../machine.ts";
import { calibrateBase } from "../../seal/calibrate-seal.ts";
import { calibrationFacts, calibrationKey } from "../../seal/kept-calibration.ts";
import { openSeal, type OpenSeal } from "../../seal/open-seal.ts";
import type { RunSeal } from "../../seal/run-seal.ts";
import type { CheckBase, SealRecord } from "../../seal/seal-record.ts";
import { testsOf } from "../../seal/sealed-checks.ts";
import { calibrationTools } from "../seal-run.ts";

/** A tip whose checks run in a sealed copy. */
export type WatchedTip = { seal: RunSeal; candidate: string };

/** How the checks of a work run stand on the bases of its tasks and tips. */
export type BaseChecks = {
  /** How these commands stand on a tree. Only what nothing tells yet is run. Rejects when the copy cannot be made. */
  of(tree: string, commands: readonly string[]): Promise<CheckBase[]>;
  /** From now on, what the checks of this tip show counts for it as a base. */
  watch(tip: WatchedTip): void;
  /** Takes over what the checks of a tip have shown, before it is closed. */
  learn(tip: WatchedTip): Promise<void>;
};

/** The work run whose checks these are. `tell`: told what is run, for people who wait. */
export type BaseChecksContext = Machine & {
  runId: string;
  frozen: FrozenRun;
  record: SealRecord;
  tell: (line: string) => void;
};

type Known = Map<string, CheckBase>;

/** Begins with what the calibration of the work run has shown. */
export function createBaseChecks(context: BaseChecksContext): BaseChecks {
  const { record } = context;
  const byTree = new Map<string, Known>([[record.base, known(record.checks)]]);
  const byKey = new Map<string, Known>();
  let watched: WatchedTip | null = null;
  let isKeyed = false;
  const learn = async ({ seal, candidate }: WatchedTip): Promise<void> => {
    const shown = await shownBy(seal, candidate, record.checks);
    byTree.set(candidate, new Map([...(byTree.get(candidate) ?? []), ...known(shown)]));
  };
  return {
    watch: (tip) => {
      watched = tip;
    },
    learn,
    async of(tree, commands) {
      if (watched?.candidate === tree) await learn(watched);
      const exact = byTree.get(tree) ?? new Map<string, CheckBase>();
      byTree.set(tree, exact);
      if (commands.some((command) => !exact.has(command))) {
        if (!isKeyed) byKey.set(await keyOf(context, record.base), known(record.checks));
        isKeyed = true;
        await complete(context, { tree, commands, exact, byKey });
      }
      return commands.flatMap((command) => exact.get(command) ?? []);
    },
  };
}

function known(checks: readonly CheckBase[]): Known {
  return new Map(checks.map((check) => [check.command, check]));
}

/**
 * What the checks of a tip that were green have shown of it. Only where the copy held exactly the tip: with other tests or another
 * configuration it says nothing of the tip as a base.
 */
async function shownBy(seal: RunSeal, candidate: string, former: readonly CheckBase[]): Promise<CheckBase[]> {
  const results = [...seal.results(candidate)].filter(([, { verdict }]) => verdict.isPassed);
  if (results.length === 0) return [];
  const { tree } = await (await seal.open()).written({ candidate, variant: "A" });
  if (tree !== candidate) return [];
  return results.flatMap(([command, { end, report }]) => {
    const before = former.find((each) => each.command === command);
    if (before === undefined || end.kind !== "ended") return [];
    return [{ ...before, exitCode: 0, durationMs: end.durationMs, tests: testsOf(report) ?? before.tests }];
  });
}

type Open = { tree: string; commands: readonly string[]; exact: Known; byKey: Map<string, Known> };

/** Bases with equal tests and configuration are calibrated once: what the tests show of other code is seen on the next claim. */
async function complete(context: BaseChecksContext, { tree, commands, exact, byKey }: Open): Promise<void> {
  await withSeal(context, tree, async (seal) => {
    const key = calibrationKey(await calibrationFacts(seal, context.frozen.projectDir));
    const alike = byKey.get(key) ?? new Map<string, CheckBase>();
    byKey.set(key, alike);
    const missing = commands.filter((command) => !exact.has(command) && !alike.has(command));
    const tools = calibrationTools(context, context);
    for (const check of await calibrateBase(seal, missing, tools)) alike.set(check.command, check);
    for (const command of commands) {
      const check = exact.get(command) ?? alike.get(command);
      if (check !== undefined) exact.set(command, check);
    }
  });
}

function keyOf(context: BaseChecksContext, tree: string): Promise<string> {
  return withSeal(context, tree, async (seal) =>
    calibrationKey(await calibrationFacts(seal, context.frozen.projectDir)),
  );
}

async function withSeal<Result>(
  context: BaseChecksContext,
  base: string,
  use: (seal: OpenSeal) => Promise<Result>,
): Promise<Result> {
  const seal = await openSeal(context, { ...context.record, base }, context.frozen.settings.seal);
  try {
    return await use(seal);
  } finally {
    seal.close();
  }
}
