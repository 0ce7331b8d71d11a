/** A new run's id, such as `20261115-204355-k7q2`: UTC first, so that ids sort by age and a beginning is easy to type. */
export function newRunId(now: number, random: () => number): string {
  const [date, time] = new Date(now).toISOString().split(/[T.]/);
  const suffix = Array.from({ length: suffixLength }, () => alphabet.charAt(Math.floor(random() * alphabet.length)));
  return `${(date ?? "").replaceAll("-", "")}-${(time ?? "").replaceAll(":", "")}-${suffix.join("")}`;
}

/** Without the letters and digits that are taken for one another: 0 o, 1 i l. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** 31^4, nearly a million, ids within one second; the store refuses an id it already has. */
const suffixLength = 4;
