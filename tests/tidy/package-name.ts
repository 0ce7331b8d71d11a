import type { SourceFile } from "./source-file.ts";

/**
 * The package is not in a registry, and its name there belongs to another program: people install the packed file or a
 * checkout. Only `package.json` and its lock decide the name.
 */
export function findInstallsByName(files: readonly SourceFile[]): string[] {
  const name = packageName(files);
  const words = String.raw`(?:[^\s\`"';|&()]+\s+)*?`;
  const patterns = [
    String.raw`\b(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|exec|x|dlx)\s+${words}${name}(?:@[\w.-]+)?(?![\w./-]*[\w/-])`,
    String.raw`\b(?:npx|pnpx|bunx)\s+${words}${name}(?:@[\w.-]+)?(?![\w./-]*[\w/-])`,
    String.raw`\bnpm root\b[^\n]*\/${name}\b`,
  ].map((pattern) => new RegExp(pattern));
  return files
    .filter((file) => !file.path.startsWith("tests/tidy/"))
    .flatMap((file) =>
      file.text
        .split("\n")
        .filter((line) => patterns.some((pattern) => pattern.test(line)))
        .map((line) => `${file.path}: ${line.trim().slice(0, 120)}`),
    );
}

/** An example of the library imports it by the name it has; a new name shows where to write it. */
export function findForeignExamples(files: readonly SourceFile[]): string[] {
  const name = packageName(files);
  return files
    .filter(({ path }) => /^(?:README|docs\/.*)\.md$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^import .* from "([^".:][^":]*)";$/gm)]
        .map((match) => match[1] ?? "")
        .filter((imported) => imported !== name && !imported.startsWith(`${name}/`))
        .map((imported) => `${path} imports ${imported}, the package is ${name}`),
    );
}

function packageName(files: readonly SourceFile[]): string {
  const manifest = files.find((file) => file.path === "package.json")?.text ?? "{}";
  const { name = "" } = JSON.parse(manifest) as { name?: string };
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
