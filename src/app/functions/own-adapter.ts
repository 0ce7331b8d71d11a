import { RalphError } from "../../core/ralph-error.ts";
import { list, nullable, objectOf, type Shape, flag, shapeProblem, text } from "../../core/shape/shape.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { AgentAdapter, Invocation, InvocationRequest } from "../../shell/agents/adapter.ts";

/** An adapter that a program brought along, held to its contract: an invocation that nobody can start is refused by name. */
export function ownAdapter(adapter: AgentAdapter, index: number): AgentAdapter {
  const option = `option agents[${index}] (${adapter.name})`;
  const invocation = (request: InvocationRequest): Invocation => checkedInvocation(adapter, option, request);
  const createReader = (flags: readonly string[]): ReturnType<AgentAdapter["createReader"]> => {
    try {
      return adapter.createReader(flags);
    } catch (error) {
      throw wrongAdapter(option, `createReader threw: ${thrownText(error)}`);
    }
  };
  const held = { ...adapter, invocation, createReader };
  // Its methods may be those of a class.
  Object.setPrototypeOf(held, adapter);
  return held;
}

function wrongAdapter(option: string, words: string): RalphError {
  return new RalphError("usage", `The ${option} cannot be used: ${words}.`, "Correct this adapter.");
}

/** Asks an adapter once for a command line and a reader, so that a wrong one is found before anything is stored. */
export function requireInvocation(adapter: AgentAdapter, command: string): void {
  const request = { flags: [], model: null, prompt: "", mode: "stream", sessionId: null, promptVia: null } as const;
  adapter.invocation({ ...request, command, answerFile: "" });
  adapter.createReader([]);
}

function checkedInvocation(adapter: AgentAdapter, option: string, request: InvocationRequest): Invocation {
  const problem = (words: string): RalphError => wrongAdapter(option, words);
  const made = ((): Invocation => {
    try {
      return adapter.invocation(request);
    } catch (error) {
      throw problem(`invocation threw: ${thrownText(error)}`);
    }
  })();
  const wrong = shapeProblem(invocationShape, made);
  if (wrong !== null) throw problem(`invocation returned something that nobody can start: ${wrong}`);
  if (made.argv.length === 0) throw problem("invocation returned an empty argv");
  return made;
}

const invocationShape: Shape<Invocation> = objectOf<Invocation>({
  argv: list(text),
  stdin: nullable(text),
  usesAnswerFile: flag,
  isReadOnly: flag,
});
