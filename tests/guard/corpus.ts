import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallContext } from "../../src/core/guard/facts/call-context.ts";

/** A row of a corpus: what the command line must be judged to be. */
export type Row = { command: string; decision: "allow" | "warn" | "block"; category: number | null };

/** A call of a tool. */
export type ToolRow = { tool: string; input: unknown };

/** The place all rows are judged in. */
export const place: CallContext = {
  workTree: "/home/ada/project",
  home: "/home/ada",
  tempFolder: "/tmp",
  cwd: "/home/ada/project",
  store: "/home/ada/.local/state/ralph",
  allow: [],
};

/** The rows that must be refused or warned about, of a folder of corpora. */
export function readDangerous(folder = "../fixtures/guard"): Row[] {
  return linesOf(folder, "dangerous.txt").map((line) => {
    const [category = "", decision = "", ...command] = line.split("\t");
    if (decision !== "warn" && decision !== "block") throw new Error(`no tier in ${line}`);
    return { command: spell(command.join("\t")), decision, category: Number(category) };
  });
}

/** The rows that must pass in silence. */
export function readHarmless(folder = "../fixtures/guard"): Row[] {
  return linesOf(folder, "harmless.txt").map((line) => ({ command: spell(line), decision: "allow", category: null }));
}

/** The tool calls of a file: name, tab, input as JSON. */
export function readTools(folder: string, file: string): ToolRow[] {
  return linesOf(folder, file).map((line) => {
    const [tool = "", ...json] = line.split("\t");
    const input: unknown = JSON.parse(json.join("\t"));
    return { tool, input };
  });
}

/** Lines that begin with `## ` are headings. */
function linesOf(folder: string, file: string): string[] {
  const path = join(import.meta.dirname, folder, file);
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("## "));
}

function spell(text: string): string {
  return text.replaceAll("⏎", "\n").replaceAll("⇥", "\t");
}
