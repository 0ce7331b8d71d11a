import type { Verdict } from "../verification/verdict.ts";
import type { Gate } from "../contract/gate.ts";
import type { GateAnswer } from "../run/observation.ts";

/** What the gates of a work run said of its merged tip, by gate id. */
export type TipAnswers = Readonly<Record<string, Pick<GateAnswer, "verdicts" | "isCut" | "stop">>>;

/**
 * What becomes of a merge: it stays and its task is done; it is undone and the task goes back to its coder; or it waits,
 * because nobody knows yet whether the tip is green.
 */
export type TipDecision = { kind: "keep" } | { kind: "undo"; red: Verdict } | { kind: "hold"; reason: string };

/** Gates that say something of a tip: those before the first turn speak of another state. */
export function tipGates<Kind extends Pick<Gate, "when">>(gates: readonly Kind[]): Kind[] {
  return gates.filter(({ when }) => when !== "before-first-turn");
}

/** The next gate to ask, or null. Gates on a claim cost more: they are asked only when the others are green. */
export function nextTipGate(gates: readonly Gate[], answers: TipAnswers): Gate | null {
  if (Object.values(answers).some(({ isCut, stop }) => isCut || stop !== null)) return null;
  const every = tipGates(gates).filter(({ when }) => when === "every-turn");
  const first = every.find(({ id }) => answers[id] === undefined);
  if (first !== undefined) return first;
  if (!every.every(({ id }) => isGreen(answers[id]))) return null;
  const onClaim = tipGates(gates).filter(({ when }) => when === "on-claim");
  return onClaim.find(({ id }) => answers[id] === undefined) ?? null;
}

/** A red verdict decides at once, whatever was cut after it. Without one, only green verdicts of all gates keep a merge. */
export function judgeTip(gates: readonly Gate[], answers: TipAnswers): TipDecision {
  const asked = tipGates(gates).map((gate) => ({ gate, answer: answers[gate.id] }));
  const red = asked.flatMap(({ answer }) => answer?.verdicts.filter(({ isPassed }) => !isPassed) ?? [])[0];
  if (red !== undefined) return { kind: "undo", red };
  const stop = asked.find(({ answer }) => answer !== undefined && answer.stop !== null)?.answer?.stop ?? null;
  if (stop !== null) return { kind: "hold", reason: stop.reason };
  const open = asked.find(({ answer }) => !isGreen(answer));
  return open === undefined ? { kind: "keep" } : { kind: "hold", reason: `"${open.gate.name}" gave no verdict.` };
}

/** As much of a check's output as the coder reads in a reason; its end says most. */
const outputCharsMax = 500;

/** Why a merge was undone, for the coder: the check, and the end of what it printed. */
export function tipReason({ name, reason }: Verdict, output: string): string {
  const said = output.trim().slice(-outputCharsMax);
  const what = reason.includes(name) ? reason : `${name}: ${reason}`;
  return `Merged with the work of others, a check of the project is red: ${what}${said === "" ? "" : `\n${said}`}`;
}

/** Whether a gate has refused the tip. */
export function isRed({ verdicts }: TipAnswers[string]): boolean {
  return verdicts.some(({ isPassed }) => !isPassed);
}

function isGreen(answer: TipAnswers[string] | undefined): boolean {
  return (
    answer !== undefined &&
    !answer.isCut &&
    answer.verdicts.length > 0 &&
    answer.verdicts.every((each) => each.isPassed)
  );
}
