import type { Verification } from "../core/verification/verified/verification.ts";
import { quietListener } from "./functions/quiet-listener.ts";
import { abortSignal, aFunction, directory, flag, type OptionRules, readOptions, text } from "./read-options.ts";
import { verifyCommits } from "./verify/verify-commits.ts";

/**
 * Which commits are verified.
 *
 * @example
 * ```ts
 * import { type VerifyOptions } from "ralph";
 *
 * const options: VerifyOptions = { base: "origin/main", head: "HEAD", onProgress: (line) => console.error(line) };
 * console.log(options.base);
 * ```
 */
export type VerifyOptions = {
  /** A directory of the repository; the current one. */
  projectDir?: string;
  /** What the work began with; where `head` parted from the upstream's default branch. */
  base?: string;
  /** What is verified; HEAD. */
  head?: string;
  /** Verify what the index holds instead of `head`. */
  isStaged?: boolean;
  /** Ends the verification with every process it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Told what is done, one line each. What it throws is ignored. */
  onProgress?: (line: string) => void;
};

const rules: OptionRules<VerifyOptions> = {
  projectDir: directory,
  base: text,
  head: text,
  isStaged: flag,
  signal: abortSignal,
  onProgress: aFunction,
};

/**
 * Verifies commits by the checks of their base in a sealed copy, without any loop: the same verification that a claim gets in a
 * run. Rejects with a `RalphError` where that is impossible, for example when the base has no check. The work tree, the index and the
 * references of the repository stay as they are.
 *
 * @example
 * ```ts
 * import { verify } from "ralph";
 *
 * export async function isMergeable(topic: string): Promise<boolean> {
 *   const { verdict, reasons } = await verify({ base: "main", head: topic });
 *   for (const reason of reasons) console.log(reason);
 *   return verdict === "verified";
 * }
 * ```
 */
export function verify(options: VerifyOptions = {}): Promise<Verification> {
  const given = readOptions("verify", options, rules);
  const { projectDir = ".", base = null, head = "HEAD", isStaged = false } = given;
  const tell = quietListener(given.onProgress);
  const signal = given.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  return verifyCommits({ base, head, isMergeBase: false, isStaged, projectDir, step: null, signal, tell });
}
