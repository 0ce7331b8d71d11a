import { startWords } from "./lines/start-words.ts";
import { fstatSync } from "node:fs";
import { formatCount } from "../../../core/agents/format-spend.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { RunConnection } from "../../../shell/drivers/start-run.ts";
import { type ConsoleSink, createConsoleSink, createQuietSink } from "./console-sink.ts";
import { createJsonSink } from "./json-sink.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { keepMemoryFlat } from "../terminal/keep-memory-flat.ts";
import type { BacklogLimits } from "../terminal/backlog.ts";
import { type Display, type Look, lookOf } from "./display-options.ts";
import { lineStamp } from "./lines/line-stamp.ts";
import { writerOf } from "../terminal/outlet.ts";
import type { Paint } from "../terminal/paint.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";
import { createStatusBoard, type StatusBoard } from "./status-board.ts";
import { createStderrLines } from "./stderr-lines.ts";
import { terminalColumns } from "../terminal/terminal-columns.ts";
import { agentMark, createViewStyle, lineWidth, paintFor } from "./terminal-style.ts";
import { wholeLines } from "../terminal/whole-lines.ts";
import { keepSignals, listenToSignals } from "./signals.ts";
import { createVerboseSink } from "./verbose-sink.ts";

/** One run among several that share a terminal. */
export type Part = {
  settings: Settings;
  /** The prefix of its lines when runs work side by side; null: one run at a time. */
  label: string | null;
  /** Fields of each of its JSON lines. */
  fields: Readonly<Record<string, string | number>>;
};

/** A run's connection to this terminal. */
export type LiveConnection = RunConnection & {
  /** The connection of a part; its lines are distinguishable from those of others. */
  part: (part: Part) => Pick<RunConnection, "sink" | "onCheck" | "onPrompt" | "onStderr">;
  /** A line of ralph's own. */
  say: (line: string) => void;
  /** A line of the result, never left out. */
  print: (line: string) => void;
  /** Runs the function, then removes the status lines and waits until everything is written. */
  closeAfter: <End>(run: () => Promise<End>) => Promise<End>;
};

/** Connects a run to this terminal: sinks for its news, signals as its requests. */
export function connect(settings: Settings, display: Display): LiveConnection {
  keepMemoryFlat();
  const look = lookOf(settings, display, process.env);
  const paint = paintFor(process.stderr, look);
  const board = hasStatusLine(display)
    ? createStatusBoard({ marks: look.marks, now: Date.now }, () => screen.refresh())
    : null;
  const screen = openScreen(display, board, paint);
  let endLine: ConsoleSink["endLine"];
  const say = (line: string): void => {
    endLine?.();
    screen.say(line);
  };
  const sinksOf = (part: Part): ConsoleSink[] => {
    const shown = openSink({ display, look, paint, part }, screen);
    // Side by side, only whole lines are printed.
    if (part.label === null) endLine = shown.endLine;
    return [
      shown,
      ...(board === null ? [] : [board.open(part.label)]),
      ...(display.isVerbose ? [createVerboseSink(say)] : []),
    ];
  };
  const stderrLines = createStderrLines((text) => screen.offer(text));
  const onStderr: RunConnection["onStderr"] = (chunk) => {
    if (display.isVerbose) stderrLines.push(chunk);
    return undefined;
  };
  // The time in the status line advances while nothing else happens.
  const ticking = board === null ? null : setInterval(() => screen.refresh(), 1000).unref();
  const onResize = (): void => screen.resized();
  process.stderr.on("resize", onResize);
  const listening = (own: ConsoleSink[]): ReturnType<LiveConnection["part"]> => ({
    sink: {
      entry: (entry, state) => own.forEach((sink) => sink.entry(entry, state)),
      agentEvent: (event, effectId) => own.forEach((sink) => sink.agentEvent(event, effectId)),
    },
    onCheck: (progress) => own.forEach((sink) => sink.check(progress)),
    onPrompt: (prompt) => own.forEach((sink) => sink.prompt?.(prompt)),
    onStderr,
  });
  return {
    ...listening(sinksOf({ settings, label: null, fields: {} })),
    onRequest: (listener) => listenToSignals(say, listener),
    part: (part) => listening(sinksOf(part)),
    say,
    print: (line) => screen.print(line),
    onSealing: say,
    onTaking: () => keepSignals(say),
    onTaken: (run) => {
      if (display.isJson) screen.print(jsonResult({ kind: "run", ...run }));
      else screen.say(`${lineStamp(look, "ralph", new Date())}Run ${run.id} ${startWords(run)}: ralph show ${run.id}`);
    },
    async closeAfter(run) {
      try {
        return await run();
      } finally {
        if (ticking !== null) clearInterval(ticking);
        process.stderr.off("resize", onResize);
        stderrLines.end();
        await screen.close();
      }
    },
  };
}

