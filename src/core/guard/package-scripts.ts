import { isObject } from "../text/is-object.ts";
import { isForeignScript } from "./facts/call-context.ts";
import { withoutUnknown } from "./facts/marks.ts";
import type { Call } from "./facts/rule.ts";
import { forkScope, report, resolveIn } from "./facts/scope.ts";
import { expandHome } from "./judge-path.ts";

/** Judges what is written into a package and runs later: `npm pkg set scripts.x=CMD`, `jq '.scripts.x = "CMD"'`, `npm explore x -- CMD`. */
export function judgeScripts(call: Call): void {
  const set = call.words.flatMap((word) =>
    [...word.matchAll(editedScript)].map((match) => (match[1] ?? "").replaceAll(/\\(["\\])/g, "$1")),
  );
  const [command = "", , text = ""] = call.operands;
  const named = command === "set-script" ? [text] : [];
  for (const script of [...set, ...named, ...scriptsSet(call)]) judgeScript(call, script);
  const at = call.args.indexOf("--");
  if (command === "explore" && at !== -1) call.scope.walk.runWords(call.words.slice(at + 1), forkScope(call.scope), "");
}

/** The values of `pkg set`, in every spelling of the key, and as JSON. A field that is only a path counts as a program. */
function scriptsSet(call: Call): string[] {
  const at = call.args.findIndex((word, index) => word === "set" && call.args[index - 1] === "pkg");
  if (at === -1) return [];
  return call.words.slice(at + 1).flatMap((word) => {
    const [, key, value = ""] = /^([A-Za-z][^=]*)=([^]*)$/.exec(word) ?? [];
    if (key === undefined) return [];
    if (/^(?:scripts|husky|hooks|lint-staged|bin)\b/.test(key)) return textsIn(value);
    return /^["']?(?:~|\/)\S*$/.test(value) ? [value] : [];
  });
}

function textsIn(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === "string") return [parsed];
    if (isObject(parsed)) return Object.values(parsed).filter((text) => typeof text === "string");
  } catch {
    // Not JSON: the text itself.
  }
  return [value];
}

/** A script stays in the package: a file that anybody could have written must not stand in it. */
function judgeScript(call: Call, script: string): void {
  const { scope } = call;
  scope.walk.runText(script, forkScope(scope), "");
  const words = withoutUnknown(script).split(/[\s;&|'"()<>=]+/);
  const foreign = words.find(
    (word) =>
      /^(?:[~/]|\$HOME|\$\{HOME\})/.test(word) &&
      isForeignScript(resolveIn(scope, expandHome(word, scope.walk.place)), scope.walk.place),
  );
  if (foreign === undefined) return;
  const reason = `plants a script that uses ${foreign}, which anybody could have written`;
  report(scope, { category: 9, tier: "block", reason }, [call.name, ...call.words]);
}

const editedScript = /\.scripts(?:\.|\[")[\w:-]+(?:"\])?\s*\|?=\s*"((?:\\.|[^"\\])*)"/g;
