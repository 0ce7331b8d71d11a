import { withInstruction } from "../../../core/session/loop/first-prompt.ts";
import type { RalphLoopState } from "../../../core/session/loop/loop-state.ts";
import type { Toast } from "../../../core/session/loop/loop-notice.ts";
import { tasksCommandText } from "../../../core/prompts/task-command.ts";
import { cancelLoopCommand, runLoopCommand } from "../loop/loop-command.ts";
import type { RalphLoopHook } from "../loop/loop-hook.ts";
import type { Prepared } from "./loop-criteria.ts";
import { fieldsOf } from "./opencode-client.ts";

/** A command as the host calls us before it performs it; the parts are what the agent will read. */
export type CommandCall = { command: string; sessionId: string; arguments: string; parts: unknown[] };

/** What the commands need. */
export type CommandTools = {
  hook: Pick<RalphLoopHook, "startLoop" | "cancelLoop" | "getState" | "heard">;
  showToast: (toast: Toast) => unknown;
  /** Why no loop can live here; null: it can. */
  refusal: string | null;
  /** Freezes what a claim must fulfil. */
  prepare: (sessionId: string) => Promise<Prepared>;
};

/** Adds the commands to the host's configuration. One of the same name that is there already stays. */
export function addLoopCommands(config: unknown): void {
  if (typeof config !== "object" || config === null) return;
  const settings = config as { command?: Record<string, unknown> };
  settings.command = { ...commands, ...fieldsOf(settings.command) };
}

/**
 * Performs `/ralph`, `/cancel-ralph` and `/ralph-status`; any other command is the host's. The host has no answer of its
 * own to a command, so the agent is asked to pass on what there is to say.
 */
export async function performLoopCommand(call: CommandCall, tools: CommandTools): Promise<void> {
  switch (call.command) {
    case "ralph":
      return startLoop(call, tools);
    case "cancel-ralph": {
      const { hook, showToast } = tools;
      const before = hook.getState(call.sessionId);
      const isCancelled = cancelLoopCommand(hook, { showToast }, call.sessionId);
      return passOn(
        call,
        isCancelled && before !== null ? `The Ralph loop was cancelled at ${progressOf(before)}.` : noLoop,
      );
    }
    case "ralph-status":
      return passOn(call, describeLoop(tools.hook.getState(call.sessionId)));
  }
}

const commands = {
  ralph: {
    template: "$ARGUMENTS",
    description: 'Work until it is verifiably done: "task" [--max-iterations=N] [--completion-promise=TEXT]',
  },
  "cancel-ralph": { template: "Cancel the Ralph loop.", description: "Cancel the Ralph loop of this session" },
  "ralph-status": { template: "Show the Ralph loop.", description: "Show how far the Ralph loop of this session is" },
  // The host's own template is all there is to it.
  "ralph-tasks": { template: tasksCommandText, description: "Write tasks with completion criteria for ralph work" },
};

async function startLoop(call: CommandCall, tools: CommandTools): Promise<void> {
  const { hook, showToast, refusal } = tools;
  const { sessionId } = call;
  if (refusal !== null) {
    showToast({ title: "Ralph Loop Not Started", message: refusal, variant: "warning", duration: 5000 });
    // There is no screen for the toast; thrown, it costs no answer of the model and the host ends with an error.
    process.stderr.write(`ralph: ${refusal}\n`);
    throw new Error(refusal);
  }
  const { problem: unfit, warning } = await tools.prepare(sessionId);
  if (unfit !== null) {
    showToast({ title: "Ralph Loop Not Started", message: unfit, variant: "warning", duration: 5000 });
    return passOn(call, `The Ralph loop was not started. ${unfit}`);
  }
  const injectPrompt = async (_: string, prompt: string): Promise<void> => {
    // What was there before must be counted before the prompt is there.
    await hook.heard(sessionId);
    setText(call, withInstruction(prompt, hook.getState(sessionId)?.completionPromise ?? null));
  };
  const problem = await runLoopCommand(hook, { injectPrompt, showToast }, { sessionId, line: call.arguments });
  if (problem !== null) return passOn(call, `The Ralph loop was not started. ${problem}`);
  if (warning !== null) showToast({ title: "Ralph", message: warning, variant: "warning", duration: 5000 });
}

const noLoop = "No Ralph loop is running in this session.";

function describeLoop(loop: RalphLoopState | null): string {
  if (loop?.active !== true) return noLoop;
  const promise = `It ends when <promise>${loop.completionPromise}</promise> is claimed and verified.`;
  return `The Ralph loop is at ${progressOf(loop)}, started at ${loop.startedAt}. ${promise} Its task: ${loop.prompt}`;
}

function progressOf({ iteration, maxIterations }: RalphLoopState): string {
  return `iteration ${iteration} of ${maxIterations}`;
}

function passOn(call: CommandCall, sentence: string): void {
  setText(call, `Tell the person exactly this, and do nothing else:\n\n${sentence}`);
}

/** The host reads the list it gave us, so that very list is changed. Files the person attached stay. */
function setText({ parts }: CommandCall, text: string): void {
  const others = parts.filter((part) => fieldsOf(part)["type"] !== "text");
  parts.splice(0, parts.length, { type: "text", text }, ...others);
}
