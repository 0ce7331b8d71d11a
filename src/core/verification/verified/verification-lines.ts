import { formatDuration } from "../../text/duration.ts";
import { reproduceCommand } from "../sealed/step-titles.ts";
import { sealedWords } from "../sealed/sealed-words.ts";
import type { Verification, VerifiedCheck } from "./verification.ts";

/** A verification as people read it: each check, then the verdict with its reasons. */
export function verificationLines(verification: Verification): string[] {
  const { base, candidate, contract, seal, checks, reasons } = verification;
  return [
    `base       ${treeText(base)}`,
    `candidate  ${treeText(candidate)}`,
    `contract   ${contract.hash.slice(0, shownDigits)}`,
    `isolation  ${seal.problem === null ? seal.isolation : `${seal.isolation}: ${seal.problem}`}`,
    "",
    ...checks.map(checkLine),
    "",
    ...reasons,
    verdictText(verification),
    ...againLines(verification),
  ];
}

/** How to see the first refusal again, alone; nothing where it was asked for alone, and where no commit names the candidate. */
function againLines({ base, candidate, checks, step }: Verification): string[] {
  if (step !== null || base.commit === null || candidate.commit === null) return [];
  const target = `${base.commit.slice(0, shownDigits)}..${candidate.commit.slice(0, shownDigits)}`;
  const [command] = checks.flatMap((check) => reproduceCommand(check, target) ?? []);
  return command === undefined || !command.includes(" --step ") ? [] : [`See it again with: ${command}`];
}

/** The verdict in one sentence. */
export function verdictText({ verdict, candidate, checks, step, durationMs }: Verification): string {
  const tree = candidate.tree.slice(0, shownDigits);
  const time = formatDuration(durationMs);
  const only = step === null ? "" : ` by the step ${step} alone`;
  switch (verdict) {
    case "verified":
      return `verified: ${checks.length} of ${checks.length} checks passed on tree ${tree}${only} (${time})`;
    case "refused":
      return `refused: tree ${tree} is not what the contract of its base asks for${only} (${time})`;
    case "disputed":
      return `dispute: changed tests of tree ${tree} pass, their old form fails; a person has to decide (${time})`;
  }
}

const shownDigits = 12;

function treeText({ tree, commit }: Verification["base"]): string {
  return commit === null ? `tree ${tree}` : `commit ${commit.slice(0, shownDigits)}, tree ${tree}`;
}

function checkLine(check: VerifiedCheck): string {
  const { isPassed, name, tests, isSealed } = check;
  const sealed = isSealed ? sealedWords({ isSealed: true, ...(tests === null ? {} : { tests }) }) : [];
  const facts = [...sealed, ...(check.isUnverified ? ["unverified"] : []), formatDuration(check.durationMs)];
  return `${isPassed ? "passed" : "red   "}  ${name} (${facts.join(", ")})`;
}
