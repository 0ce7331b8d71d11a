import { cleanLine } from "../../text/clean-text.ts";
import type { SealedTree } from "../protect/sealed-tree.ts";

/** Files in one line. */
const filesMax = 20;

/** What an agent reads of a red check in a sealed copy. */
export type ToldCheck = { reason: string; tree: Pick<SealedTree, "leftOut" | "restored">; output: string };

/**
 * The output of a red check as the agent gets it: why it is red, with the names of tests, and which of its files were not used, before
 * what the check printed. Nothing of the probe is in it.
 */
export function toldOutput({ reason, tree, output }: ToldCheck): string {
  const files = notUsed(tree);
  const more = files.length > filesMax ? ` and ${files.length - filesMax} more` : "";
  const unused = files.length === 0 ? [] : [`Not used in verification: ${files.slice(0, filesMax).join(", ")}${more}.`];
  return [reason, ...unused, output].join("\n");
}

/** Files of the candidate that a sealed copy does not hold as the candidate has them. */
function notUsed({ leftOut, restored }: ToldCheck["tree"]): string[] {
  return [
    ...leftOut.map(({ path, reason }) => `${cleanLine(path)} (${reason === "new" ? "new" : "in the way of a test"})`),
    ...restored.map(({ path, change }) => `${cleanLine(path)} (${change})`),
  ];
}
