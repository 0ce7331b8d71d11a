import type { Toast } from "../../../core/session/loop/loop-notice.ts";

/**
 * Shows a toast before the call returns, as a host expects after `startLoop`. It is not waited for, and a callback that throws,
 * rejects or hangs stops nothing (CW-0M, R-37).
 */
export function showToast(show: ((toast: Toast) => unknown) | undefined, toast: Toast | null): void {
  if (toast === null || show === undefined) return;
  try {
    Promise.resolve(show(toast)).catch(() => undefined);
  } catch {
    // The host's own display is broken: the loop and its log are not.
  }
}
