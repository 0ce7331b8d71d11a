import type { AgentAdapter, InvocationRequest } from "../adapter.ts";
import { flagValue, unlessGiven } from "../command-line.ts";

/**
 * The embedded scripted agent: this very program, started as `selfArgv` with `sim`. It imitates the stream of the
 * adapter that `--format` names, of the first one by default, or writes plain text.
 */
export function createSimAdapter(selfArgv: readonly string[], imitated: readonly AgentAdapter[]): AgentAdapter {
  const formatOf = (flags: readonly string[]) => flagValue(flags, ["--format"]) ?? imitated[0]?.name;
  return {
    name: "sim",
    commands: ["sim"],
    reportsCost: true,
    isBilledByToken: true,
    spendCovers: "process",
    readUsage: null,
    keyVariables: [],
    hostMarkers: [],
    signIn: null,
    editFlags: null,
    env: {},
    invocation(order) {
      return {
        argv: [...selfArgv, "sim", ...modeFlags(order)],
        stdin: order.prompt,
        usesAnswerFile: false,
        isReadOnly: false,
      };
    },
    createReader: (flags) => imitated.find((adapter) => adapter.name === formatOf(flags))?.createReader(flags) ?? null,
  };
}

/** With `--text` it answers like a judge: the last message only, and no turn of its script is used up. */
function modeFlags({ flags, mode, isTurn = false }: InvocationRequest): string[] {
  if (mode === "stream") return [...flags];
  return isTurn ? [...flags, ...unlessGiven(flags, ["--format"], ["--format", "text"])] : [...flags, "--text"];
}
