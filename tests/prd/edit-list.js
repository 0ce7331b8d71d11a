import { readFileSync, writeFileSync } from "node:fs";

// Edits ralph/tasks.json as an agent would: `ID field=json …` sets fields of a story, `--drop ID` deletes one,
// `--add JSON` appends one, `--top field=json` sets a field of the list itself.
const [what, ...changes] = process.argv.slice(2);
const list = JSON.parse(readFileSync("ralph/tasks.json", "utf8"));
const set = (target) => {
  for (const change of changes) {
    const at = change.indexOf("=");
    target[change.slice(0, at)] = JSON.parse(change.slice(at + 1));
  }
};
if (what === "--drop") list.userStories = list.userStories.filter(({ id }) => id !== changes[0]);
else if (what === "--add") list.userStories.push(JSON.parse(changes[0]));
else if (what === "--top") set(list);
else set(list.userStories.find(({ id }) => id === what));
writeFileSync("ralph/tasks.json", `${JSON.stringify(list, null, 2)}\n`);
