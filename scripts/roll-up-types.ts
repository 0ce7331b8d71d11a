import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** One declaration of a rolled-up file. */
export type Declaration = {
  /** What it is called in the rolled-up file. */
  name: string;
  /** Whether a user of the package can name it. */
  isPublic: boolean;
  /** The comment above it, without its frame; empty when there is none. */
  comment: string;
  /** Comment and declaration, as they stand in the rolled-up file. */
  text: string;
};

/**
 * All declarations that the entry of a folder of declaration files exports, in its order, and after them, by name, those
 * they need. Written for what the compiler emits: one statement per declaration, no default export, no namespace.
 */
export function rollUpTypes(folder: string, entry: string): Declaration[] {
  const modules = createModules(folder);
  const exported = exportsOf(modules, join(folder, entry));
  const reached = reachAll(modules, exported);
  const names = chooseNames(reached, exported);
  const written = reached.map((found): Declaration => {
    const isPublic = exported.some(({ key }) => key === found.key);
    const comment = /^\/\*\*[^]*?\*\//.exec(found.text)?.[0] ?? "";
    const code = rename(found, modules, names).slice(comment.length).trimStart();
    const head = isPublic ? "export " : "";
    return {
      name: names.get(found.key) ?? found.name,
      isPublic,
      comment: plainComment(comment),
      text: `${comment === "" ? "" : `${comment}\n`}${head}${code.replace(/^export /, "")}\n`,
    };
  });
  const inOrder = exported.flatMap(({ key }) => written[reached.findIndex((found) => found.key === key)] ?? []);
  const others = written
    .filter(({ isPublic }) => !isPublic)
    .toSorted((first, second) => (first.name < second.name ? -1 : 1));
  return [...inOrder, ...others];
}

/** The public declarations of a rolled-up file. */
export function publicDeclarations(source: string): Declaration[] {
  return statementsOf(source.replace(/^(?:\/\/[^\n]*\n)+/, "")).flatMap((text) => {
    const code = withoutComment(text);
    const [, name] =
      /^export (?:declare )?(?:abstract )?(?:type|interface|class|function|const) (\w+)/.exec(code) ?? [];
    if (name === undefined) return [];
    return [{ name, isPublic: true, comment: plainComment(/^\/\*\*[^]*?\*\//.exec(text)?.[0] ?? ""), text }];
  });
}

/** A declaration in its file. */
type Found = { key: string; file: string; name: string; text: string };

/** A name that a file takes from another one. */
type Taken = { file: string; name: string };

type Module = {
  declared: ReadonlyMap<string, Found>;
  /** By the name in this file. */
  imported: ReadonlyMap<string, Taken>;
  /** By the name that others use, in the order of the file. */
  reexported: ReadonlyMap<string, Taken>;
};

type Modules = (file: string) => Module;

function createModules(folder: string): Modules {
  const known = new Map<string, Module>();
  return (file) => {
    const module = known.get(file) ?? readModule(file, folder);
    known.set(file, module);
    return module;
  };
}

function readModule(file: string, folder: string): Module {
  const declared = new Map<string, Found>();
  const imported = new Map<string, Taken>();
  const reexported = new Map<string, Taken>();
  for (const text of statementsOf(readFileSync(file, "utf8"))) {
    const code = withoutComment(text);
    const [, word, list = "", from] = /^(import|export)(?: type)? \{([^}]*)\}(?: from "([^"]+)")?;$/.exec(code) ?? [];
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|function|const) (\w+)/.exec(code) ?? [];
    if (name !== undefined) declared.set(name, { key: `${relative(folder, file)} ${name}`, file, name, text });
    else if (word !== undefined && from !== undefined) {
      const target = join(dirname(file), from.replace(/\.ts$/, ".d.ts"));
      for (const [own, other] of namesIn(list)) {
        if (word === "import") imported.set(other, { file: target, name: own });
        else reexported.set(other, { file: target, name: own });
      }
    } else if (code !== "export {};")
      throw new Error(`${file}: a statement that nobody expected: ${code.slice(0, 100)}`);
  }
  return { declared, imported, reexported };
}

/** `a, type b as c`: each name as the other file has it, and as it is used. */
function namesIn(list: string): [own: string, used: string][] {
  const items = list.split(",").map((item) => item.trim().replace(/^type /, ""));
  return items
    .filter((item) => item !== "")
    .map((item) => {
      const [own = "", used = own] = item.split(" as ");
      return [own, used];
    });
}

