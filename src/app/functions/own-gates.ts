import type { ContractGate, ContractSources } from "../../core/contract/contract.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import { contractGatesProblem, gateAnswerProblem } from "../../core/run/upgrade/gate-answer-shape.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateContext, GateKind, GateRequest, PerformGate } from "../../shell/gates/gate-kind.ts";

/**
 * The kinds that a program brought along, each held to its contract. Gates are opened by the name of their kind, so a second kind
 * of one name would never be asked.
 */
export function ownGateKinds(kinds: readonly GateKind[], builtIn: readonly GateKind[]): GateKind[] {
  return kinds.map((kind, index) => {
    const option = optionOf(kind, index);
    if (builtIn.some(({ name }) => name === kind.name)) throw wrongKind(option, "a kind of ralph has this name");
    const first = kinds.findIndex(({ name }) => name === kind.name);
    if (first < index) throw wrongKind(option, `gates[${first}] has the same name`);
    return ownGateKind(kind, option);
  });
}

function optionOf({ name }: GateKind, index: number): string {
  return `option gates[${index}] (${name})`;
}

/**
 * A kind of gate that a program brought along, held to its contract: gates that are malformed are refused before anything is
 * stored, and a gate that throws or answers something else than a gate answer is red, with the reason.
 */
function ownGateKind(kind: GateKind, option: string): GateKind {
  return {
    name: kind.name,
    gatesOf: (sources) => gatesOf(kind, option, sources),
    prepare: (gates, context) => refused(option, "prepare", async () => kind.prepare?.(gates, context)),
    open: (context) => open(kind, context),
  };
}

function gatesOf(kind: GateKind, option: string, sources: ContractSources): ContractGate[] {
  const gates = returned(() => kind.gatesOf(sources));
  if ("thrown" in gates) throw wrongKind(option, `gatesOf threw: ${gates.thrown}`);
  const problem = contractGatesProblem(gates.value) ?? otherKind(gates.value, kind.name);
  if (problem !== null) throw wrongKind(option, `gatesOf returned gates that are malformed: ${problem}`);
  return gates.value;
}

function otherKind(gates: readonly ContractGate[], name: string): string | null {
  const index = gates.findIndex(({ kind }) => kind !== name);
  return index === -1 ? null : `[${index}].kind is not ${JSON.stringify(name)}`;
}

/** Lets an error of ours pass, and names the option for any other. */
async function refused(option: string, name: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    throw error instanceof RalphError ? error : wrongKind(option, `${name} threw: ${thrownText(error)}`);
  }
}

function wrongKind(option: string, problem: string): RalphError {
  return new RalphError("usage", `The ${option} cannot be used: ${problem}.`, "Correct this kind of gate.");
}

function open(kind: GateKind, context: GateContext): PerformGate | null {
  const opened = returned(() => kind.open(context));
  if ("value" in opened && opened.value === null) return null;
  return async (order) => {
    if ("thrown" in opened) return red(context, order, `open threw: ${opened.thrown}`);
    const { value: perform } = opened;
    if (typeof perform !== "function") return red(context, order, "open returned something that is not a function");
    return ask(perform, context, order);
  };
}

async function ask(perform: PerformGate, context: GateContext, order: GateRequest): Promise<GateAnswer> {
  try {
    const answer = await perform(order);
    const problem = gateAnswerProblem(answer) ?? claimProblem(answer);
    return problem === null
      ? answer
      : red(context, order, `it answered something that is not a gate answer: ${problem}`);
  } catch (error) {
    return order.signal.aborted ? cutAnswer() : red(context, order, `it threw: ${thrownText(error)}`);
  }
}

/** The list of a run alone says that all its tasks are done, or which one is next. */
function claimProblem({ word }: GateAnswer): string | null {
  if (word === null || (!word.isClaim && word.isWorkLeft && word.assignment === null)) return null;
  return "word may have notes and a remark, but neither a claim nor an assignment nor an end of the work";
}

/** A reason goes into the next prompt and into the state of the run. */
const reasonCharsMax = 2000;

function red({ context }: GateContext, { gate }: GateRequest, problem: string): GateAnswer {
  const facts = { exitCode: 1, isTimedOut: false, durationMs: 0, output: { text: "" }, logFile: null, evidence: null };
  const reason = `${gate.name}: ${problem}`.slice(0, reasonCharsMax);
  const verdict: Verdict = { index: 0, name: gate.name, isPassed: false, reason, ...facts };
  context.onCheck({ gate, verdict });
  return plainAnswer([verdict]);
}

/** What a function of somebody else returned, or the text of what it threw. */
function returned<Value>(call: () => Value): { value: Value } | { thrown: string } {
  try {
    return { value: call() };
  } catch (error) {
    return { thrown: thrownText(error) };
  }
}
