import { resolve } from "node:path";
import type { Verification } from "../../core/verification/verified/verification.ts";
import { chooseRange, type RangeWish } from "./choose-range.ts";
import { inVerificationScratch } from "./verification-scratch.ts";
import { verifyRange } from "./verify-range.ts";

/** A verification of commits, or of what is staged. */
export type VerifyWish = RangeWish & {
  projectDir: string;
  /** The only step of the sealed verification that is asked for; null: all. */
  step: string | null;
  signal: AbortSignal;
  tell: (line: string) => void;
};

/** Verifies commits, or what is staged, by the contract of their base. Rejects with a `RalphError` where that is impossible. */
export function verifyCommits(wish: VerifyWish): Promise<Verification> {
  return inVerificationScratch(resolve(wish.projectDir), async ({ id, machine, repository, git, folder }) => {
    const { step, signal, tell } = wish;
    const range = await chooseRange(git, wish);
    return verifyRange(machine, { ...range, id, repository, folder, step, signal, tell });
  });
}
