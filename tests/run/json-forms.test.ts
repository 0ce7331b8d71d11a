import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/surfaces/cli/input/command-spec.ts";
import { commandTree } from "../../src/surfaces/cli/tree/command-tree.ts";
import { patient } from "../patience.ts";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/json.md"), "utf8");

type Field = { name: string; isOptional: boolean; types: string[] };
type Json = Record<string, unknown>;

function sectionOf(heading: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
}

/** The table of a section, one field per row. */
function fieldsOf(heading: string): Field[] {
  const rows = Array.from(sectionOf(heading).matchAll(/^\| `(\w+)(\??)` +\| ([^|]+)\|/gm));
  if (rows.length === 0) throw new Error(`docs/json.md has no table "${heading}"`);
  return rows.map(([, name = "", mark, types = ""]) => ({
    name,
    isOptional: mark === "?",
    types: types.trim().split(" or "),
  }));
}

/** The fields that a row lists for a kind of line, or for a command with a small result. */
function listedFor(word: string): Field[] {
  const section = sectionOf(word.startsWith("ralph ") ? "Small results" : "A living run");
  const row = section.split("\n").find((line) => (line.split("|")[1] ?? "").includes(`\`${word}\``)) ?? "";
  const names = Array.from((row.split("|")[2] ?? "").split(":")[0]?.matchAll(/`(\w+)(\??)`/g) ?? []);
  if (names.length === 0) throw new Error(`docs/json.md lists no fields for "${word}"`);
  return names.map(([, name = "", mark]) => ({ name, isOptional: mark === "?", types: [] }));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** Every field that is printed is described, with its type, and every one that must be there is. */
function check(value: unknown, ...sections: (string | Field[])[]): Json {
  const printed = value as Json;
  const fields = sections.flatMap((each) => (typeof each === "string" ? fieldsOf(each) : each));
  const undescribed = Object.keys(printed).filter((key) => !fields.some(({ name }) => name === key));
  const missing = fields.filter(({ name, isOptional }) => !isOptional && !(name in printed)).map(({ name }) => name);
  const wrong = fields.filter(
    ({ name, types }) => types.length > 0 && name in printed && !types.includes(typeOf(printed[name])),
  );
  expect({ undescribed, missing, wrong }).toEqual({ undescribed: [], missing: [], wrong: [] });
  return printed;
}

const version: Field = { name: "jsonVersion", isOptional: false, types: ["number"] };

function listOf(value: unknown): unknown[] {
  expect(Array.isArray(value)).toBe(true);
  return value as unknown[];
}

async function linesOf(project: ScratchProject, words: string[]): Promise<Json[]> {
  const { stdout } = await project.run([...words, "--json"]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
}

function jsonCommands(specs: readonly CommandSpec[], before = "ralph"): string[] {
  return specs.flatMap((spec) => {
    const name = `${before} ${spec.name}`;
    const own = spec.options.some(({ flags }) => flags === "--json") ? [name] : [];
    return [...own, ...jsonCommands(spec.commands ?? [], name)];
  });
}

it.each(jsonCommands(commandTree))("docs/json.md names %s", (name) => {
  const [, ...words] = name.split(" ");
  const spellings = [name, words.join(" "), words.at(-1) ?? ""];
  expect(spellings.some((each) => page.includes(`\`${each}`))).toBe(true);
});

describe("what --json prints is what docs/json.md says", () => {
  let project: ScratchProject;
  const closers: (() => Promise<void>)[] = [];
  const one = async (...words: string[]): Promise<Json> => (await linesOf(project, words))[0] ?? {};

  beforeAll(async () => {
    project = openProject({ isGit: true, atEnd: (close) => closers.push(close) });
    const script = "turns:\n  - - say: Hm.\n  - - edit: { file: a.txt, content: x }\n    - claim\n";
    const guardrails = [{ command: "test -e a.txt", failAction: "APPEND" }];
    project.sim(script, { guardrails, work: { roles: ["coder"] } });
    await project.run(["run", "Do it", "--allow-dirty"]);
    await project.run(["task", "create", "shop-1", "shop", "Hello", "--outcome", "o", "--acceptance", "a"]);
    return async () => {
      for (const close of closers) await close();
    };
  }, patient(60_000));

  it("of status and show", async () => {
    const { runs } = check(await one("status"), "`ralph status`");
    for (const run of listOf(runs)) check((check(run, "A run") as { spend: unknown }).spend, "Spend");
    const shown = check(await one("show"), [version], "A run", "`ralph show`");
    expect(listOf(shown["iterations"])).toHaveLength(2);
    for (const iteration of listOf(shown["iterations"]))
      for (const each of listOf(check(iteration, "An iteration")["checks"])) check(each, "A check");
    check(await one("show", "--check"), "`ralph show --check`");
  });

  it("of a living run, its log, and plans", async () => {
    const lines = await linesOf(project, ["run", "Do it again", "--allow-dirty"]);
    const kind: Field = { name: "kind", isOptional: false, types: ["string"] };
    for (const line of lines) check(line, [version, kind], listedFor(String(line["kind"])));
    expect(new Set(lines.map((line) => line["kind"]))).toEqual(new Set(["run", "step", "agent", "check", "outcome"]));
    for (const line of await linesOf(project, ["logs"]))
      expect(line).toMatchObject({ jsonVersion: 1, runId: lines[0]?.["id"] });
    check(await one("run", "--dry-run", "Do it"), "`ralph run --dry-run`");
  });

  it("of tasks and work", async () => {
    check(await one("work", "--dry-run"), "`ralph work --dry-run`");
    const lines = await linesOf(project, ["work", "--allow-dirty"]);
    const parts = ["kind", "task", "role", "round", "run"].map((name) => ({ name, isOptional: true, types: [] }));
    for (const line of lines) check(line, [version, ...parts], listedFor(String(line["kind"])));
    expect(lines.map((line) => line["kind"])).toEqual(expect.arrayContaining(["work", "role", "task", "outcome"]));
    const shown = check(await one("show", String(lines[0]?.["id"])), [version], "A run", "`ralph show`");
    for (const run of listOf(shown["runs"])) check(run, "A run", "`ralph show`");
    for (const run of listOf((await one("status"))["runs"])) check(run, "A run");
    for (const task of listOf(check(await one("task", "list"), [version], listedFor("ralph task list"))["tasks"]))
      check(task, "A task");
    const terms = ["--outcome", "o", "--acceptance", "a"];
    check(await one("task", "create", "shop-2", "shop", "Hello", ...terms), [version], "A task");
    check(await one("task", "edit", "shop-1", "--title", "New"), [version], "A task");
    for (const run of listOf(check(await one("show", "shop-1"), [version], "A task")["runs"]))
      check(run, "A run", "`ralph show`");
    check(await one("task", "remove", "shop-1"), [version], listedFor("ralph task remove"));
  });

  it.each([
    ["ralph prd init"],
    ["ralph plugin status"],
    ["ralph settings show"],
    ["ralph settings check"],
    ["ralph doctor"],
  ])("of %s", async (name) => {
    check(await one(...name.split(" ").slice(1)), [version], listedFor(name));
  });

  it("of the bus, whose messages have no version of ours", async () => {
    project.write("MESSAGE-BUS.md", "");
    const posted = await one(
      "bus",
      "post",
      "--bus",
      "MESSAGE-BUS.md",
      "--type",
      "FACT",
      "--body",
      "x",
      "--project",
      "p",
    );
    for (const { name } of listedFor("ralph bus post")) expect(posted).toHaveProperty(name);
    expect(await one("bus", "read", "--bus", "MESSAGE-BUS.md")).toEqual(posted);
    check(await one("bus", "discover", "--bus", "MESSAGE-BUS.md"), [version], listedFor("ralph bus discover"));
  });
});
