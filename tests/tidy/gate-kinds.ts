import { type Exceptions, withoutComments } from "./imports.ts";
import { isProduct, type SourceFile } from "./source-file.ts";

/** The kinds of gates, each as its file in `core/contract` exports it: `export const guardrailKind = "guardrail"`. */
export function gateKindsOf(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && file.path.startsWith("src/core/contract/"))
    .flatMap((file) =>
      [...file.text.matchAll(/^export const \w+Kind = "([a-z-]+)";/gm)].map((match) => match[1] ?? ""),
    );
}

/**
 * A kind of gate is known to its own two files, to wire.ts and to the settings. Elsewhere neither its name is used as a
 * kind nor the constant that holds it; the same word said to people is not meant. Stored versions are lifted by steps
 * that name kinds as they were.
 */
export function findGateKinds(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  const kinds = gateKindsOf(files);
  return files
    .filter((file) => isProduct(file) && !knowsAll.test(file.path) && exceptions[file.path] === undefined)
    .flatMap((file) => {
      const text = withoutComments(file.text);
      return kinds
        .filter((kind) => !homesOf(kind).includes(file.path) && usesOf(kind).some((use) => use.test(text)))
        .map((kind) => `${file.path}: "${kind}"`);
    });
}

const knowsAll = /^src\/(shell\/wire\.ts$|core\/settings\/|core\/run\/upgrade\/)/;

function homesOf(kind: string): string[] {
  return [`src/core/contract/${kind}.ts`, `src/shell/gates/${kind}.ts`];
}

/** `kind: "x"` also in a union, `kind === "x"` either way round, `case "x"`, `xKind`. */
function usesOf(kind: string): RegExp[] {
  const value = `["'\`]${kind}["'\`]`;
  const constant = kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    new RegExp(`[kK]ind\\??\\s*(?::|[!=]?==?)[\\s|]*(?:"[\\w-]+"\\s*\\|\\s*)*${value}`),
    new RegExp(`${value}\\s*[!=]==?\\s*[\\w.?]*[kK]ind\\b`),
    new RegExp(`case\\s+${value}`),
    new RegExp(`\\b${constant}Kind\\b`),
  ];
}
