import { type NamedTarget, targetId } from "../../../app/query/find/target.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";

/** A line of ralph's own, on stderr. */
export function tellLine(text: string): void {
  process.stderr.write(cleanLines([`ralph: ${text}`]));
}

/** Names a session that cannot be read. */
export function tellProblem(text: string): void {
  tellLine(`a session could not be read: ${text}`);
}

/** Says which run of a session is meant, and names the others; nothing where there are none. */
export function tellOthers(target: NamedTarget): void {
  const { session, others } = target;
  if (others.length === 0) return;
  const which = session === undefined ? `${targetId(target)}, the newest` : "the living one";
  tellLine(`The session has ${others.length + 1} runs; this is ${which}. The others: ${others.join(", ")}`);
}
