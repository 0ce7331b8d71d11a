/**
 * Every code a person can meet; closed, so that remedies can be written for each.
 *
 * @example
 * ```ts
 * import { type RalphErrorCode } from "ralph";
 *
 * const isMine: Partial<Record<RalphErrorCode, boolean>> = { usage: true, settings: true, prompt: true };
 * console.log(isMine["locked"] ?? false);
 * ```
 */
export type RalphErrorCode =
  | "usage"
  | "settings"
  | "agent"
  | "prompt"
  | "file"
  | "locked"
  | "lost-lock"
  | "own-run"
  | "not-found"
  | "not-resumable"
  | "store"
  | "scm"
  | "sim"
  | "bus"
  | "unknown-message"
  | "supervised"
  | "task"
  | "contract"
  | "conflict";

/**
 * The one error people meet. The message names the thing and the value found, the hint the remedy.
 *
 * @example
 * ```ts
 * import { createMessageBus, RalphError } from "ralph";
 *
 * try {
 *   createMessageBus({ path: "" });
 * } catch (error) {
 *   if (error instanceof RalphError) console.log(error.code, error.message, error.hint);
 * }
 * ```
 */
export class RalphError extends Error {
  override readonly name = "RalphError";
  readonly code: RalphErrorCode;
  readonly hint: string | null;

  constructor(code: RalphErrorCode, message: string, hint: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}
