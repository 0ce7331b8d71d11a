import { styleText } from "node:util";

export type Format = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours a text, or leaves it as it is where colours are off. */
export type Paint = (format: Format, text: string) => string;

/** No colours. */
export const unpainted: Paint = (_, text) => text;

/** Colours for the terminal. */
export const painted: Paint = (format, text) => styleText(format, text, { validateStream: false });

/** Colours only where a terminal shows them; `FORCE_COLOR` wins over `NO_COLOR`, as in Node itself. */
export function isColoured(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return false;
  return isTerminal;
}
