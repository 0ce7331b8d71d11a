import type { StartError } from "../../core/agents/turn-report.ts";
import type { TextRef } from "../../core/verification/verdict.ts";
import type { Effect } from "../../core/run/effect.ts";
import type { Feedback } from "../../core/run/feedback.ts";
import { composePrompt } from "../../core/prompts/compose-prompt.ts";
import { turnMode } from "../../core/settings/run/turn-mode.ts";
import { rolePrompt } from "../../core/prompts/role-prompt.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { agentProcess, type AgentContext, type AgentProcess } from "../agents/agent-process.ts";
import { answerOf } from "../agents/ask-agent.ts";
import type { Artefact, Artefacts, Disk, Store } from "../ports.ts";
import type { RunContext } from "../run-context.ts";
import { usageOf } from "./session-spend.ts";

/** The engine's order for a turn. */
export type BeginTurn = Extract<Effect, { type: "begin-turn" }>;

/** What a prompt is composed from: the frozen run, its files and the long texts of its feedback. */
export type PromptSources = Pick<RunContext, "frozen"> & {
  disk: Pick<Disk, "readText">;
  store: Pick<Store, "getBlob">;
};

/** What is known of the agent; without artefacts where only the command line is wanted. */
export type TurnContext = Omit<AgentContext, "frozen"> & {
  frozen: Pick<RunContext["frozen"], "settings" | "projectDir" | "policy">;
  artefacts?: Pick<Artefacts, "localPath">;
};

/** What to start for a turn. `answer`: the agent writes its words there, not to standard output. */
export type TurnProcess = { order: AgentProcess; isReadOnly: boolean; answer: Artefact | null };

/** The composed prompt, or why it is missing: the file is read for every iteration (S1-38, CB-14). */
export async function turnPrompt(effect: BeginTurn, context: PromptSources): Promise<string | StartError> {
  const base = await basePrompt(effect, context);
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

/** A role's prompt is made of its task; every other run has one of its own. */
async function basePrompt(effect: BeginTurn, context: PromptSources): Promise<string | StartError> {
  const { prompt, task, criterion } = context.frozen;
  if (task !== undefined && criterion !== undefined) {
    const { iteration, iterationsMax, attempts } = effect;
    return rolePrompt({ task, criterion, iteration, iterationsMax: iterationsMax ?? iteration, attempts });
  }
  return prompt.kind === "text" ? prompt.text : readPromptFile(prompt.path, context);
}

/** The part of a feedback that may lie in a blob. */
function longText(item: Feedback): TextRef | null {
  if (item.kind === "output" || item.kind === "reason") return item.output;
  return item.kind === "answer" ? item.text : null;
}

async function readPromptFile(path: string, context: PromptSources): Promise<string | StartError> {
  const refuse = (problem: string): StartError => ({
    kind: "prompt",
    message: `The prompt file ${path} ${problem}; restore it and resume.`,
  });
  try {
    const text = await context.disk.readText(path);
    if (text === null) return refuse("is gone");
    return text.trim() === "" ? refuse("is empty") : text.replace(/[\r\n]+$/, "");
  } catch (cause) {
    return refuse(`cannot be read (${thrownText(cause)})`);
  }
}

/** The order's turn as a process with its prompt and limits. */
export function turnProcess(effect: BeginTurn, context: TurnContext, prompt: string): TurnProcess {
  const turnMarker = `${context.runId}.${effect.id}`;
  const answer = answerOf(context, turnMarker);
  const { order, invocation } = agentProcess(context, {
    purpose: "agent",
    prompt,
    mode: turnMode(context.frozen),
    isTurn: true,
    sessionId: effect.sessionId,
    answerFile: context.artefacts?.localPath(answer) ?? "ANSWER",
    ...usageOrder(effect, context),
    model: null,
    turnMarker,
    limits: { idleMs: effect.limits.idleMs, wallMs: effect.limits.wallMs },
  });
  return { order, isReadOnly: invocation.isReadOnly, answer: invocation.usesAnswerFile ? answer : null };
}

/** Only an agent that writes its usage into a file is asked to. */
function usageOrder({ id }: BeginTurn, { adapter, artefacts, runId }: TurnContext): { usageFile?: string } {
  if (adapter.readUsage === null || artefacts === undefined) return {};
  return { usageFile: artefacts.localPath(usageOf({ runId }, id)) };
}
