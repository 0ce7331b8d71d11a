// Writes docs/guide/settings.md from the declaration of the settings; `--print` writes it to standard output instead.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { aliasPatterns } from "../src/core/settings/aliases.ts";
import { settingList } from "../src/core/settings/setting-list.ts";
import { describeValues } from "../src/core/settings/setting-schema.ts";
import { settingFlags } from "../src/surfaces/cli/input/setting-flags.ts";

const head = `# Settings

Made from the declaration in \`src/core/settings/settings.ts\` by \`npm run docs:settings\`; edit that, not this page.

## Where they come from

Each layer wins over those before it. Objects are merged key by key; everything else, lists too, is replaced.

1. the defaults below
2. \`$XDG_CONFIG_HOME/ralph/settings.json\`, else \`~/.config/ralph/settings.json\`: yours, for every project
3. \`.ralph/settings.json\`: the project's, shared by git
4. \`.ralph/settings.local.json\`: yours for this project, ignored by git
5. environment variables \`RALPH_*\`
6. flags of \`ralph run\`

\`ralph settings show --explain\` says where each value comes from, \`ralph settings check\` names everything that is wrong
with file and line, and \`ralph settings schema\` prints the JSON Schema for editors. \`ralph init\` writes that schema to
\`.ralph/settings.schema.json\` and names it in the settings as \`$schema\`. What a run was started with is frozen: an edit
meanwhile changes nothing.

A duration is a text with a unit, such as \`"90s"\`, \`"30m"\` or \`"1h30m"\`; \`null\` switches a limit off.

In a variable, a list is JSON or separated by commas (\`RALPH_AGENT_FLAGS=--model,opus\`), an object and a list of objects
are JSON, a switch is \`true\`/\`false\`, \`on\`/\`off\`, \`yes\`/\`no\` or \`1\`/\`0\`, and \`null\` is null. An empty variable counts as
not set, an unknown one is ignored. \`RALPH_STATE_HOME\` (the folder of the store) is not a setting.
`;

const page = [head, "## Every setting", "", ...settingList().flatMap(section), ...otherNames()].join("\n");
const target = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs", "guide", "settings.md");

if (process.argv.includes("--print")) {
  process.stdout.write(page);
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, page);
}

function section({ key, variable, sentence, values, default: fallback, schema }) {
  const flags = settingFlags.filter((flag) => flag.key === key).map(({ flags: text }) => `\`${text}\``);
  return [
    `### \`${key}\``,
    "",
    sentence,
    "",
    `- value: ${values}`,
    ...(fallback === undefined ? [] : [`- default: \`${JSON.stringify(fallback)}\``]),
    `- variable: \`${variable}\``,
    ...(flags.length === 0 ? [] : [`- flag: ${flags.join(", ")}`]),
    ...partLines(schema.items),
    "",
  ];
}

function partLines(items) {
  return Object.entries(items?.properties ?? {}).map(([name, part]) => {
    const isNeeded = items.required?.includes(name) === true;
    return `- \`${name}\`${isNeeded ? "" : " (optional)"}: ${describeValues(part)}. ${part.description}`;
  });
}

function otherNames() {
  return [
    "## Other names",
    "",
    "Accepted in files for those who know them from elsewhere:",
    "",
    ...aliasPatterns.map(([alias, key]) => `- \`${alias}\` is \`${key}\``),
    "",
  ];
}
