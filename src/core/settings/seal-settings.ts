import { count, duration } from "./duration-setting.ts";
import * as z from "./rule.ts";

/** Which checks of a claim run sealed. */
export const sealModes = ["claims", "off"] as const;

/** Turned tests run so often at most; more only costs time. */
const repeatMax = 20;

/** Each of them runs all checks once. */
const mutantsMax = 200;

const globs = (sentence: string) => z.array(z.string().trim().min(1)).default([]).describe(sentence);

const forbidden = (words: string) =>
  z.boolean().default(true).describe(`Refuse ${words} in added lines, where a check would notice.`);

/** Where checks run when a claim is verified, and what of the project they take from before the first turn. */
export const seal = z.strictObject({
  checks: z
    .enum(sealModes)
    .default("off")
    .describe(
      "Run the checks of a claim in a sealed copy of what would be delivered, with tests, configuration and dependencies as before the first turn; off: in the tree that the agent works in. Only in ralph run, ralph prd run and ralph supervise, in a git repository.",
    ),
  protect: globs("More paths that the agent may not change in what is verified; `package.json#scripts` names a key."),
  allow: globs("Protected paths that the agent may change."),
  writable: globs("Protected paths that the checks themselves write."),
  include: globs("Files that git ignores and that checks need, copied once before the first turn."),
  env: z.array(z.string()).default([]).describe("Environment variables that sealed checks get, by name."),
  tests: z
    .enum(["keep", "count", "free"])
    .default("keep")
    .describe(
      "What a report must show: every test that passed before still passes, as many pass as before, or nothing.",
    ),
  effort: z
    .enum(["quick", "standard", "thorough"])
    .default("standard")
    .describe(
      "How much is tried on a claim: the checks once; also repeats and the probe; or also mutants, and repeats of checks over two minutes.",
    ),
  repeat: count.max(repeatMax).default(3).describe("How many runs a test that turned green must pass."),
  probe: z
    .boolean()
    .default(true)
    .describe("Make the expectations of the tests false once: a suite that stays green refuses the claim."),
  mutants: z
    .int()
    .min(0)
    .max(mutantsMax)
    .default(0)
    .describe(
      "How many small mistakes in the changed lines are tried on a claim, one at a time; the checks must notice 60 % of them. 0: none, but ten where the effort is thorough.",
    ),
  forbid: z
    .strictObject({
      tsIgnore: forbidden("@ts-ignore, @ts-nocheck and @ts-expect-error"),
      asAny: forbidden("`as any`"),
      anyType: forbidden("`: any`"),
      eslintDisable: forbidden("eslint-disable and oxlint-disable"),
      noqa: forbidden("# noqa"),
      typeIgnore: forbidden("# type: ignore"),
      noCover: forbidden("pragma: no cover"),
      coverageIgnore: forbidden("istanbul, c8 and v8 ignore"),
      only: forbidden("tests that leave other tests out (`.only`)"),
    })
    .prefault({}),
  network: z.enum(["loopback", "host"]).default("loopback").describe("The network of sealed checks in a namespace."),
  isolation: z
    .enum(["auto", "namespace", "copy"])
    .default("auto")
    .describe("A namespace where bwrap works, else a plain copy; or one of the two."),
  timeout: duration("30m", "Maximum duration of all sealed work of one claim."),
});
