import type { StartError } from "../../core/agents/turn-report.ts";
import type { TextRef } from "../../core/checks/verdict.ts";
import type { Effect } from "../../core/engine/effect.ts";
import type { Feedback } from "../../core/policies/feedback.ts";
import { composePrompt } from "../../core/prompts/compose-prompt.ts";
import { agentEnvironment } from "../agents/environment.ts";
import type { Disk, ProcessOrder, Store } from "../ports.ts";
import type { RunContext } from "./run-context.ts";
import { usagePath } from "./session-spend.ts";

/** The engine's order for a turn. */
export type BeginTurn = Extract<Effect, { type: "begin-turn" }>;

/** What a prompt is composed from: the frozen run, its files and the long texts of its feedback. */
export type PromptPlace = Pick<RunContext, "frozen"> & {
  disk: Pick<Disk, "readText">;
  store: Pick<Store, "getBlob">;
};

/** What is known of the agent and its surroundings. */
export type AgentPlace = Pick<
  RunContext,
  "runId" | "frozen" | "env" | "adapter" | "adapters" | "command" | "flags" | "killGraceMs"
> & {
  /** The state folder; left out where only the command line is wanted. */
  folder?: string;
};

/** A process to start, but for who reads its output. */
export type TurnOrder = { order: Omit<ProcessOrder, "onStdout" | "onStderr">; isReadOnly: boolean };

/** The composed prompt, or why there is none: the file is read again at every iteration (S1-38, CB-14). */
export async function turnPrompt(effect: BeginTurn, context: PromptPlace): Promise<string | StartError> {
  const source = context.frozen.prompt;
  const base = source.kind === "text" ? source.text : await readPromptFile(source.path, context);
  if (typeof base !== "string") return base;
  const texts = new Map<string, string>();
  for (const item of effect.feedback) {
    const ref = longText(item);
    if (ref !== null && "blob" in ref) texts.set(ref.blob, (await context.store.getBlob(ref.blob)) ?? "(output lost)");
  }
  const readText = (ref: TextRef): string => ("blob" in ref ? (texts.get(ref.blob) ?? "") : ref.text);
  const { settings } = context.frozen;
  const { iteration, iterationsMax, feedback } = effect;
  return composePrompt({ base, feedback, readText, settings, iteration, iterationsMax });
}

/** The part of a feedback that may lie in a blob. */
function longText(item: Feedback): TextRef | null {
  if (item.kind === "guardrail" || item.kind === "criterion") return item.output;
  return item.kind === "answer" ? item.text : null;
}

async function readPromptFile(path: string, context: PromptPlace): Promise<string | StartError> {
  const refuse = (problem: string): StartError => ({
    kind: "prompt",
    message: `The prompt file ${path} ${problem}; restore it and resume.`,
  });
  try {
    const text = await context.disk.readText(path);
    if (text === null) return refuse("is gone");
    return text.trim() === "" ? refuse("is empty") : text.replace(/[\r\n]+$/, "");
  } catch (cause) {
    return refuse(`cannot be read (${String(cause)})`);
  }
}

/** What to start for a turn: the command line, the cleaned environment, how the prompt gets in, the limits. */
export function turnOrder(effect: BeginTurn, context: AgentPlace, prompt: string): TurnOrder {
  const { settings, projectDir } = context.frozen;
  const invocation = context.adapter.invocation({
    command: context.command,
    flags: context.flags,
    model: settings.agent.model,
    prompt,
    mode: "stream",
    sessionId: effect.sessionId,
    promptVia: settings.agent.promptVia,
    answerFile: `${projectDir}/.ralph/answer.txt`,
    ...usageOrder(effect, context),
  });
  const marker = `${context.runId}.${effect.id}`;
  const order = {
    argv: invocation.argv,
    cwd: projectDir,
    env: agentEnvironment({
      base: context.env,
      adapter: context.adapter,
      adapters: context.adapters,
      keepEnv: settings.agent.keepEnv,
      extra: { RALPH_RUN_ID: context.runId, RALPH_TURN: marker },
    }),
    stdin: invocation.stdin,
    marker,
    idleMs: effect.limits.idleMs,
    wallMs: effect.limits.wallMs,
    killGraceMs: context.killGraceMs,
  };
  return { order, isReadOnly: invocation.isReadOnly };
}

/** Only an agent that writes its usage into a file is asked to. */
function usageOrder({ id }: BeginTurn, { adapter, folder, runId }: AgentPlace): { usageFile?: string } {
  return adapter.readUsage === null || folder === undefined ? {} : { usageFile: usagePath({ folder, runId }, id) };
}
