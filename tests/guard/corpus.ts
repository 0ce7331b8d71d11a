import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallContext } from "../../src/core/guard/facts/call-context.ts";

/** A row of a corpus: what the command line must be judged to be. */
export type Row = { command: string; decision: "allow" | "warn" | "block"; category: number | null };

/** The place all rows are judged in. */
export const place: CallContext = {
  workTree: "/home/ada/project",
  home: "/home/ada",
  tempFolder: "/tmp",
  cwd: "/home/ada/project",
  store: "/home/ada/.local/state/ralph",
  allow: [],
};

/** The rows that must be refused or warned about. */
export function readDangerous(): Row[] {
  return linesOf("dangerous.txt").map((line) => {
    const [category = "", decision = "", ...command] = line.split("\t");
    if (decision !== "warn" && decision !== "block") throw new Error(`no tier in ${line}`);
    return { command: spell(command.join("\t")), decision, category: Number(category) };
  });
}

/** The rows that must pass in silence. */
export function readHarmless(): Row[] {
  return linesOf("harmless.txt").map((line) => ({ command: spell(line), decision: "allow", category: null }));
}

function linesOf(file: string): string[] {
  const path = join(import.meta.dirname, "../fixtures/guard", file);
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function spell(text: string): string {
  return text.replaceAll("⏎", "\n").replaceAll("⇥", "\t");
}
