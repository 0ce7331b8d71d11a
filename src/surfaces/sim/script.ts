import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { noSpend, type Spend } from "../../core/agents/spend.ts";
import { defaultSpend, mainOption, readStep, stepNames } from "./read-step.ts";
import type { SimScript, SimStep, SimTurn } from "./sim-step.ts";
import { openOptions, type ScriptLine, type RawOptions, scriptError } from "./step-options.ts";

/** Reads a script; nothing is done until all of it is understood. Throws a RalphError that names file, line and remedy. */
export function parseScript(source: string, file: string): SimScript {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter });
  const placeOf: PlaceOf = (node) => {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return { file, line: start === undefined ? 1 : lineCounter.linePos(start).line };
  };
  const problem = document.errors[0];
  if (problem !== undefined) {
    const line = lineCounter.linePos(problem.pos[0]).line;
    const message = problem.message.split(" at line ")[0] ?? problem.message;
    throw scriptError({ file, line }, `this is not YAML: ${message}`, "See docs/sim.md for an example.");
  }
  const reader: ScriptReader = { document, placeOf, start: { file, line: 1 } };
  return readRoot(reader);
}

type PlaceOf = (node: unknown) => ScriptLine;
type ScriptReader = { document: Document.Parsed; placeOf: PlaceOf; start: ScriptLine };

const example = 'Begin with "turns:" and a list of turns, each a list of steps.';

function readRoot(reader: ScriptReader): SimScript {
  const root = reader.document.contents;
  if (!isMap(root)) throw scriptError(reader.start, "a script is a map", example);
  const options = openOptions(rawOptions(reader, "script", root));
  const after = options.oneOf("after", ["repeat", "stop", "claim"], "repeat");
  const answer = options.text("answer", "Work of the scripted agent");
  options.has("turns");
  options.done();
  const turns = root.get("turns", true);
  if (!isSeq(turns) || turns.items.length === 0)
    throw scriptError(turns === undefined ? reader.start : reader.placeOf(turns), "there are no turns", example);
  return { after, answer, turns: turns.items.map((turn) => readTurn(reader, turn)) };
}

function readTurn(reader: ScriptReader, node: unknown): SimTurn {
  if (isSeq(node)) {
    const steps = readSteps(reader, node);
    return { when: null, spend: spendOf(steps), steps };
  }
  if (!isMap(node))
    throw scriptError(reader.placeOf(node), "a turn is neither a list of steps nor a map with steps", example);
  const options = openOptions(rawOptions(reader, "turn", node));
  const when = options.has("when") ? options.text("when", null) : null;
  const usd = options.raw("usd") === null ? null : options.amount("usd", 0);
  const spend = options.has("usd") ? { ...defaultSpend, usd } : null;
  options.has("steps");
  options.done();
  const steps = readSteps(reader, node.get("steps", true), reader.placeOf(node));
  return { when, spend: spend ?? spendOf(steps), steps };
}

/** A turn that tells its usage, or fails, costs what its steps say; any other one costs a little. */
function spendOf(steps: readonly SimStep[]): Spend {
  return steps.some(({ step }) => step === "usage" || step === "fail") ? noSpend : defaultSpend;
}

function readSteps(reader: ScriptReader, node: unknown, turn?: ScriptLine): SimStep[] {
  if (!isSeq(node))
    throw scriptError(turn ?? reader.placeOf(node), "a turn has no steps", 'Add "steps:" and a list of steps.');
  return node.items.map((item) => readStep(rawStep(reader, item)));
}

/** A step is a bare name, or a map with the step's name as one key; its options stand beside it or in a map below it. */
function rawStep(reader: ScriptReader, node: unknown): RawOptions {
  const place = reader.placeOf(node);
  if (isScalar(node) && typeof node.value === "string") return { step: node.value, place, values: new Map() };
  if (!isMap(node) || node.items.length === 0)
    throw scriptError(place, "a step is neither a name nor a map", "Write for example `- say: Reading the code`.");
  const beside = rawOptions(reader, "step", node);
  const names = [...beside.values.keys()];
  const step = names.find((name) => stepNames.includes(name)) ?? names[0] ?? "";
  const below = node.get(step, true);
  beside.values.delete(step);
  const values = new Map([...optionsBelow(reader, step, below), ...beside.values]);
  return { step, place, values };
}

function optionsBelow(reader: ScriptReader, step: string, node: unknown): RawOptions["values"] {
  if (isMap(node)) return rawOptions(reader, step, node).values;
  const value = toPlain(reader, node);
  if (value === null || value === undefined) return new Map();
  // A step without a main option then refuses this one by its value.
  const name = mainOption(step) ?? JSON.stringify(value);
  return new Map([[name, { value, place: reader.placeOf(node) }]]);
}

function rawOptions(reader: ScriptReader, step: string, map: YAMLMap): RawOptions {
  const values = map.items.map((pair) => {
    const name = isScalar(pair.key) ? String(pair.key.value) : "";
    return [name, { value: toPlain(reader, pair.value), place: reader.placeOf(pair.key) }] as const;
  });
  return { step, place: reader.placeOf(map), values: new Map(values) };
}

function toPlain(reader: ScriptReader, node: unknown): unknown {
  return isNode(node) ? node.toJS(reader.document) : null;
}
