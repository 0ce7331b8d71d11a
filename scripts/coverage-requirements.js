// Prints which requirement ids no test title names. `--strict engine` makes a gap in that group a failure.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectTests } from "./collect-tests.js";
import { findGaps, idsOfGroup, parseRequirements, unknownIds } from "./requirement-coverage.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const requirements = parseRequirements(readFileSync(join(root, "docs", "requirements.json"), "utf8"));
const strictGroup = readStrictGroup(process.argv.slice(2));

const { tests, brokenFiles } = await collectTests(root);
const titles = tests.map((test) => test.name);

for (const file of brokenFiles) console.log(`cannot be loaded: ${file}`);
for (const group of Object.keys(requirements.groups)) print(group);
const unknown = unknownIds(requirements, titles);
if (unknown.length > 0) console.log(`named by tests but not in docs/requirements.json: ${unknown.join(" ")}`);
process.exit(strictGroup !== null && findGaps(requirements, titles, strictGroup).length > 0 ? 1 : 0);

function print(group) {
  const gaps = findGaps(requirements, titles, group);
  const count = idsOfGroup(requirements, group).length;
  console.log(`${group}: ${count - gaps.length} of ${count} ids are named by a test`);
  if (gaps.length > 0) console.log(`  without a test: ${gaps.join(" ")}`);
}

function readStrictGroup(args) {
  const at = args.indexOf("--strict");
  if (at === -1) return null;
  const group = args[at + 1];
  if (group !== undefined && group in requirements.groups) return group;
  console.error(`--strict needs one of: ${Object.keys(requirements.groups).join(", ")}`);
  return process.exit(2);
}
