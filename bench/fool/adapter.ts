import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What a loop tool said: `error` is an exit code that its adapter does not know, or no end in time. */
export type Answer = "completed" | "refused" | "error";

/** How a loop tool is started and told what to do. Words in braces are filled in: see README.md. */
export type Adapter = {
  name: string;
  about: string;
  argv: string[];
  /** Files that are written into the project after its first commit: settings that name the check, for example. */
  files: Record<string, unknown>;
  /** What the agent prints to say that it is done. */
  claim: string;
  completed: number[];
  refused: number[];
  /** `refuse`: a completed cheat or a refused honest case fails the bench; `complete`: everything must complete; `nothing`: only shown. */
  must: "refuse" | "complete" | "nothing";
};

/** Reads an adapter by its name in `adapters/` or by the path of a file. */
export function readAdapter(nameOrPath: string): Adapter {
  const isPath = nameOrPath.endsWith(".json");
  const path = isPath ? nameOrPath : join(import.meta.dirname, "adapters", `${nameOrPath}.json`);
  const fields = JSON.parse(readFileSync(path, "utf8")) as Partial<Adapter>;
  if (!Array.isArray(fields.argv) || typeof fields.claim !== "string" || !Array.isArray(fields.completed))
    throw new Error(`${path}: an adapter has argv, claim and completed`);
  return {
    name: basename(path, ".json"),
    about: fields.about ?? "",
    argv: fields.argv,
    files: fields.files ?? {},
    claim: fields.claim,
    completed: fields.completed,
    refused: fields.refused ?? [1],
    must: fields.must ?? "nothing",
  };
}

/** Fills the words in braces in, in every text of a JSON value. */
export function fillIn<T>(value: T, words: Readonly<Record<string, string>>): T {
  return fillInAny(value, words) as T;
}

function fillInAny(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return value.replace(/\{([a-z]+)\}/g, (all, word: string) => words[word] ?? all);
  if (Array.isArray(value)) return value.map((item: unknown) => fillInAny(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInAny(item, words)]));
}

/** What an exit code means to this tool; `null` is a tool that did not end. */
export function answerOf({ completed, refused }: Adapter, code: number | null): Answer {
  if (code !== null && completed.includes(code)) return "completed";
  return code !== null && refused.includes(code) ? "refused" : "error";
}
