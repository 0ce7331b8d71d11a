/** Prerequisites of prerequisites: enough for `test: unit` and its parts. */
const levelsMax = 3;

/** More commands than any recipe of tests has. */
const linesMax = 200;

/**
 * The commands that `make TARGET` runs, as one shell text with those of its prerequisites first; the first target when none is
 * named. Null: there is no such target, or it uses what only make can compute.
 */
export function readRecipe(makefile: string, target: string | null): string | null {
  const { rules, variables } = readRules(makefile);
  const name = target ?? [...rules.keys()].find((each) => !each.startsWith(".")) ?? "";
  const lines = linesOf(name, rules, 0);
  if (!rules.has(name) || lines.length > linesMax) return null;
  const script = lines
    .map((line) => expand(line.replace(/^[@+-]+/, "").trim(), variables))
    .filter((line) => line !== "");
  return script.some((line) => /\$[({@<^*]/.test(line)) ? null : script.join(" && ").replaceAll("$$", "$");
}

type Rule = { needs: string[]; lines: string[] };

function readRules(makefile: string): { rules: Map<string, Rule>; variables: Map<string, string> } {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  let open: Rule[] = [];
  for (const line of makefile.replaceAll("\\\n", " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) {
      for (const rule of open) rule.lines.push(line.slice(1));
      continue;
    }
    const variable = /^([A-Za-z_]\w*)\s*[:?]{0,2}=\s*(.*)$/.exec(line);
    if (variable !== null) variables.set(variable[1] ?? "", (variable[2] ?? "").trim());
    const rule = variable === null ? /^([^\s:#=][^:#=]*):{1,2}(?!=)\s*([^#;]*)/.exec(line) : null;
    if (rule === null) {
      if (line.trim() !== "" && !line.startsWith("#")) open = [];
      continue;
    }
    const needs = splitWords(rule[2] ?? "");
    open = splitWords(rule[1] ?? "").map((name) => {
      const known = rules.get(name) ?? { needs: [], lines: [] };
      rules.set(name, known);
      known.needs.push(...needs);
      return known;
    });
  }
  return { rules, variables };
}

function linesOf(name: string, rules: ReadonlyMap<string, Rule>, level: number): string[] {
  const rule = rules.get(name);
  if (rule === undefined || level > levelsMax || rule.needs.length > linesMax) return [];
  return [...rule.needs.flatMap((need) => linesOf(need, rules, level + 1)), ...rule.lines].slice(0, linesMax + 1);
}

function expand(line: string, variables: ReadonlyMap<string, string>): string {
  return line.replaceAll(/\$(?:\((\w+)\)|\{(\w+)\})/g, (whole, one?: string, other?: string) => {
    const value = variables.get(one ?? other ?? "");
    return value === undefined || value.includes("$") ? whole : value;
  });
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
