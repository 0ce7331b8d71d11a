import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { noSpend } from "../../core/agents/spend.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { defaultSpend } from "./read-step.ts";
import type { SimScript, SimTurn } from "./sim-step.ts";

/** The turn for this prompt. A turn chosen by `when` takes no number; the others follow each other by the state file. */
export function chooseTurn(script: SimScript, prompt: string, stateFile: string): SimTurn {
  const matching = matchingTurn(script, prompt);
  if (matching !== null) return matching;
  const ordered = script.turns.filter((turn) => turn.when === null);
  const index = countTurn(stateFile);
  const turn = ordered[index];
  if (turn !== undefined) return turn;
  const last = ordered.at(-1);
  if (script.after === "claim") return sayTurn("<promise>DONE</promise>");
  return script.after === "repeat" && last !== undefined ? last : sayTurn("The script has no further turn.");
}

/** The turn for a text call: such calls (judges, commit messages) never take a turn of the list. */
export function chooseAnswer(script: SimScript, prompt: string): SimTurn {
  return matchingTurn(script, prompt) ?? { ...sayTurn(script.answer), spend: noSpend };
}

/** Where the count is kept: outside the work tree, and apart for each run, so that every run begins at turn 1. */
export function defaultStateFile(script: string, env: Readonly<Record<string, string | undefined>>): string {
  const folder = env["RALPH_SIM_STATE"] ?? join(tmpdir(), `ralph-sim-${process.getuid?.() ?? "user"}`);
  const key = `${resolve(script)}\0${env["RALPH_RUN_ID"] ?? ""}`;
  return join(folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.turn`);
}

function matchingTurn(script: SimScript, prompt: string): SimTurn | null {
  return script.turns.find((turn) => turn.when !== null && prompt.includes(turn.when)) ?? null;
}

function sayTurn(text: string): SimTurn {
  return { when: null, spend: defaultSpend, steps: [{ step: "say", text, chunks: 1 }] };
}

/** Returns how many turns were played before, and counts this one before it is played: a crash counts too. */
function countTurn(stateFile: string): number {
  const played = readCount(stateFile);
  try {
    mkdirSync(dirname(stateFile), { recursive: true, mode: 0o700 });
    writeFileSync(`${stateFile}.new`, `${played + 1}\n`);
    renameSync(`${stateFile}.new`, stateFile);
  } catch (cause) {
    throw new RalphError("sim", `cannot write the state file ${stateFile}`, "Name another one with --state.", cause);
  }
  return played;
}

function readCount(stateFile: string): number {
  const text = readIfThere(stateFile);
  if (text === null) return 0;
  if (/^\d{1,9}\s*$/.test(text)) return Number(text);
  const found = JSON.stringify(text.slice(0, 40));
  throw new RalphError(
    "sim",
    `the state file ${stateFile} holds ${found}, not a number`,
    "Delete it to begin at turn 1.",
  );
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (!existsSync(file)) return null;
    throw new RalphError("sim", `cannot read the state file ${file}`, "Name another one with --state.", cause);
  }
}
