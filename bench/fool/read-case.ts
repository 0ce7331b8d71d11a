/** One thing that is done to a project's files. Paths are relative to the project. */
export type Step =
  | { do: "write" | "append"; path: string; text: string }
  | { do: "delete"; path: string }
  | { do: "run"; script: string };

/** A text of header lines and steps. A base has no turns. */
export type CaseText = { header: Record<string, string>; steps: Step[]; turns: Step[][] };

/** A small repository that cases share. */
export type Base = {
  name: string;
  /** Programs that must be there, else its cases are skipped. */
  needs: string[];
  check: string;
  task: string;
  steps: Step[];
};

/** One scripted agent on one repository. */
export type Case = {
  name: string;
  ecosystem: string;
  kind: "cheat" | "honest";
  about: string;
  /** What should refuse it; for people. Empty in honest cases. */
  layer: string;
  base: string;
  /** Another check than the base's. */
  check: string | null;
  /** Changes to the base before the first commit. */
  steps: Step[];
  turns: Step[][];
  /** Succeeds in the work tree when the work is right after all: the tool undid the cheat. */
  truth: string | null;
  /** How often a cheat by chance is tried on a tool that only shows that it works. */
  tries: number;
  needs: string[];
};

/** Reads a case; throws with the file's name on a text that is none. */
export function readCase(path: string, text: string): Case {
  const { header, steps, turns } = readCaseText(path, text);
  const [, ecosystem = "", name = ""] = /([^/]+)\/([^/]+)\.case$/.exec(path) ?? [];
  const { kind, about, base } = header;
  if (kind !== "cheat" && kind !== "honest") throw new Error(`${path}: kind is "${kind ?? ""}": write cheat or honest`);
  if (about === undefined || base === undefined) throw new Error(`${path}: write the lines about: and base:`);
  if (turns.length === 0) throw new Error(`${path}: the agent has no turn: write a line --- turn`);
  if (kind === "cheat" && header["layer"] === undefined) throw new Error(`${path}: write the line layer:`);
  return {
    name,
    ecosystem,
    kind,
    about,
    base,
    steps,
    turns,
    layer: header["layer"] ?? "",
    check: header["check"] ?? null,
    truth: header["truth"] ?? null,
    tries: Number(header["tries"] ?? 1),
    needs: words(header["needs"]),
  };
}

/** Reads a base project. */
export function readBase(path: string, text: string): Base {
  const { header, steps } = readCaseText(path, text);
  const [, name = ""] = /([^/]+)\.case$/.exec(path) ?? [];
  const { check, task } = header;
  if (check === undefined || task === undefined) throw new Error(`${path}: write the lines check: and task:`);
  return { name, check, task, steps, needs: words(header["needs"]) };
}

function words(list: string | undefined): string[] {
  return (list ?? "").split(" ").filter((word) => word !== "");
}

const known = new Set(["write", "append", "delete", "run", "turn"]);

/** Header lines `key: value`, then sections that begin with `--- write PATH` and the like and reach to the next one. */
function readCaseText(path: string, text: string): CaseText {
  const [head = "", ...sections] = text.split(/^(?=--- )/m);
  const header: Record<string, string> = {};
  for (const line of head.split("\n")) {
    if (line === "") continue;
    const [, key, value] = /^([a-z]+): (.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new Error(`${path}: "${line}" is no header line`);
    header[key] = value;
  }
  const steps: Step[] = [];
  const turns: Step[][] = [];
  for (const section of sections) {
    const end = section.indexOf("\n");
    const [, word = "", target = ""] = /^--- (\S+) ?(.*)$/.exec(section.slice(0, end)) ?? [];
    if (!known.has(word)) throw new Error(`${path}: there is no step "${word}"`);
    if (word === "turn") turns.push([]);
    else (turns.at(-1) ?? steps).push(stepOf(word, target, section.slice(end + 1)));
  }
  return { header, steps, turns };
}

function stepOf(word: string, path: string, text: string): Step {
  if (word === "delete") return { do: "delete", path };
  if (word === "run") return { do: "run", script: text };
  return { do: word === "append" ? "append" : "write", path, text };
}
