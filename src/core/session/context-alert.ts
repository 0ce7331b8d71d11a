/** How urgent an alert is. */
type AlertLevel = "NOTICE" | "WARNING" | "CRITICAL";

/** One threshold, in percent of the window, with its level (S4-33). */
const thresholds: readonly (readonly [percent: number, level: AlertLevel])[] = [
  [50, "NOTICE"],
  [60, "NOTICE"],
  [70, "WARNING"],
  [80, "WARNING"],
  [90, "CRITICAL"],
];

/** What an agent is told at each level (S4-34 to S4-36). */
const alertTexts: Readonly<Record<AlertLevel, string>> = {
  NOTICE:
    "Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.",
  WARNING:
    "Finish your current task and commit soon. Do not start additional tasks. If work remains, create new stories in tasks.json for the next iteration and capture any implementation details or insights in progress.txt so the next iteration has full context.",
  CRITICAL:
    "Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json for any remaining work, (2) write implementation details, insights, and handoff notes to progress.txt, (3) commit all changes, (4) stop. The next iteration will continue from where you left off.",
};

/** An alert: what to say, and the threshold that is spent with all below it. */
export type ContextAlert = { text: string; threshold: number };

/**
 * Whether this much of the window calls for an alert that was not given yet. `fired` is the highest threshold given so
 * far: after a jump the lower ones stay silent (CW-4L).
 */
export function contextAlert(usage: { tokens: number; windowTokens: number; fired: number }): ContextAlert | null {
  const percent = Math.floor((usage.tokens / usage.windowTokens) * 100);
  const reached = thresholds.findLast(([threshold]) => percent >= threshold);
  if (reached === undefined || reached[0] <= usage.fired) return null;
  const [threshold, level] = reached;
  return { text: `About ${percent}% of the context window is used. ${level}: ${alertTexts[level]}`, threshold };
}

/** The window where nobody says another one (S4-32). */
export const windowTokensDefault = 200_000;

/** The window from a variable; anything but a count of tokens gives the default. */
export function windowTokens(given: string | undefined): number {
  const tokens = /^\d{1,12}$/.test(given?.trim() ?? "") ? Number(given) : 0;
  return tokens > 0 ? tokens : windowTokensDefault;
}

/** Where no usage is known: so many bytes of a transcript for each token, from 3 to 6 (S4-32). */
export function estimateTokens(bytes: number, given: string | undefined): number {
  const bytesPerToken = Number(given);
  const divisor = bytesPerToken >= 3 && bytesPerToken <= 6 ? bytesPerToken : 4;
  return Math.floor(bytes / divisor);
}
