import type { AgentAdapter, Invocation, InvocationRequest } from "../adapter.ts";

/** Linux limits one argument to 128 KiB; below it there must be room for what a wrapper adds. */
const argumentBytesMax = 100 * 1024;

/** Any other program: it takes a prompt and writes plain text. Nothing is known of its models, sessions or keys. */
export const commandAdapter: AgentAdapter = {
  name: "command",
  commands: [],
  reportsCost: false,
  spendCovers: "process",
  readUsage: null,
  keyVariables: [],
  hostMarkers: [],
  signIn: null,
  editFlags: null,
  env: {},
  terminalWords: [],
  invocation(order) {
    return { ...deliver(order), usesAnswerFile: false, isReadOnly: false };
  },
  createReader: () => null,
};

function deliver({ command, flags, prompt, promptVia }: InvocationRequest): Pick<Invocation, "argv" | "stdin"> {
  const via = promptVia ?? (Buffer.byteLength(prompt) <= argumentBytesMax ? "argument" : "stdin");
  if (via === "stdin") return { argv: [command, ...flags], stdin: prompt };
  return { argv: [command, ...flags, prompt], stdin: null };
}
