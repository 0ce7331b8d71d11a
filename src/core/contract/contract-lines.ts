import type { Gate } from "./gate.ts";

/** The part of a run's policy that defines done. */
export type ContractView = {
  claimBy: "tag" | "done-file" | "gate" | "stop";
  completionText: string;
  signals: readonly ("promise" | "response")[];
  requireProgress: boolean;
  gates: readonly Gate[];
};

/** What done means, line by line: the claim, then each check with when it runs and where it comes from. */
export function contractLines(policy: ContractView): string[] {
  const gates = policy.gates.filter(({ when }) => when !== "before-first-turn");
  return [
    "Done means:",
    `  ${claimText(policy)}`,
    ...(policy.requireProgress ? ["  something has changed since the run began (completion.requireProgress)"] : []),
    ...gates.map((gate) => `  ${gate.name}: ${whenText(gate)}, from ${gate.origin}${byClaim(gate)}`),
    ...(hasChecks(policy.gates) ? [] : [`  ${uncheckedLine(policy.gates)}`]),
  ];
}

/** The same for a work run: what each task needs, then each check of the project after its merge. */
export function workContractLines(gates: readonly Pick<Gate, "name" | "origin" | "when">[]): string[] {
  return [
    "Done means:",
    "  for each task, every role claims and its own criterion holds (ralph show TASK)",
    ...gates.map(({ name, origin, when }) => {
      const times = when === "every-turn" ? "after every turn, and on what the task leaves" : "on what the task leaves";
      return `  ${name}: ${times}, from ${origin}`;
    }),
  ];
}

/** Whether anything besides the agent's word counts: a check, or reviews of a task list. */
export function hasChecks(gates: readonly Gate[]): boolean {
  return gates.some(
    ({ when, tells, isAlways, isClaimOnly }) =>
      when !== "before-first-turn" && isClaimOnly !== true && (tells !== "notes" || isAlways),
  );
}

/** Criteria that the claim alone meets may have checks that are not required. */
function uncheckedLine(gates: readonly Gate[]): string {
  return gates.some(({ isClaimOnly }) => isClaimOnly === true)
    ? "no check is required: the claim alone can complete, unverified"
    : "no check is configured: completed will be unverified";
}

/** Said before the first turn of a run without any check that can refuse a claim. */
export function noCheckWarning(gates: readonly Pick<Gate, "isClaimOnly" | "name">[] = []): string {
  const believed = gates.filter(({ isClaimOnly }) => isClaimOnly === true).map(({ name }) => name);
  const what = believed.length === 0 ? "configured" : `required (the claim alone meets: ${believed.join(", ")})`;
  return `No check is ${what}: "completed" will rest on the agent's word alone. Add one with ralph init, or as "guardrails" in .ralph/settings.json.`;
}

function claimText({ claimBy, completionText, signals }: ContractView): string {
  if (claimBy === "done-file") return "the agent makes the file DONE";
  if (claimBy === "gate") return "every task of the list is approved";
  if (claimBy === "stop") return "the agent stops";
  return `the agent claims it: ${signals.map((tag) => `<${tag}>${completionText}</${tag}>`).join(" or ")}`;
}

function whenText({ when, isAlways, isBeforeDelivery }: Gate): string {
  if (isAlways) return "after every turn, however it ends";
  if (when === "every-turn") return "after every turn";
  return isBeforeDelivery ? "on a claim" : "on a claim, after delivery";
}

function byClaim({ isClaimOnly }: Gate): string {
  return isClaimOnly === true ? " (met by the claim alone)" : "";
}
