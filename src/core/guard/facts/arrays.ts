import { marks } from "./marks.ts";
import type { Scope } from "./scope.ts";

/** A list for an array, or with an index the value of one element. */
type ArrayValue = { name: string; index: string; values: readonly string[]; isAppended: boolean };

/**
 * Assigns an array or one of its elements. Elements with a key (`[key]=value`) also stand under `name[key]`, and all of them
 * in the list, in the order in which the line names them.
 */
export function assignArray(scope: Scope, { name, index, values, isAppended }: ArrayValue): void {
  const { variables } = scope;
  const elements = index === "" ? values : values.map((value) => `${index}=${value}`);
  const before = isAppended || index !== "" ? (variables.get(name) ?? []) : [];
  const list = [...before];
  for (const element of elements) {
    const [, key, keyed] = keyedElement.exec(element) ?? [];
    if (key === undefined || keyed === undefined) {
      list.push(element);
      continue;
    }
    variables.set(`${name}[${key}]`, [keyed]);
    if (/^\d{1,3}$/.test(key)) list[Number(key)] = keyed;
    else list.push(keyed);
  }
  variables.set(
    name,
    Array.from(list, (value: string | undefined) => value ?? ""),
  );
}

/** The array that `declare -a name=(a b)` sets: the parser gives `name=` and the elements as words of their own. */
export function declaredArray(words: readonly string[]): { name: string; values: readonly string[] } | null {
  const at = words.findIndex((word) => /^\w+\+?=$/.test(word));
  if (at === -1 || at === words.length - 1) return null;
  return { name: /^\w+/.exec(words[at] ?? "")?.[0] ?? "", values: words.slice(at + 1) };
}

const keyedElement = new RegExp(`^[[${marks.bracket}]["']?([^\\]"']*)["']?\\]=([\\s\\S]*)$`);
