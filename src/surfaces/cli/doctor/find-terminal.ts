import { fine, type Finding } from "../../../shell/doctor/finding.ts";
import { isColoured } from "../terminal/paint.ts";

/** What the live view needs of a terminal; below it lines are cut hard. */
const columnsMin = 60;

/** What is known of the terminal a run would show itself on. */
export type Terminal = { isTTY: boolean; columns?: number | undefined };

/** Width, colours and letters of the terminal. Without one, output is plain and everything works. */
export function findTerminal(terminal: Terminal, env: Readonly<Record<string, string>>): Finding {
  const name = "terminal";
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  const isUtf8 = /utf-?8/i.test(locale ?? "");
  const colours = isColoured(terminal.isTTY, env) ? "colours" : "no colours";
  const width = terminal.isTTY ? `${terminal.columns ?? "unknown"} columns` : "none, output is plain";
  const text = `${width}, ${colours}, ${isUtf8 ? "UTF-8" : `${locale ?? "no locale"}, not UTF-8`}`;
  if (!isUtf8) return { name, state: "warn", text, remedy: "Set LANG to a UTF-8 locale such as C.UTF-8." };
  if (terminal.isTTY && (terminal.columns ?? columnsMin) < columnsMin)
    return { name, state: "warn", text, remedy: `Make it at least ${columnsMin} columns wide.` };
  return fine(name, text);
}
