// Runs each example below the folder that is given, in a project directory of its own, and prints one JSON line for each.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

/** No example does more than a few short loops. */
const exampleMsMax = 60_000;

const [folder = ""] = process.argv.slice(2);
const print = process.stdout.write.bind(process.stdout);
// The results stand alone on standard output.
process.stdout.write = process.stderr.write.bind(process.stderr);
let said: string[] = [];
globalThis.console.log = (...values: unknown[]): void => {
  said.push(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "));
};

for (const name of readdirSync(folder).toSorted()) {
  const example = join(folder, name, "example.ts");
  if (!existsSync(example)) continue;
  const project = join(folder, name, "project");
  mkdirSync(project);
  process.chdir(project);
  const late = AbortSignal.timeout(exampleMsMax);
  const isLate = new Promise((_, reject) => late.addEventListener("abort", () => reject(late.reason), { once: true }));
  const problem = await Promise.race([import(pathToFileURL(example).href), isLate]).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  print(`${JSON.stringify({ name, problem, said })}\n`);
  said = [];
}
process.exit(0);
