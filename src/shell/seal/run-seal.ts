import type { SealedCheckVerdict } from "../../core/verification/sealed/judge-check.ts";
import type { RunGitContext } from "../git/run-git.ts";
import { openSeal, type OpenSeal, type SealRules } from "./open-seal.ts";
import { readSeal, sealFolder } from "./seal-record.ts";
import type { SealedCheckEnd } from "./sealed-checks.ts";

/** The seal of a run while it is driven. */
export type RunSeal = {
  /** Opens it with the first claim. Rejects when it is gone or not the one that the run remembers. */
  open(): Promise<OpenSeal>;
  /** Opens it with a copy of its own, which the caller closes. Rejects likewise. */
  openApart(): Promise<OpenSeal>;
  /** What the checks of a candidate have shown in the copy, by command; forgotten with the next candidate. */
  results(candidate: string): Map<string, SealedResult>;
  /** Of the record, as the run remembers it. */
  hash: string;
  /** The only step of the gate `sealed` that is asked for; null: all of them. */
  step: string | null;
  /** Removes the copy, if there is one. */
  close(): Promise<void>;
};

/** A check that ran in the copy, and what it proves. */
export type SealedResult = SealedCheckEnd & {
  verdict: SealedCheckVerdict;
  /** Every step of a sealed verification has accepted it. */
  isProven?: true;
};

/** The seal that a run remembers by its hash. */
export function createRunSeal(
  context: RunGitContext,
  { hash, rules, step = null }: { hash: string; rules: SealRules; step?: string | null },
): RunSeal {
  let opened: Promise<OpenSeal> | null = null;
  let last: { candidate: string; results: Map<string, SealedResult> } | null = null;
  const open = async (): Promise<OpenSeal> => {
    const record = await readSeal(context.disk, sealFolder(context.folder, context.runId), hash);
    return openSeal(context, record, rules);
  };
  return {
    openApart: open,
    open() {
      // A seal that cannot be opened may be readable at the next claim.
      opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    results(candidate) {
      if (last?.candidate !== candidate) last = { candidate, results: new Map() };
      return last.results;
    },
    hash,
    step,
    async close() {
      const seal = await opened?.catch(() => null);
      seal?.close();
      opened = null;
    },
  };
}
