import { type Document, LineCounter, parseAllDocuments, stringify } from "yaml";
import { RalphError } from "../../core/ralph-error.ts";
import type { TaskSource } from "../../core/tasks/plan-import.ts";
import { scanJson } from "../../core/settings/scan-json.ts";
import { thrownText } from "../../core/text/thrown-text.ts";

/** A file of a thousand long tasks. */
const fileCharsMax = 8 * 1024 * 1024;

/** Reads YAML (several documents too) or JSON, by the name of the file. Throws a `RalphError` with file and line. */
export function parseTasks(text: string, name: string): TaskSource {
  if (text.length > fileCharsMax) throw unreadable(name, `it has more than ${fileCharsMax} characters`);
  const source = text.replace(/^\uFEFF/, "");
  return { name, documents: name.endsWith(".json") ? [parseJson(source, name)] : parseYaml(source, name) };
}

/** Definitions as a file that can be imported again: one task alone, several under `tasks`. */
export function formatTasks(definitions: readonly Record<string, unknown>[], format: "yaml" | "json"): string {
  const [only] = definitions;
  const document = definitions.length === 1 && only !== undefined ? only : { tasks: definitions };
  if (format === "json") return `${JSON.stringify(document, null, 2)}\n`;
  // Without aliases every task can be cut out and used alone.
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { fault } = scanJson(text);
    const why = fault === null ? String(error) : `column ${fault.column}: ${fault.sentence}`;
    throw unreadable(`${name}:${fault?.line ?? 1}`, `this is not JSON, ${why}`, error);
  }
}

function parseYaml(text: string, name: string): unknown[] {
  const lineCounter = new LineCounter();
  const documents = guarded(name, () => parseAllDocuments(text, { lineCounter, merge: true }));
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    const [problem] = document.errors;
    if (problem === undefined) return guarded(name, () => plainValue(document));
    const { line } = lineCounter.linePos(problem.pos[0]);
    throw unreadable(`${name}:${line}`, `this is not YAML: ${problem.message.split(" at line ")[0] ?? ""}`, problem);
  });
}

/** A few aliases of aliases are gigabytes when written out; a shared criterion is used a few times. */
const aliasesMax = 100;

/** By JSON, as it will be stored: YAML can say circles and numbers that JSON cannot. */
function plainValue(document: Document): unknown {
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: aliasesMax })));
}

/** Too many aliases, circles, and brackets nested deeper than the stack. */
function guarded<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const [reason = ""] = thrownText(error).split("\n");
    throw unreadable(name, `this YAML cannot be used: ${reason}`, error);
  }
}

function unreadable(place: string, sentence: string, cause?: unknown): RalphError {
  return new RalphError("task", `${place}: ${sentence}.`, "Correct the file; nothing was stored.", cause);
}
