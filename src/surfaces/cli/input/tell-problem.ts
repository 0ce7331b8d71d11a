import { cleanLines } from "../../../core/text/clean-text.ts";

/** Names a session that cannot be read, on stderr. */
export function tellProblem(text: string): void {
  process.stderr.write(cleanLines([`ralph: a session could not be read: ${text}`]));
}
