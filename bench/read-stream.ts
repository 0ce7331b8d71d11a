import { spawn } from "node:child_process";
import { once } from "node:events";
import { createDisk } from "../src/shell/lib/disk.ts";

/**
 * The lean loop, the reference of the stream rows: bytes split into lines, only lines that matter parsed, and of those the texts,
 * the names of tools and the heads of results shown. The raw log is the one that ralph writes.
 */

/** The driver's limit for the raw stream of a turn. */
const logBytesMax = 64 * 1024 * 1024;

/** Lines of a result that are shown. */
const headLines = 3;

const newline = 10;

type Show = (text: string) => void;
type Fields = Readonly<Record<string, unknown>>;

const readers: Record<string, { beginnings: string[]; read: (line: Fields, show: Show) => void }> = {
  claude: { beginnings: ['{"type":"assistant"', '{"type":"user"'], read: readClaude },
  codex: { beginnings: ['{"type":"item.'], read: readCodex },
  opencode: { beginnings: ['{"type":"text"', '{"type":"tool_use"'], read: readOpencode },
};

const [kind = "", streamPath = "", logPath = ""] = process.argv.slice(2);
const shown: string[] = [];
const take = lineTaker(kind, (text) => void shown.push(text));
const log = createDisk().openLog(logPath, logBytesMax);
const child = spawn("cat", [streamPath], { stdio: ["ignore", "pipe", "inherit"] });
let rest: Buffer = Buffer.alloc(0);
child.stdout.on("data", (chunk: Buffer) => {
  void log.write(chunk);
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    take(bytes, start, end);
    start = end + 1;
  }
  rest = start === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start));
  process.stdout.write(shown.join(""));
  shown.length = 0;
});
await once(child, "close");
await log.close();

function lineTaker(name: string, show: Show): (bytes: Buffer, start: number, end: number) => void {
  if (name === "text") return (bytes, start, end) => show(bytes.toString("utf8", start, end + 1));
  const { beginnings, read } = readers[name] ?? { beginnings: [], read: () => {} };
  const marks = beginnings.map((beginning) => Buffer.from(beginning));
  return (bytes, start, end) => {
    if (!marks.some((mark) => bytes.compare(mark, 0, mark.length, start, Math.min(end, start + mark.length)) === 0))
      return;
    read(JSON.parse(bytes.toString("utf8", start, end)) as Fields, show);
  };
}

function readClaude(line: Fields, show: Show): void {
  const { content } = line["message"] as { content: unknown };
  if (typeof content === "string") return;
  for (const block of content as Fields[]) {
    if (block["type"] === "text" && line["type"] === "assistant") show(`${String(block["text"])}\n`);
    if (block["type"] === "tool_use") show(`${String(block["name"])}\n`);
    if (block["type"] === "tool_result") show(headOf(block["content"]));
  }
}

function readCodex({ type, item }: Fields, show: Show): void {
  const fields = item as Fields;
  if (fields["type"] === "agent_message") show(`${String(fields["text"])}\n`);
  else if (type === "item.started") show(`${String(fields["type"])}\n`);
  else show(headOf(fields["aggregated_output"]));
}

function readOpencode({ type, part }: Fields, show: Show): void {
  const fields = part as Fields;
  if (type === "text") return show(`${String(fields["text"])}\n`);
  show(`${String(fields["tool"])}\n`);
  show(headOf((fields["state"] as Fields)["output"]));
}

function headOf(content: unknown): string {
  if (typeof content !== "string") return "";
  let end = -1;
  for (let lines = 0; lines < headLines; lines += 1) {
    end = content.indexOf("\n", end + 1);
    if (end === -1) return `${content}\n`;
  }
  return content.slice(0, end + 1);
}
