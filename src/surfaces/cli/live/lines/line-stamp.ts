/** What a line begins with: `[HH:MM:SS] `, in dated runs `[YYYY-MM-DD HH:MM:SS] `, both in local time; empty for none. */
export function lineStamp(
  { hasTimestamps, isDated = false }: { hasTimestamps: boolean; isDated?: boolean },
  whose: "ralph" | "agent",
  now: Date,
): string {
  if (!hasTimestamps && !(isDated && whose === "ralph")) return "";
  const time = now.toTimeString().slice(0, 8);
  return isDated ? `[${dateOf(now)} ${time}] ` : `[${time}] `;
}

function dateOf(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
