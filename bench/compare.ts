import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Part } from "./main.ts";
import { type Measure, median, pad } from "./measure.ts";

/** How often each commit has its turn; the order turns around each time, so that a drift of the machine meets both. */
const turns = 2;

/** What a measure came to for a base and for this checkout. */
type Compared = { name: string; base: number[]; here: number[] };

/**
 * Runs parts of this bench on the program of another commit and on the present one in turns, and gives a table of both. The
 * work tree of the base has a build of its own and is removed at the end.
 */
export async function compareWith(base: string, bench: Bench, parts: readonly Part[]): Promise<string> {
  const root = buildBase(base, bench);
  const found = new Map<string, Compared>();
  try {
    for (const [index, part] of parts.entries())
      for (let turn = 0; turn < turns; turn += 1)
        for (const side of turn % 2 === 0 ? (["base", "here"] as const) : (["here", "base"] as const)) {
          bench.say(`compare: ${side === "base" ? base : "this checkout"}`);
          const folder = join(bench.folder, `${side}-${index}-${turn}`);
          mkdirSync(folder);
          const own = { ...bench, folder, root: side === "base" ? root : bench.root };
          for (const measure of await part(own)) note(found, measure, side);
        }
  } finally {
    execFileSync("git", ["-C", bench.root, "worktree", "remove", "--force", root]);
  }
  return formatComparison([...found.values()]);
}

function note(found: Map<string, Compared>, { name, value }: Measure, side: "base" | "here"): void {
  const compared = found.get(name) ?? { name, base: [], here: [] };
  compared[side].push(value);
  found.set(name, compared);
}

/** The packages of this checkout serve the base, too: both are built by the same compiler. */
function buildBase(base: string, { root, folder, say }: Bench): string {
  const tree = join(folder, "base");
  say(`compare: building ${base}`);
  execFileSync("git", ["-C", root, "worktree", "add", "--quiet", "--detach", tree, base]);
  if (!existsSync(join(tree, "node_modules"))) symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  execFileSync(process.execPath, ["scripts/build.js"], { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
  return tree;
}

/** A difference that two turns of the same commit also show means nothing; the spread stands beside it. */
function formatComparison(all: readonly Compared[]): string {
  const rows = all.map(({ name, base, here }) => {
    const [before, now] = [median(base), median(here)];
    const percent = (now / before - 1) * 100;
    const spread = Math.max(...[base, here].map((values) => (Math.max(...values) / Math.min(...values) - 1) * 100));
    return [
      name,
      before.toFixed(2),
      now.toFixed(2),
      `${percent >= 0 ? "+" : ""}${percent.toFixed(0)} %`,
      `${spread.toFixed(0)} %`,
    ];
  });
  return pad([["measure", "base", "here", "difference", "spread"], ...rows]);
}
