import { isObject } from "../text/is-object.ts";
import { thrownText } from "../text/thrown-text.ts";
import { codeIn, programLines, quoteWord } from "./carried-code.ts";
import { commandsIn, isShellName, typedTexts } from "./carried-commands.ts";
import { fileAccessesIn, writtenTexts, type FileAccess } from "./file-accesses.ts";
import { isAllowedByRule } from "./facts/allow-list.ts";
import { findContentFaults } from "./facts/file-content.ts";
import { judgeCommand } from "./judge-command.ts";
import { expandHome, judgePath, type Access } from "./judge-path.ts";
import { cannotBeJudged, judgementOf, type Finding, type Judgement } from "./facts/judgement.ts";
import { resolvePath, type CallContext } from "./facts/call-context.ts";

/** A tool call as a host reports it. The caller resolves links in the paths of `input`: core cannot read the disk. */
export type ToolCall = { tool: string; input: unknown; place: CallContext };

/**
 * Judges any tool call. It refuses a known tool whose input has an unexpected form, and a call that makes the guard fail;
 * an unknown tool is judged by the commands it carries and by the files it names.
 */
export function judgeToolCall({ tool, input, place }: ToolCall): Judgement {
  const kind = tools.get(tool.toLowerCase());
  try {
    if (kind === undefined) return judgeCarried(tool, input, place);
    return (
      judgeKnown(kind, isObject(input) ? input : {}, place) ??
      cannotBeJudged(`the input of ${tool} has no ${kind.fields.join(" or ")}`)
    );
  } catch (error) {
    return cannotBeJudged(`the guard failed (${thrownText(error)})`);
  }
}

/** The files that a call names, so that the caller can resolve links; empty for a command line. */
export function accessesOf(tool: string, input: unknown): FileAccess[] {
  const kind = tools.get(tool.toLowerCase());
  if (kind === undefined) return fileAccessesIn(tool, input);
  if (kind.does === "run" || !isObject(input)) return [];
  const paths = kind.does === "patch" ? patchedPaths(textOf(kind, input) ?? "") : namedPaths(kind, input);
  return paths.map((path) => ({ path, access: kind.does === "read" ? "read" : "write" }));
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

/**
 * What a tool calls a script may be another language, and what is typed into a terminal may be the answer to a question:
 * unless the tool's name promises a shell, and its field a command, only what can be read counts.
 */
function judgeCarried(tool: string, input: unknown, place: CallContext): Judgement {
  const there = { ...place, cwd: isObject(input) ? folderOf(input, place) : place.cwd };
  const judged = (lines: readonly string[]): Finding[] =>
    lines.flatMap((line) => [...judgeCommand(line, there).findings]);
  const isReadable = ({ category }: Finding): boolean => category !== null;
  const found = judged(commandsIn(tool, input));
  return judgementOf([
    ...(isShellName(tool) ? found : found.filter(isReadable)),
    ...judged([...typedTexts(tool, input), ...programLines(input)]).filter(isReadable),
    ...judged(codeLines(tool, input)).filter(isClear),
    ...findFileFaults(fileAccessesIn(tool, input), input, there),
  ]);
}

/** A text of a field that nobody knows is judged as a command and as code. */
function codeLines(tool: string, input: unknown): string[] {
  return codeIn(tool, input).flatMap(({ text, interpreter }) => [
    text,
    `${interpreter} ${interpreter === "php" ? "-r" : "-e"} ${quoteWord(text)}`,
  ]);
}

/** What only might be a command counts when it is clearly dangerous, as a guess does. */
function isClear({ tier, category }: Finding): boolean {
  return tier === "block" && category !== null && category !== 12;
}

function judgeKnown(kind: ToolKind, input: Record<string, unknown>, place: CallContext): Judgement | null {
  const { does } = kind;
  const text = textOf(kind, input);
  if (text === null) return kind.isOptional === true ? judgementOf([]) : null;
  if (does === "run") return judgeCommand(text, { ...place, cwd: folderOf(input, place) });
  const access = does === "read" ? "read" : "write";
  const paths = does === "patch" ? patchedPaths(text) : namedPaths(kind, input);
  if (paths.length === 0) return cannotBeJudged("the patch names no file");
  const texts = does === "patch" ? { patch: text } : input;
  return judgementOf(
    findFileFaults(
      paths.map((path) => ({ path, access })),
      texts,
      place,
    ),
  );
}

/** Findings about the files of a call, and about what it writes to them. */
function findFileFaults(accesses: readonly FileAccess[], input: unknown, place: CallContext): Finding[] {
  const texts = writtenTexts(input);
  return accesses.flatMap(({ path, access }) => {
    const whole = resolvePath(expandHome(path, place), place.cwd);
    const planted = access === "write" ? texts.flatMap((text) => findContentFaults(whole, text)) : [];
    const opened = planted.filter((finding) => !isAllowedByRule(finding, place.allow));
    return [...judgePath(path, access, place).findings, ...opened];
  });
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
  const folder = ["workdir", "cwd", "working_directory", "workingDirectory"]
    .map((field) => input[field])
    .find((value) => typeof value === "string");
  return typeof folder === "string" && folder !== "" ? resolvePath(folder, place.cwd) : place.cwd;
}
