import { readFileSync, writeFileSync } from "node:fs";

// `edit-list.js ID field=json …` sets fields of a story in ralph/tasks.json; a field without a value is removed.
const [id, ...changes] = process.argv.slice(2);
const list = JSON.parse(readFileSync("ralph/tasks.json", "utf8"));
const story = list.userStories.find((each) => each.id === id);
for (const change of changes) {
  const [, field, value] = /^(\w+)=(.*)$/s.exec(change);
  story[field] = value === "" ? undefined : JSON.parse(value);
}
writeFileSync("ralph/tasks.json", `${JSON.stringify(list, null, 2)}\n`);
