import type { CommandSpec } from "../input/command-spec.ts";
import { json, projectDir } from "../input/common-flags.ts";

/** `ralph verify` with everything it can be asked. */
export const verifyCommand: CommandSpec = {
  name: "verify",
  parameters: "[range-or-run]",
  sentence: "verify commits by the checks of their base, in a sealed copy; exit 0 verified, 1 refused, 3 dispute",
  options: [
    { flags: "--staged", sentence: "verify what the index holds instead of a commit" },
    {
      flags: "--step <name>",
      sentence: "after the checks only this step: tools, locks, forbid, repeats, own-tests, probe, mutants",
    },
    { flags: "--sarif", sentence: "print the red checks as SARIF" },
    { flags: "--junit", sentence: "print the checks as JUnit XML" },
    { flags: "--markdown", sentence: "print a summary for a pull request" },
    { flags: "--receipt <file>", sentence: "write a receipt when everything is verified" },
    { flags: "--sign-with <id>", sentence: "sign the receipt with this key, when you have several" },
    { flags: "--unsigned", sentence: "sign the receipt with no key" },
    {
      flags: "--check-receipt <file>",
      sentence: "check a receipt for these commits instead: signature, trees, contract",
    },
    { flags: "--rerun", sentence: "with --check-receipt: run all checks again and compare" },
    { flags: "--key <file>", sentence: "with --check-receipt: a public key that must have signed", isRepeatable: true },
    { flags: "--allow-unsigned", sentence: "with --check-receipt: accept a receipt that nobody known signed" },
    json,
    projectDir,
  ],
  examples: [
    "ralph verify main..topic",
    "ralph verify --staged",
    "ralph verify origin/main...HEAD --receipt receipt.json",
    "ralph verify origin/main...HEAD --check-receipt receipt.json --key ralph.pub",
  ],
  load: () => import("../commands/verify.ts"),
};
