import type { SourceFile } from "./source-file.ts";

/** The documents a newcomer reads are there and name the two commands that do everything. */
export function findMissingDocuments(files: readonly SourceFile[]): string[] {
  const missing = required
    .filter((path) => !files.some((file) => file.path === path))
    .map((path) => `${path} is missing`);
  const readme = textOf(files, "README.md");
  const commands = ["npm run demo", "npm test"].filter((command) => !readme.includes(command));
  return [...missing, ...commands.map((command) => `README.md does not name \`${command}\``)];
}

/** The code map of ARCHITECTURE.md names every module folder of `src` and no path that is gone. */
export function findMapProblems(files: readonly SourceFile[]): string[] {
  const map = textOf(files, "ARCHITECTURE.md");
  const named = Array.from(map.matchAll(/`([\w./-]+)`/g), ([, name = ""]) => name);
  const isThere = (path: string): boolean =>
    files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
  const folders = new Set(files.flatMap(({ path }) => moduleFolder.exec(path)?.[1] ?? []));
  return [
    ...named
      .filter((name) => /^(?:src|tests)\//.test(name) && !isThere(name))
      .map((name) => `ARCHITECTURE.md names ${name}, which is not there`),
    ...[...folders]
      .filter((folder) => !named.includes(folder) && !named.includes(folder.split("/").at(-1) ?? ""))
      .map((folder) => `ARCHITECTURE.md does not name ${folder}`),
  ];
}

/** A decision is read years later: it has its date, in its name or in its first lines. */
export function findUndatedDecisions(files: readonly SourceFile[]): string[] {
  const decisions = files.filter((file) => /^docs\/decisions\/(?!README\.md).+\.md$/.test(file.path));
  return decisions
    .filter((file) => !date.test(file.path) && !date.test(file.text.split("\n").slice(0, 6).join("\n")))
    .map((file) => `${file.path} has no date`);
}

/** What users get next stands on top of the change log. */
export function findChangelogProblems(files: readonly SourceFile[]): string[] {
  const first = /^## (.*)$/m.exec(textOf(files, "CHANGELOG.md"))?.[1] ?? "nothing";
  return /^\[?Unreleased\]?$/.test(first) ? [] : [`CHANGELOG.md begins with ${first}, expected Unreleased`];
}

/** Every script the documents tell people to run exists. */
export function findUnknownScripts(files: readonly SourceFile[]): string[] {
  const scripts = scriptsOf(textOf(files, "package.json"));
  const documents = files.filter((file) => file.path.endsWith(".md") && !file.path.startsWith("tests/fixtures/"));
  return documents.flatMap((file) =>
    [...file.text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)]
      .map((match) => match[1] ?? "")
      .filter((script) => !scripts.includes(script))
      .map((script) => `${file.path} names \`npm run ${script}\`, which package.json does not have`),
  );
}

/** Versions are exact, and each package of the lock is known by its content, not by where it came from. */
export function findLoosePackages(files: readonly SourceFile[]): string[] {
  const manifest = parse(textOf(files, "package.json"));
  const loose = ["dependencies", "devDependencies"].flatMap((key) =>
    Object.entries(parse(JSON.stringify(manifest[key] ?? {})))
      .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))
      .map(([name, version]) => `package.json: ${name} is ${String(version)}, expected an exact version`),
  );
  const packages = parse(JSON.stringify(parse(textOf(files, "package-lock.json"))["packages"] ?? {}));
  const unsealed = Object.entries(packages)
    .filter(([path, entry]) => path !== "" && typeof parse(JSON.stringify(entry))["integrity"] !== "string")
    .map(([path]) => `package-lock.json: ${path} has no integrity`);
  return [...loose, ...unsealed];
}

const required = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "AGENTS.md", "docs/glossary.md"];
/** A folder of a layer; of the command line the folders below it. */
const moduleFolder = /^(src\/(?:surfaces\/cli|core|shell|app|surfaces(?!\/cli\/))\/[\w-]+)\//;
const date = /\b20\d\d-\d\d-\d\d\b/;

function textOf(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? "";
}

function scriptsOf(manifest: string): string[] {
  return Object.keys(parse(JSON.stringify(parse(manifest)["scripts"] ?? {})));
}

function parse(text: string): Record<string, unknown> {
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
