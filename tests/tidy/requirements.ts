import { compareIds, idsIn } from "../../scripts/requirement-ids.ts";
import { parseRequirements } from "../../scripts/requirement-coverage.ts";
import type { Exceptions } from "./imports.ts";
import { isCode, type SourceFile } from "./source-file.ts";

const sentencesPath = "docs/requirements.md";
const listPath = "docs/requirements.json";

/** Ids that code, tests, faults or documents cite and that have no sentence in `docs/requirements.md`. */
export function findUnexplainedIds(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  const explained = new Set(sentencesIn(files).map(({ id }) => id));
  return files
    .filter((file) => canCiteIds(file) && exceptions[file.path] === undefined)
    .flatMap((file) => {
      const ids = new Set(file.text.split("\n").flatMap(idsIn));
      return [...ids].filter((id) => !explained.has(id)).map((id) => `${file.path}: ${id}`);
    });
}

/** Where `docs/requirements.md` and `docs/requirements.json` differ: unknown ids, missing, repeated and empty sentences. */
export function findRequirementProblems(files: readonly SourceFile[]): string[] {
  const { ids: known } = parseRequirements(textOf(files, listPath));
  const sentences = sentencesIn(files);
  const said = sentences.map(({ id }) => id);
  const isLater = (id: string): boolean => known[id]?.includes("later") === true;
  return [
    ...said.filter((id) => known[id] === undefined).map((id) => `${id} is not in ${listPath}`),
    ...Object.keys(known)
      .filter((id) => !said.includes(id))
      .toSorted(compareIds)
      .map((id) => `${id} has no sentence in ${sentencesPath}`),
    ...said.filter((id, index) => said.indexOf(id) !== index).map((id) => `${id} has two sentences`),
    ...sentences.filter(({ text }) => !/^\S.{8,}\.$/.test(text)).map(({ id }) => `${id} has no whole sentence`),
    ...sentences
      .filter(({ id, text }) => text.startsWith("later:") !== isLater(id))
      .map(({ id }) => `${id} must begin with "later:" exactly when its group is later`),
  ];
}

/** References to documents that the repository does not hold; decisions may tell where they come from. */
export function findOutsideReferences(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => canCiteIds(file) && !file.path.startsWith("docs/decisions/"))
    .flatMap((file) =>
      file.text.split("\n").flatMap((line, index) => (outside.test(line) ? [`${file.path}:${index + 1}`] : [])),
    );
}

const outside = /\bdesign §|\bdocument 00\d\b/i;

type Sentence = { id: string; text: string };

function sentencesIn(files: readonly SourceFile[]): Sentence[] {
  return [...textOf(files, sentencesPath).matchAll(/^- \*\*([^*]+)\*\* ?(.*)$/gm)].map(([, id = "", text = ""]) => ({
    id,
    text,
  }));
}

/** Code, faults and documents; recorded files of other programs hold anything. The rules spell out what they forbid. */
function canCiteIds(file: SourceFile): boolean {
  if (file.path.startsWith("tests/tidy/") || file.path.startsWith("tests/fixtures/")) return false;
  return isCode(file) || file.path.endsWith(".md") || /^tests\/faults\/.*\.json$/.test(file.path);
}

function textOf(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? "";
}
