import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { ProcessOrder, ProcessPurpose } from "../ports.ts";
import type { AgentAdapter, Invocation, InvocationRequest } from "./adapter.ts";
import { agentEnvironment } from "./environment.ts";

/** What is known of the agent and its surroundings. */
export type AgentContext = {
  runId: string;
  frozen: Pick<FrozenRun, "settings" | "projectDir">;
  env: Readonly<Record<string, string>>;
  adapter: AgentAdapter;
  adapters: readonly AgentAdapter[];
  /** The agent program as configured, and its flags split into argv items. */
  command: string;
  flags: readonly string[];
  /** Variables for the agent's process alone. */
  agentEnv: Readonly<Record<string, string>>;
  killGraceMs: number;
};

/** What one call of the agent is about; the rest comes from its place. */
export type AgentCall = Pick<
  InvocationRequest,
  "prompt" | "mode" | "isTurn" | "sessionId" | "answerFile" | "usageFile"
> & {
  /** Null: the model of the settings. */
  model: string | null;
  purpose: ProcessPurpose;
  turnMarker: string;
  limits: Pick<ProcessOrder, "idleMs" | "wallMs">;
};

/** A process to start, without the reader of its output. */
export type AgentProcess = Omit<ProcessOrder, "onStdout" | "onStderr">;

/** What to start for one call: the command line, the cleaned environment, how the prompt gets in, the limits. */
export function agentProcess(context: AgentContext, call: AgentCall): { order: AgentProcess; invocation: Invocation } {
  const { settings, projectDir } = context.frozen;
  const { purpose, turnMarker, limits, model, ...rest } = call;
  const invocation = context.adapter.invocation({
    ...rest,
    command: context.command,
    flags: context.flags,
    model: model ?? settings.agent.model,
    promptVia: settings.agent.promptVia,
  });
  const order = {
    purpose,
    argv: invocation.argv,
    cwd: projectDir,
    env: agentEnvironment({
      base: context.env,
      adapter: context.adapter,
      adapters: context.adapters,
      keepEnv: settings.agent.keepEnv,
      extra: { ...context.agentEnv, RALPH_RUN_ID: context.runId, RALPH_TURN: turnMarker },
    }),
    stdin: invocation.stdin,
    turnMarker,
    ...limits,
    killGraceMs: context.killGraceMs,
    ...(isContained(settings) ? {} : { isUncontained: true }),
  };
  return { order, invocation };
}

/** Whether turns may have a PID namespace of their own. A run of an older version has no such setting. */
export function isContained({ agent }: Pick<FrozenRun["settings"], "agent">): boolean {
  return Object.hasOwn(agent, "namespace") ? agent.namespace : true;
}
