import { takeUpgradeNotes } from "../../app/upgrade-notes.ts";

/** What the first command after an upgrade prints on standard error; empty for every other one. Never throws. */
export function upgradeText(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): string {
  if (isSilent(argv) || env["RALPH_TURN"] !== undefined) return "";
  const notes = takeUpgradeNotes(env);
  if (notes.length === 0) return "";
  const lines = notes.map((text) => `- ${text}\n`).join("");
  return `ralph has changed since you last used it (shown once; details are in CHANGELOG.md):\n${lines}\n`;
}

/** Programs read the output, or nobody reads standard error, as when a shell loads its completions. */
function isSilent(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const own = end === -1 ? argv : argv.slice(0, end);
  return own[0] === "completions" || own.some((word) => /^(?:--json|--quiet|-[a-zA-Z]*q[a-zA-Z]*)$/.test(word));
}
