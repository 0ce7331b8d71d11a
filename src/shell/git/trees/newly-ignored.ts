import { join } from "node:path";
import type { StoreContext } from "../run-git.ts";
import { linesOf } from "../listed-files.ts";
import { absentMode, type TreeChange } from "./changes-since.ts";

/**
 * Files, and folders with a slash at the end, that git ignores by a rule that the run wrote into a tracked `.gitignore`. Empty
 * where git cannot tell: nothing depends on it.
 */
export async function newlyIgnored(context: StoreContext, changes: readonly TreeChange[]): Promise<string[]> {
  const rules = changes.filter(({ path, mode }) => /(?:^|\/)\.gitignore$/.test(path) && mode !== absentMode);
  if (rules.length === 0) return [];
  const ignored = linesOf(
    await ask(context, ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]),
  );
  if (ignored.length === 0) return [];
  const stdin = ignored.map((path) => `${path}\0`).join("");
  const fields = (await ask(context, ["check-ignore", "--verbose", "-z", "--stdin"], stdin)).split("\0");
  const former = new Map<string, string[]>();
  for (const { path, formerMode, formerObject } of rules)
    former.set(
      path,
      formerMode === absentMode ? [] : (await ask(context, ["cat-file", "blob", formerObject])).split("\n"),
    );
  const found: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", , pattern = "", path = ""] = fields.slice(at, at + 4);
    if (former.get(source)?.includes(pattern) === false) found.push(path);
  }
  return found;
}

async function ask(
  { git, store }: StoreContext,
  words: readonly string[],
  stdin: string | null = null,
): Promise<string> {
  const env = { ...store.env, GIT_INDEX_FILE: join(store.folder, "candidate") };
  const end = await git(words, { env, directory: store.start.repository.top, stdin });
  return end.exitCode === 0 && end.isWhole ? end.stdout : "";
}
