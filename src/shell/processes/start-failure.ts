import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { ProcessOrder, ProcessStart } from "../ports.ts";
import { statIfThere } from "../lib/stat-if-there.ts";

export type StartFailure = Extract<ProcessStart, { isStarted: false }>;

/** Says why a program could not be started and what to do about it. */
export function startFailure(order: Pick<ProcessOrder, "argv" | "cwd" | "env">, error: unknown): StartFailure {
  const program = order.argv[0] ?? "";
  const cannot = `Cannot start "${program}"`;
  const fail = (kind: StartFailure["kind"], reason: string): StartFailure => ({
    isStarted: false,
    kind,
    message: `${cannot}${reason}`,
  });
  if (program === "") return fail("not-found", ": the command is empty. Name a program.");

  const code = codeOf(error);
  const directoryProblem = findDirectoryProblem(order.cwd);
  if (directoryProblem !== null) return fail("bad-directory", ` in "${order.cwd}": ${directoryProblem}`);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ELOOP":
    case "ENAMETOOLONG":
      return missing(order, program, fail);
    case "E2BIG":
      return fail("resources", ": its arguments and environment are too long (E2BIG). Hand long text over by stdin.");
    case "EAGAIN":
    case "ENOMEM":
    case "EMFILE":
    case "ENFILE":
    case "ETXTBSY":
      return fail("resources", `: the system has no room for it now (${code}). End other programs or try again.`);
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
      return fail("not-executable", `: it may not be executed (${code}). Make it executable with "chmod +x".`);
    default:
      return fail("not-executable", `: ${thrownText(error)}. Correct the command.`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

// The kernel reports a missing directory and a missing program with the same code.
function findDirectoryProblem(directory: string): string | null {
  try {
    if (!statSync(directory).isDirectory()) return "that is not a directory. Choose another one.";
    accessSync(directory, constants.X_OK);
    return null;
  } catch (error) {
    if (codeOf(error) === "EACCES") return "that directory may not be entered. Change its permissions.";
    return "there is no such directory. Create it or choose another one.";
  }
}

function missing(
  order: Pick<ProcessOrder, "cwd" | "env">,
  program: string,
  fail: (kind: StartFailure["kind"], reason: string) => StartFailure,
): StartFailure {
  const found = candidatePaths(order, program).find(isFile);
  if (found !== undefined) {
    return fail("not-executable", `: the interpreter named in the first line of "${found}" is missing. Install it.`);
  }
  if (program.includes("/")) return fail("not-found", ": there is no such file. Correct the path or install it.");
  return fail("not-found", ": there is no such program in PATH. Install it or give its full path.");
}

function candidatePaths(order: Pick<ProcessOrder, "cwd" | "env">, program: string): string[] {
  if (program.includes("/")) return [resolve(order.cwd, program)];
  const folders = (order.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => resolve(order.cwd, folder, program));
}

function isFile(path: string): boolean {
  return statIfThere(path)?.isFile() ?? false;
}
