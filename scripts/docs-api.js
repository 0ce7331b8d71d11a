// Writes docs/api.d.ts, the types of the public entry in one file; `--print` writes them to standard output instead.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollUpTypes } from "./roll-up-types.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const head = `// The types that the package exports, in one file, so that a review shows what changes for its users.
// Made by \`npm run docs:api\`; edit the source, not this file.
`;

run("scripts/public-types.js", []);
const declarations = rollUpTypes(join(root, "dist", "api"), "index.d.ts");
const page = formatted(`${head}\n${declarations.map(({ text }) => text).join("\n")}\nexport {};\n`);
if (process.argv.includes("--print")) process.stdout.write(page);
else writeFileSync(join(root, "docs", "api.d.ts"), page);

/** As the formatter of the repository wants it. */
function formatted(text) {
  return run("node_modules/oxfmt/bin/oxfmt", ["--stdin-filepath=docs/api.d.ts"], text);
}

function run(program, words, input = "") {
  const argv = [join(root, program), ...words];
  const { status, stdout } = spawnSync(process.execPath, argv, {
    cwd: root,
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", 2],
  });
  if (status !== 0) process.exit(1);
  return stdout;
}
