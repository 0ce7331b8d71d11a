import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { takeShare } from "../../scripts/share.ts";
import { type Adapter, readAdapter } from "./adapter.ts";
import { chooseCases, readCases } from "./choose-cases.ts";
import { failureOf, formatResults, nameOf, type Row } from "./results.ts";
import { type Bounds, endTools, type Prepared, runCase } from "./run-case.ts";

const help = `npm run bench:fool -- [--only WORD]... [--adapter NAME|FILE]... [--share K/N] [--jobs N] [--limit SECONDS] [--json]

Lets loop tools meet scripted agents that cheat and agents that are honest, and prints what each tool said.
Exits 1 when a tool that must refuse cheats completes one or refuses honest work, 2 on wrong use.

Example: npm run bench:fool -- --only pytest/ --adapter ralph-sealed
`;

/** Lines of a tool's output that are shown for a failed row. */
const linesShown = 15;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      adapter: { type: "string", multiple: true, default: ["bare-loop", "ralph-sealed"] },
      share: { type: "string", default: "1/1" },
      jobs: { type: "string", default: String(availableParallelism()) },
      /** Seconds that one tool may take for one case. */
      limit: { type: "string", default: "300" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const adapters = values.adapter.map(readAdapter);
  const { chosen, skipped } = chooseCases(takeShare(readCases(), values.share), values.only);
  if (chosen.length === 0) {
    process.stderr.write(`bench:fool: no case of this share has ${values.only.join(" or ")} in its name\n`);
    return 2;
  }
  const pairs = chosen.flatMap((prepared) => adapters.map((adapter) => ({ prepared, adapter })));
  const limitMs = Number(values.limit) * 1000;
  const rows = await runAll(pairs, { folder: makeFolder(), limitMs }, Number(values.jobs));
  const date = new Date().toISOString().slice(0, 10);
  process.stdout.write(values.json ? jsonOf(rows, skipped, date) : formatResults(rows, skipped, date));
  const failed = rows.filter((row) => failureOf(row) !== null).length;
  const missing = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  // The last line is what test:long reads.
  if (!values.json) process.stdout.write(`${rows.length - failed} passed, ${failed} failed, ${missing} skipped\n`);
  return failed > 0 ? 1 : 0;
}

/** Where all cases work; it goes with this process, and so do the tools. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fool-"));
  process.on("exit", () => {
    endTools();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
  return folder;
}

type Pair = { prepared: Prepared; adapter: Adapter };

/** Some pairs at a time; the rows come in the order of the pairs. */
async function runAll(pairs: readonly Pair[], bounds: Bounds, jobs: number): Promise<Row[]> {
  const rows: Row[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < pairs.length) {
      const index = next;
      next += 1;
      const pair = pairs[index];
      if (pair === undefined) return;
      const { prepared, adapter } = pair;
      const row = { case: prepared.case, adapter, run: await runCase(prepared, adapter, bounds) };
      rows[index] = row;
      process.stderr.write(`${index + 1}/${pairs.length} ${describeRow(row)}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return rows;
}

/** One line, and for a row that is not as it must be the end of what the tool printed. */
function describeRow(row: Row): string {
  const { run, adapter } = row;
  const said = `${nameOf(row.case)} ${adapter.name}: ${run.answer}, ${(run.durationMs / 1000).toFixed(1)} s`;
  const failure = failureOf(row);
  if (failure === null) return said;
  const lines = run.output.trimEnd().split("\n").slice(-linesShown);
  return [`${said} (${failure})`, ...lines.map((line) => `    ${line}`)].join("\n");
}

function jsonOf(rows: readonly Row[], skipped: ReadonlyMap<string, number>, date: string): string {
  const shown = rows.map((row) => ({
    case: nameOf(row.case),
    kind: row.case.kind,
    about: row.case.about,
    layer: row.case.layer,
    adapter: row.adapter.name,
    answer: row.run.answer,
    isUndone: row.run.isUndone,
    failure: failureOf(row),
    durationMs: Math.round(row.run.durationMs),
    output: row.run.output,
  }));
  return `${JSON.stringify({ date, rows: shown, skipped: Object.fromEntries(skipped) }, null, 2)}\n`;
}
