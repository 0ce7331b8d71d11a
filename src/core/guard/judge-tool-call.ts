import { isObject } from "../text/is-object.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgePath, type Access } from "./judge-path.ts";
import { cannotBeJudged, judgementOf, type Judgement } from "./facts/judgement.ts";
import { resolvePath, type CallContext } from "./facts/call-context.ts";

/** A tool call as a host reports it. The caller resolves links in the paths of `input`: core cannot read the disk. */
export type ToolCall = { tool: string; input: unknown; place: CallContext };

/**
 * Judges any tool call. It refuses a known tool whose input has an unexpected form, and a call that makes the guard fail;
 * an unknown tool uses neither shell nor files and passes.
 */
export function judgeToolCall({ tool, input, place }: ToolCall): Judgement {
  const kind = tools.get(tool.toLowerCase());
  if (kind === undefined) return judgementOf([]);
  try {
    return (
      judgeKnown(kind, isObject(input) ? input : {}, place) ??
      cannotBeJudged(`the input of ${tool} has no ${kind.fields.join(" or ")}`)
    );
  } catch (error) {
    return cannotBeJudged(`the guard failed (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** The paths of a call, so that the caller can resolve links; empty for a command line. */
export function pathsOf(tool: string, input: unknown): string[] {
  const kind = tools.get(tool.toLowerCase());
  if (kind === undefined || kind.does === "run" || !isObject(input)) return [];
  return kind.does === "patch" ? patchedPaths(textOf(kind, input) ?? "") : namedPaths(kind, input);
}

type ToolKind = { does: "run" | "patch" | Access; fields: readonly string[]; isOptional?: boolean };

/** Tools by their names in lower case; hosts differ in case and in how they call a field. */
const tools: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries<ToolKind>({
    bash: { does: "run", fields: ["command"] },
    shell: { does: "run", fields: ["command"] },
    monitor: { does: "run", fields: ["command"] },
    write: { does: "write", fields: ["file_path", "filePath", "path"] },
    edit: { does: "write", fields: ["file_path", "filePath", "path"] },
    multiedit: { does: "write", fields: ["file_path", "filePath", "path"] },
    notebookedit: { does: "write", fields: ["notebook_path", "notebookPath", "file_path"] },
    patch: { does: "patch", fields: ["patchText", "patch", "input"] },
    apply_patch: { does: "patch", fields: ["patchText", "patch", "input"] },
    read: { does: "read", fields: ["file_path", "filePath", "path"] },
    // Without a path it searches the current folder.
    grep: { does: "read", fields: ["path"], isOptional: true },
  }),
);

function judgeKnown(kind: ToolKind, input: Record<string, unknown>, place: CallContext): Judgement | null {
  const { does } = kind;
  const text = textOf(kind, input);
  if (text === null) return kind.isOptional === true ? judgementOf([]) : null;
  if (does === "run") return judgeCommand(text, { ...place, cwd: folderOf(input, place) });
  const access = does === "read" ? "read" : "write";
  const paths = does === "patch" ? patchedPaths(text) : namedPaths(kind, input);
  if (paths.length === 0) return cannotBeJudged("the patch names no file");
  return judgementOf(paths.flatMap((path) => judgePath(path, access, place).findings));
}

function textOf(kind: ToolKind, input: Record<string, unknown>): string | null {
  const found = kind.fields.map((field) => input[field]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : null;
}

function namedPaths(kind: ToolKind, input: Record<string, unknown>): string[] {
  return kind.fields.map((field) => input[field]).filter((value) => typeof value === "string");
}

/** The files of a patch, in the form of `*** Update File:` and of `+++ b/file`. */
function patchedPaths(text: string): string[] {
  const marked = [...text.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)];
  const unified = [...text.matchAll(/^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm)];
  return [...marked, ...unified].map((match) => (match[1] ?? "").trim()).filter((path) => path !== "/dev/null");
}

function folderOf(input: Record<string, unknown>, place: CallContext): string {
  const folder = input["workdir"];
  return typeof folder === "string" && folder !== "" ? resolvePath(folder, place.cwd) : place.cwd;
}
