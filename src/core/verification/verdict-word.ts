import type { StageVerdict, Verdict } from "./verdict.ts";

/** How people read a verdict. `unverified`: it passed, but by the claim alone; nothing looked at the work. */
export type VerdictWord = "green" | "red" | "unverified";

type Judged = Pick<Verdict, "isPassed" | "isUnverified" | "isFallback" | "method">;

/** The one word for a verdict, in every view. */
export function verdictWord({ isPassed, isUnverified, isFallback, method }: Judged): VerdictWord {
  if (!isPassed) return "red";
  return isUnverified === true || isFallback === true || method === "string_match" ? "unverified" : "green";
}

/** Whether a verdict passed on evidence. */
export function isProof(verdict: Judged): boolean {
  return verdictWord(verdict) === "green";
}

/** Said of a criterion that passed without evidence. */
export const byClaimAlone = "met by the claim alone";

/** The stages of a passed verdict that are red, because they are not required. */
export function redStages({ isPassed, stages = [] }: Pick<Verdict, "isPassed" | "stages">): StageVerdict[] {
  return isPassed ? stages.filter((stage) => !stage.isPassed) : [];
}

/** A remark on red stages that refuse nothing, or nothing. */
export function redStagesText(verdict: Pick<Verdict, "isPassed" | "stages">): string {
  const names = redStages(verdict).map(({ name }) => name);
  return names.length === 0 ? "" : `red, not required: ${names.join(", ")}`;
}

/** How many names a sentence lists; the rest is counted. */
const namesMax = 3;

/** What passed verdicts prove, for a closing sentence: the green ones, then those without evidence, then red stages. */
export function proofText(verdicts: readonly Verdict[]): string {
  const said = ["green", byClaimAlone, "unverified"].flatMap((words) => {
    const names = verdicts.filter((verdict) => proofWords(verdict) === words).map(({ name }) => name);
    return names.length === 0 ? [] : [`${listed(names)} ${words}`];
  });
  return [...said, ...verdicts.map(redStagesText).filter((text) => text !== "")].join("; ");
}

/** The word for a verdict in a sentence; only a criterion can be met by a claim. */
export function proofWords(verdict: Judged): string {
  const word = verdictWord(verdict);
  return word === "unverified" && verdict.method !== undefined ? byClaimAlone : word;
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
