import { isObject } from "../../text/is-object.ts";

/** Whether a task file is still the template: one story without a criterion. No run can use it. */
export function isScaffoldTaskFile(text: string): boolean {
  const stories = storiesOf(text);
  const [first] = stories;
  return (
    stories.length === 1 && isObject(first) && isEmptyList(first["acceptanceCriteria"]) && first["passes"] === false
  );
}

/** Whether a PRD is empty or still the template: only headings, comments and tables without a filled row. */
export function isScaffoldPrd(text: string): boolean {
  const own = text
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/^\s*#.*$/gm, "")
    .replaceAll(tableHead, "");
  return own.replaceAll(/[\s\-*_|]/g, "") === "";
}

/** The names of a table's columns and the line under them. */
const tableHead = /^[ \t]*\|[^\n]*\|[ \t]*\r?\n[ \t]*\|[ \t:|-]*-[ \t:|-]*\|[ \t]*$/gm;

function storiesOf(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    const stories = isObject(parsed) ? parsed["userStories"] : [];
    return Array.isArray(stories) ? stories : [];
  } catch {
    // Not JSON, and so not the template.
    return [];
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
