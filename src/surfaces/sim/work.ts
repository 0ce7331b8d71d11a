import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { SimTool, ToolEnd } from "./formats/sim-event.ts";
import type { EditChange, SimStep } from "./sim-step.ts";
import type { Stage } from "./stage.ts";

/** Where the scripted agent really works. */
export type Workplace = { cwd: string; env: Readonly<Record<string, string | undefined>> };

type EditTool = Extract<SimTool, { kind: "write" | "replace" }>;

/** The tool call that an edit step makes. */
export function editTool(workplace: Workplace, file: string, change: EditChange): EditTool {
  const path = resolve(workplace.cwd, file);
  if (change.kind === "replace") return { kind: "replace", file: path, find: change.find, replace: change.replace };
  return { kind: "write", file: path, content: change.content, isNew: !existsSync(path) };
}

/** Changes the file. A file that cannot be changed is a failed tool, as with any agent; the turn continues. */
export async function useEdit(tool: EditTool): Promise<ToolEnd> {
  const end = { exitCode: null, isDenied: false };
  try {
    writeFile(tool.file, tool.kind === "write" ? tool.content : replaceOnce(tool));
    return { ...end, output: `Changed ${tool.file}.`, isError: false };
  } catch (error) {
    return { ...end, output: thrownText(error), isError: true };
  }
}

function replaceOnce(tool: Extract<EditTool, { kind: "replace" }>): string {
  const content = readFileSync(tool.file, "utf8");
  if (!content.includes(tool.find)) throw new Error(`The text to replace is not in ${tool.file}.`);
  return content.replace(tool.find, () => tool.replace);
}

function writeFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

// What real agents show of a command's output lies between 16 and 64 KiB.
const outputCharsMax = 32 * 1024;

/** Runs a command for real. Its output is cut to the last part. */
export function runTool(workplace: Workplace, command: string, timeoutMs: number): Promise<ToolEnd> {
  const child = spawn("sh", ["-c", command], {
    cwd: workplace.cwd,
    env: workplace.env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  let output = "";
  const keep = (chunk: string): void => {
    output = (output + chunk).slice(-outputCharsMax);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  return new Promise((settle) => {
    child.on("error", (error) => settle({ output: error.message, exitCode: 127, isError: true, isDenied: false }));
    child.on("close", (code) => {
      const exitCode = code ?? 137;
      settle({ output, exitCode, isError: exitCode !== 0, isDenied: false });
    });
  });
}

/** Starts a process that outlives the turn; the tool's output names its pid. */
export function leaveChild(
  workplace: Workplace,
  step: Extract<SimStep, { step: "child" }>,
  stage: Stage,
): Promise<void> {
  const command = `${step.ignoresTerm ? "trap '' TERM; " : ""}exec sleep ${step.seconds}`;
  return stage.useTool({ kind: "run", command: `(${command}) &` }, async () => {
    const stream = step.holdsOutput ? "inherit" : "ignore";
    const child = spawn("sh", ["-c", command], {
      cwd: workplace.cwd,
      env: workplace.env,
      detached: step.isOwnSession,
      stdio: ["ignore", stream, stream],
    });
    child.unref();
    await new Promise((settle) => child.on("spawn", settle).on("error", settle));
    return { output: `pid ${child.pid}\n`, exitCode: 0, isError: false, isDenied: false };
  });
}
