import {
  anObject,
  anyText,
  type OptionRules,
  readOptions,
  required,
  requireOption,
  withFunctions,
} from "../../../app/read-options.ts";
import { type Toast, toastOf } from "../../../core/session/loop/loop-notice.ts";
import { parseLoopCommand } from "../../../core/session/loop/parse-loop-command.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import type { RalphLoopHook } from "./loop-hook.ts";
import { showToast } from "./show-toast.ts";

/**
 * What a command needs of its host.
 *
 * @example
 * ```ts
 * import { type LoopCommandHost } from "ralph";
 *
 * const host: LoopCommandHost = { injectPrompt: async (sessionId, prompt) => console.log(sessionId, prompt) };
 * await host.injectPrompt("session-1", "Fix the tests.");
 * ```
 */
export type LoopCommandHost = {
  injectPrompt: (sessionId: string, prompt: string) => Promise<unknown>;
  showToast?: (toast: Toast) => unknown;
};

/**
 * `/ralph "task" …`: starts the loop and, when it started, gives its first prompt (S0-40). A text says what was wrong.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, runLoopCommand } from "ralph";
 *
 * const hook = createRalphLoopHook({ config: { stateDir: "loops" }, criteria: null });
 * const host = { injectPrompt: async (sessionId: string, prompt: string) => console.log(sessionId, prompt) };
 * const problem = await runLoopCommand(hook, host, { sessionId: "session-1", line: '/ralph "Fix the tests"' });
 * console.log(problem ?? "started");
 * hook.dispose();
 * ```
 */
export async function runLoopCommand(
  hook: Pick<RalphLoopHook, "startLoop" | "cancelLoop">,
  host: LoopCommandHost,
  order: { sessionId: string; line: string },
): Promise<string | null> {
  requireOption("runLoopCommand", "hook", { value: hook, rule: withFunctions("startLoop", "cancelLoop") });
  requireOption("runLoopCommand", "host", { value: host, rule: withFunctions("injectPrompt") });
  const { injectPrompt } = host;
  const { sessionId, line } = readOptions("runLoopCommand", order, orderRules);
  const command = parseLoopCommand(line);
  const refuse = (reason: string): string => {
    showToast(host.showToast, toastOf({ type: "not-started", sessionId, reason }));
    return reason;
  };
  if (typeof command === "string") return refuse(command);
  if (!hook.startLoop(sessionId, command.prompt, command.options))
    return refuse("The loop did not start; the log says why.");
  try {
    await injectPrompt(sessionId, command.prompt);
    return null;
  } catch (error) {
    // A loop whose first prompt was not delivered would wait without end.
    hook.cancelLoop(sessionId);
    return refuse(`The first prompt could not be given: ${thrownText(error)}`);
  }
}

/**
 * `/cancel-ralph`: says so when there was nothing to cancel (S0-42).
 *
 * @example
 * ```ts
 * import { cancelLoopCommand, createRalphLoopHook } from "ralph";
 *
 * const hook = createRalphLoopHook({ config: { stateDir: "loops" }, criteria: null });
 * const showToast = ({ title }: { title: string }): void => console.log(title); // No Active Loop
 * console.log(cancelLoopCommand(hook, { showToast }, "session-1")); // false
 * hook.dispose();
 * ```
 */
export function cancelLoopCommand(
  hook: Pick<RalphLoopHook, "cancelLoop">,
  host: Pick<LoopCommandHost, "showToast">,
  sessionId: string,
): boolean {
  requireOption("cancelLoopCommand", "hook", { value: hook, rule: withFunctions("cancelLoop") });
  requireOption("cancelLoopCommand", "host", { value: host, rule: anObject });
  requireOption("cancelLoopCommand", "sessionId", { value: sessionId, rule: anyText });
  const isCancelled = hook.cancelLoop(sessionId);
  if (!isCancelled) showToast(host.showToast, toastOf({ type: "nothing-to-cancel", sessionId }));
  return isCancelled;
}

const orderRules: OptionRules<{ sessionId: string; line: string }> = {
  sessionId: required(anyText),
  line: required(anyText),
};
