// Loops of this process.
export { type AgentFunction, type AgentTurn } from "./app/functions/agent-function.ts";
export { type CheckAnswer, type CheckFunction, type CheckRequest } from "./app/functions/check-function.ts";
export { type LoopEvent, type LoopHandle } from "./app/loop-handle.ts";
export { type CommonOptions, type LoopAgent, runLoop, type RunLoopOptions } from "./app/run-loop.ts";
export type { TaskEnd } from "./core/work/work-outcome.ts";
export { runTasks, type RunTasksOptions } from "./app/run-tasks.ts";
export { runPrd, type RunPrdOptions } from "./app/run-prd.ts";
export { resumeRun, type ResumeRunOptions } from "./app/resume-run.ts";
export {
  type SuperviseEvent,
  superviseLoop,
  type SuperviseLoopEnd,
  type SuperviseLoopOptions,
} from "./app/supervise-loop.ts";
export {
  cancelRun,
  continueRun,
  type FoundRun,
  type ListedRun,
  listRuns,
  type NamedRunOptions,
  pauseRun,
  type RunList,
  showRun,
  type StoredRunsOptions,
} from "./app/stored-runs.ts";
export type { RunSummary } from "./app/query/summary/run-summary.ts";
export { type Outcome, type OutcomeName, exitCodes } from "./core/run/outcome.ts";
export { RalphError, type RalphErrorCode } from "./core/ralph-error.ts";

// Verification without a loop.
export type { CompletionDocument, CriterionDocument, TaskDocument } from "./app/read-criteria.ts";
export {
  type CriteriaResult,
  type CriterionVerdict,
  verifyCriteria,
  type VerifyCriteriaOptions,
} from "./app/verify-criteria.ts";

export { verify, type VerifyOptions } from "./app/verify.ts";
export type { Verification, VerifiedCheck } from "./core/verification/verified/verification.ts";

// The message bus.
export type { BusMessage, MessageLink, MessageParent } from "./core/bus/message.ts";
export {
  type BusDiscovery,
  type BusFollowOptions,
  type BusReadOptions,
  createMessageBus,
  type MessageBus,
  type MessageBusOptions,
  type NewMessage,
} from "./app/message-bus.ts";

// Streams of agents, journals and views of them.
export {
  type AgentStreamReader,
  createStreamReader,
  streamAgents,
  type StreamEnd,
  type StreamReaderOptions,
} from "./app/stream-reader.ts";
export type { AgentEvent, Failure, TodoItem } from "./core/agents/agent-event.ts";
export type { Spend } from "./core/agents/spend.ts";
export type { TurnReport } from "./core/agents/turn-report.ts";
export type { JournalNews, WorkStepNews } from "./core/journal/journal-entry.ts";
export { foldEntry } from "./app/fold-entry.ts";
export { emptyView, type IterationView, type RunView } from "./core/journal/run-view.ts";
export { formatRun, type ShownRun } from "./surfaces/cli/views/format-run.ts";

// The loop inside a host's session.
export {
  createRalphLoopHook,
  type RalphLoopEvent,
  type RalphLoopHook,
  type RalphLoopHookOptions as RalphLoopOptions,
} from "./surfaces/hooks/loop/loop-hook.ts";
export { cancelLoopCommand, type LoopCommandHost, runLoopCommand } from "./surfaces/hooks/loop/loop-command.ts";
export { type LoopCommand, loopCommandUsage, parseLoopCommand } from "./core/session/loop/parse-loop-command.ts";
export { clearState, incrementIteration, readState, writeState } from "./app/loop-state.ts";
export { detectCompletionPromise, detectInMessages, detectInTranscript } from "./app/loop-promise.ts";
export { buildContinuationPrompt } from "./core/session/loop/continuation-prompt.ts";
export {
  CONTINUATION_PROMPT_TEMPLATE,
  DEFAULT_COMPLETION_PROMISE,
  DEFAULT_CONFIG,
  DEFAULT_CONTINUATION_DELAY,
  DEFAULT_MAX_ITERATIONS,
  HOOK_NAME,
} from "./app/loop-defaults.ts";
export type { RalphLoopConfig, StartLoopOptions } from "./core/session/loop/loop-config.ts";
export type { LogLine, Toast } from "./core/session/loop/loop-notice.ts";
export type { RalphLoopState } from "./core/session/loop/loop-state.ts";
export type { MessagePart, SessionMessage } from "./core/session/session-message.ts";
export type { SessionCheckRequest, SessionChecks } from "./shell/sessions/session-host.ts";

// What a loop is made of: the engine, its ports, and what can be put in their places.
export { decide } from "./core/engine/decide.ts";
export type { Effect } from "./core/run/effect.ts";
export type { Observation } from "./core/run/observation.ts";
export { newRun, type RunState } from "./core/run/state.ts";
export type { FrozenRun } from "./core/settings/run/frozen-run.ts";
export { decideWork } from "./core/work/decide-work.ts";
export type { WorkEffect } from "./core/work/work-effect.ts";
export type { WorkObservation } from "./core/work/work-observation.ts";
export { newWork, type WorkState } from "./core/work/work-state.ts";
export { parseSettings } from "./app/parse-settings.ts";
export { runPolicy } from "./core/settings/run/run-policy.ts";
export type { Settings } from "./core/settings/settings.ts";
export type { RunConnection, RunEnd } from "./shell/drivers/start-run.ts";
export { startRun } from "./app/start-run.ts";
export type { AgentAdapter } from "./shell/agents/adapter.ts";
export { plainAnswer } from "./core/run/gate-answer.ts";
export type { GateKind } from "./shell/gates/gate-kind.ts";
export type { Machine } from "./shell/machine.ts";
export type { Store } from "./shell/ports.ts";
export type { Sink } from "./shell/sinks/sink.ts";
export { wire } from "./app/wire-machine.ts";
