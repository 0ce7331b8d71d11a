const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `"90s"`, `"30m"`, `"2h"`, `"1h30m"` or milliseconds without a unit; null for anything else. */
export function parseDuration(value: string | number): number | null {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, part) => sum + Number(part[1]) * (unitMs[part[2] ?? ""] ?? 0), 0);
}

/** Milliseconds as a setting writes them, exactly: `"90s"`, `"2h"`, `"250ms"`. */
export function durationText(ms: number): string {
  const [unit = "ms", size = 1] = Object.entries(unitMs).findLast(([, each]) => ms % each === 0 && ms >= each) ?? [];
  return `${ms / size}${unit}`;
}

/** The same duration with its unit, where it lacks one: `"5s"` for 5000; null where it has one or needs none. */
export function missingUnit(value: string | number): string | null {
  const isBare = typeof value === "number" || /^\s*\d+\s*$/.test(value);
  return isBare && Number(value) > 0 ? durationText(Number(value)) : null;
}

/**
 * What to write for a number without a unit, by what it may mean; null where nothing is missing. Nobody can tell which one is
 * meant: people think in seconds and minutes, versions without units read milliseconds.
 */
export function unitRemedy(value: string | number, write: (text: string) => string): string | null {
  const exact = missingUnit(value);
  if (exact === null) return null;
  const number = Number(value);
  return `${write(`${number}s`)} for seconds, ${write(`${number}m`)} for minutes, ${write(exact)} for milliseconds`;
}

/** Formats a duration for people: `0.4s`, `12s`, `6m7s`, `2h3m`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m`;
}
