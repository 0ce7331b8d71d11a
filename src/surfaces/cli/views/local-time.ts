import { formatDuration } from "../../../core/text/duration.ts";

/** A moment as people read it where they are: `14:30` on the same day, else `Tue 17 Nov, 14:30`. */
export function localTime(iso: string, now: number): string {
  const moment = new Date(iso);
  const time = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (moment.toDateString() === new Date(now).toDateString()) return time;
  const day = moment.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" });
  return `${day.replace(",", "")}, ${time}`;
}

/** The same with how far it is away: `14:30 (in 12m3s)`. */
export function untilText(iso: string, now: number): string {
  const restMs = Date.parse(iso) - now;
  return `${localTime(iso, now)}${restMs > 0 ? ` (in ${formatDuration(restMs)})` : ""}`;
}

/** How long ago something was, in one unit: `12s`, `5m`, `3h`, `2d`. */
export function ageText(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
