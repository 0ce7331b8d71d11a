/**
 * One line of `ralph doctor`. `warn`: it works, but a person should know. `missing`: not there, and nothing here needs
 * it. `broken`: needed, and absent or not working.
 */
export type Finding = {
  name: string;
  state: "ok" | "warn" | "missing" | "broken";
  /** What was found, in a few words. */
  text: string;
  /** What to do about it; null when there is nothing to do. */
  remedy: string | null;
  version?: string;
  /** The command line ralph would use; `<prompt>` stands for the prompt. */
  argv?: string[];
};

/** Found and fine. */
export function fine(name: string, text: string): Finding {
  return { name, state: "ok", text, remedy: null };
}