const tokens = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*|[^]/g;

/** Statements end at a semicolon outside of all brackets, those with a body at its brace. */
function statementsOf(source: string): string[] {
  const statements: string[] = [];
  let text = "";
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    text += token;
    if ("([{".includes(token)) depth += 1;
    if (")]}".includes(token)) depth -= 1;
    const hasBody =
      token === "}" && /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface) /.test(withoutComment(text));
    if (depth !== 0 || (token !== ";" && !hasBody)) continue;
    statements.push(text.trim());
    text = "";
  }
  return statements;
}

function withoutComment(text: string): string {
  return text.replace(/^(?:\s*\/\*[^]*?\*\/|\s*\/\/[^\n]*)*\s*/, "");
}

/** What the entry exports: where each is declared, and under which name it is known outside. */
function exportsOf(modules: Modules, entry: string): (Found & { outside: string })[] {
  return [...modules(entry).reexported].map(([outside, taken]) => ({ ...resolve(modules, taken), outside }));
}

function resolve(modules: Modules, { file, name }: Taken): Found {
  const { declared, reexported, imported } = modules(file);
  const own = declared.get(name);
  if (own !== undefined) return own;
  const next = reexported.get(name) ?? imported.get(name);
  if (next === undefined) throw new Error(`${file} does not declare ${name}`);
  return resolve(modules, next);
}

function reachAll(modules: Modules, exported: readonly Found[]): Found[] {
  const reached = new Map<string, Found>(exported.map((found) => [found.key, found]));
  for (const found of reached.values())
    for (const used of usesOf(found, modules).values()) if (!reached.has(used.key)) reached.set(used.key, used);
  return [...reached.values()];
}

/** The declarations that a declaration names, by the words it uses for them. */
function usesOf(found: Found, modules: Modules): Map<string, Found> {
  const { declared, imported } = modules(found.file);
  const uses = new Map<string, Found>();
  for (const { words, name, from } of wordsOf(found.text)) {
    const taken = from === null ? imported.get(name) : { file: join(dirname(found.file), from), name };
    const own = from === null ? declared.get(name) : undefined;
    if (taken !== undefined) uses.set(words, resolve(modules, taken));
    else if (own !== undefined && own.key !== found.key) uses.set(words, own);
  }
  return uses;
}

type Word = { words: string; name: string; from: string | null };

/** Names outside of comments and texts; `import("./file.ts").Name` is one of them. */
function wordsOf(text: string): Word[] {
  const inline = [...text.matchAll(/import\("([^"]+)"\)\.(\w+)/g)].map(([words, from = "", name = ""]) => ({
    words,
    name,
    from: from.replace(/\.ts$/, ".d.ts"),
  }));
  const plain = [...text.matchAll(tokens)].flatMap(([token]) =>
    /^[A-Za-z_$]/.test(token) ? [{ words: token, name: token, from: null }] : [],
  );
  return [...inline, ...plain];
}

/** Exported names are fixed; another declaration of the same name gets a number. */
function chooseNames(
  reached: readonly Found[],
  exported: readonly (Found & { outside: string })[],
): Map<string, string> {
  const names = new Map(exported.map(({ key, outside }) => [key, outside]));
  const taken = new Set(names.values());
  for (const { key, name } of reached) {
    if (names.has(key)) continue;
    let chosen = name;
    for (let number = 2; taken.has(chosen); number += 1) chosen = `${name}_${number}`;
    taken.add(chosen);
    names.set(key, chosen);
  }
  return names;
}

function rename(found: Found, modules: Modules, names: ReadonlyMap<string, string>): string {
  const uses = usesOf(found, modules);
  const newName = (word: string): string => {
    if (word === found.name) return names.get(found.key) ?? word;
    const used = uses.get(word);
    return used === undefined ? word : (names.get(used.key) ?? word);
  };
  const text = [...uses.keys()]
    .filter((words) => words.startsWith("import("))
    .reduce((current, words) => current.replaceAll(words, newName(words)), found.text);
  return text.replace(tokens, (token) => (/^[A-Za-z_$]/.test(token) ? newName(token) : token));
}

function plainComment(comment: string): string {
  return comment
    .replace(/^\/\*\*\s?|\s*\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}
