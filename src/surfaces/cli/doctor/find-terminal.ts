import type { Finding } from "../../../shell/doctor/finding.ts";
import { isColoured } from "../terminal/paint.ts";
import { terminalColumns } from "../terminal/terminal-columns.ts";

/** The minimum width for the live view; below it lines are cut short. */
const columnsMin = 60;

/** Facts about the terminal that a run would use. */
export type Terminal = { isTTY: boolean; columns?: number | undefined };

/** Width, colours and encoding of the terminal. Without a terminal output is plain and everything works. */
export function findTerminal(terminal: Terminal, env: Readonly<Record<string, string>>): Finding {
  const name = "terminal";
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  const isUtf8 = /utf-?8/i.test(locale ?? "");
  const colours = isColoured(terminal.isTTY, env) ? "colours" : "no colours";
  const width = terminal.isTTY ? `${terminalColumns(terminal)} columns` : "none, output is plain";
  const text = `${width}, ${colours}, ${isUtf8 ? "UTF-8" : `${locale ?? "no locale"}, not UTF-8`}`;
  if (!isUtf8) return { name, state: "warn", text, remedy: "Set LANG to a UTF-8 locale such as C.UTF-8." };
  if (terminal.isTTY && terminalColumns(terminal) < columnsMin)
    return { name, state: "warn", text, remedy: `Make it at least ${columnsMin} columns wide.` };
  return { name, state: "ok", text, remedy: null };
}