/** What may wait for a terminal: about three thousand lines. The reader of a pipe may want all of a burst; more of it costs memory. */
const terminalCharsMax = 256 * 1024;
const pipeCharsMax = 4 * 1024 * 1024;

function openScreen(display: Display, board: StatusBoard | null, paint: Paint): Screen {
  const { stdout, stderr } = process;
  return createScreen({
    writeOut: writerOf(stdout),
    writeErr: writerOf(stderr),
    isShared: isSameFile(stdout.fd, stderr.fd),
    limits: limitsOf(display, stdout.isTTY),
    columns: () => terminalColumns(stderr),
    // The cursor rests on the empty first cell.
    status: board === null ? null : (width) => board.rows(width - 1).map((text) => paint("dim", ` ${text}`)),
    now: () => performance.now(),
  });
}

function limitsOf({ isJson }: Display, isTerminal: boolean): BacklogLimits {
  return {
    charsMax: isTerminal ? terminalCharsMax : pipeCharsMax,
    isCuttable: !isJson,
    summary: (chars) =>
      isJson
        ? jsonResult({ kind: "left-out", chars }).trimEnd()
        : `... ${formatCount(chars)} characters not shown: the display cannot keep up`,
  };
}

type SinkOptions = { display: Display; look: Look; paint: Paint; part: Part };

function openSink({ display, look, paint, part }: SinkOptions, screen: Screen): ConsoleSink {
  const { settings, label, fields } = part;
  const prefix = label === null ? "" : `[${label}] `;
  const stamp = (): string => lineStamp(look, "ralph", new Date()) + prefix;
  // Asked for every event: without timestamps no time is read.
  const agentStamp = (): string => (look.hasTimestamps ? lineStamp(look, "agent", new Date()) : "") + prefix;
  const width = (): number | null => lineWidth(process.stderr);
  const target = { paint, stamp, agentStamp, width, say: (line: string) => screen.say(line) };
  if (display.isJson)
    return createJsonSink({
      write: (line) => screen.print(line),
      offer: (line) => screen.out(line),
      now: Date.now,
      fields,
    });
  if (display.isQuiet) return createQuietSink(target);
  const textMark = isSameFile(process.stdout.fd, process.stderr.fd) ? agentMark : "";
  const viewStyle = createViewStyle(look, { textMark, stamp: agentStamp });
  const print = (text: string): void => screen.out(text);
  // Side by side, another run would complete an unfinished line.
  const out = label === null ? print : wholeLines(print);
  return createConsoleSink({ ...target, out, viewStyle }, settings);
}

function hasStatusLine({ isJson, isQuiet }: Display): boolean {
  return process.stderr.isTTY && process.env["TERM"] !== "dumb" && !isJson && !isQuiet;
}

/** Whether two descriptors lead to one terminal, pipe or file. */
function isSameFile(first: number, second: number): boolean {
  const [one, other] = [fstatSync(first), fstatSync(second)];
  return one.dev === other.dev && one.ino === other.ino && one.rdev === other.rdev;
}
