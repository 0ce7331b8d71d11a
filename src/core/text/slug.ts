/** The longest command in a file name (S1-55). */
const slugCharsMax = 50;

/** A command as part of a file name: letters and digits; every run of other characters becomes one `_`. */
export function checkSlug(command: string): string {
  const words = command.match(/[A-Za-z0-9]+/g) ?? ["guardrail"];
  return words.join("_").slice(0, slugCharsMax).replace(/_$/, "");
}

/**
 * The log name of a check, such as `guardrail_001_make_test.log`; added to `taken`, so that equal slugs keep their
 * own logs. Names that differ only in case count as equal, as they do on some disks.
 */
export function logName(
  iteration: number,
  command: string,
  taken: Set<string>,
  prefix: "guardrail" | "criterion" = "guardrail",
): string {
  const base = `${prefix}_${String(iteration).padStart(3, "0")}_${checkSlug(command)}`;
  let name = `${base}.log`;
  for (let count = 1; taken.has(name.toLowerCase()); count += 1) name = `${base}_${count}.log`;
  taken.add(name.toLowerCase());
  return name;
}
