import { fstatSync } from "node:fs";
import { formatCount } from "../../../core/agents/format-spend.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { RunConnection } from "../../../shell/drivers/start-run.ts";
import { joinSinks } from "../../../shell/sinks/sink.ts";
import { type ConsoleSink, createConsoleSink, createQuietSink } from "./console-sink.ts";
import { createJsonSink } from "./json-sink.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { keepMemoryFlat } from "../terminal/keep-memory-flat.ts";
import type { BacklogLimits } from "../terminal/backlog.ts";
import type { Display } from "./display-options.ts";
import { chooseMarks, type Marks } from "../terminal/marks.ts";
import { writerOf } from "../terminal/outlet.ts";
import { isColoured, type Paint, painted, unpainted } from "../terminal/paint.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";
import { createStatusSink, type StatusSink } from "./status-sink.ts";
import { createStderrLines } from "./stderr-lines.ts";
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
  part: (part: Part) => Pick<RunConnection, "sink" | "onCheck" | "onStderr">;
  /** A line of ralph's own. */
  say: (line: string) => void;
  /** A line of the result, never left out. */
  print: (line: string) => void;
  /** Runs the function, then removes the status line and waits until everything is written. */
  closeAfter: <End>(run: () => Promise<End>) => Promise<End>;
};

/** Connects a run to this terminal: sinks for its news, signals as its requests. */
export function connect(settings: Settings, display: Display): LiveConnection {
  keepMemoryFlat();
  const marks = chooseMarks(display.marks, process.env);
  const paint = paintFor(process.stderr);
  const status = hasStatusLine(display) ? createStatusSink({ marks, now: Date.now }, () => screen.refresh()) : null;
  const screen = openScreen(display, status, paint);
  const whole: Part = { settings, label: null, fields: {} };
  const sinksOf = (part: Part): ConsoleSink[] => [
    openSink({ display, marks, paint, part }, screen),
    // One line cannot show several runs.
    ...(status === null || part.label !== null ? [] : [status]),
    ...(display.isVerbose ? [createVerboseSink((line) => screen.say(line))] : []),
  ];
  const sinks = sinksOf(whole);
  const stderrLines = createStderrLines((text) => screen.offer(text));
  const onStderr: RunConnection["onStderr"] = (chunk) => {
    if (display.isVerbose) stderrLines.push(chunk);
    return undefined;
  };
  // The time in the status line advances while nothing else happens.
  const ticking = status === null ? null : setInterval(() => screen.refresh(), 1000).unref();
  const onResize = (): void => screen.resized();
  process.stderr.on("resize", onResize);
  return {
    sink: joinSinks(sinks),
    onRequest: (listener) => listenToSignals((line) => screen.say(line), listener),
    onCheck: (progress) => sinks.forEach((sink) => sink.check(progress)),
    onStderr,
    part: (part) => {
      const own = sinksOf(part);
      return { sink: joinSinks(own), onCheck: (progress) => own.forEach((sink) => sink.check(progress)), onStderr };
    },
    say: (line) => screen.say(line),
    print: (line) => screen.print(line),
    onTaking: () => keepSignals((line) => screen.say(line)),
    onTaken: ({ id, isResumed }) => {
      if (display.isJson) screen.print(jsonLine({ kind: "run", id, isResumed }));
      else
        screen.say(`${stampOf(display)}Run ${id} ${isResumed ? "continues" : "starts"}. Look at it: ralph show ${id}`);
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

/** What may wait for a terminal: about three thousand lines. The reader of a pipe may want all of a burst. */
const terminalCharsMax = 256 * 1024;
const pipeCharsMax = 8 * 1024 * 1024;

function openScreen(display: Display, status: StatusSink | null, paint: Paint): Screen {
  const { stdout, stderr } = process;
  return createScreen({
    writeOut: writerOf(stdout),
    writeErr: writerOf(stderr),
    isShared: isSameFile(stdout.fd, stderr.fd),
    limits: limitsOf(display, stdout.isTTY),
    columns: () => stderr.columns,
    status:
      status === null
        ? null
        : (width) => {
            const text = status.text(width - 1);
            // The cursor rests on the empty first cell.
            return text === "" ? "" : paint("dim", ` ${text}`);
          },
    now: () => performance.now(),
  });
}

function limitsOf({ isJson }: Display, isTerminal: boolean): BacklogLimits {
  return {
    charsMax: isTerminal ? terminalCharsMax : pipeCharsMax,
    isCuttable: !isJson,
    summary: (chars) =>
      isJson
        ? jsonLine({ kind: "left-out", chars }).trimEnd()
        : `... ${formatCount(chars)} characters not shown: the display cannot keep up`,
  };
}

/** No line of ralph begins with it. */
const agentMark = "| ";

type Look = { display: Display; marks: Marks; paint: Paint; part: Part };

function openSink({ display, marks, paint, part }: Look, screen: Screen): ConsoleSink {
  const { settings, label, fields } = part;
  const stamp = (): string => stampOf(display) + (label === null ? "" : `[${label}] `);
  const target = { paint, stamp, say: (line: string) => screen.say(line) };
  if (display.isJson)
    return createJsonSink({
      write: (line) => screen.print(line),
      offer: (line) => screen.out(line),
      now: Date.now,
      fields,
    });
  if (display.isQuiet) return createQuietSink(target);
  const { outputLinesMax, outputCharsMax } = display;
  const outPaint = paintFor(process.stdout);
  const textMark = isSameFile(process.stdout.fd, process.stderr.fd) ? agentMark : "";
  const viewStyle = () => ({
    marks,
    paint: outPaint,
    textMark,
    width: widthOf(stamp()),
    outputLinesMax,
    outputCharsMax,
  });
  const print = (text: string): void => screen.out(text);
  // Side by side, another run would complete an unfinished line.
  const out = label === null ? print : wholeLines(print);
  return createConsoleSink({ ...target, out, viewStyle }, settings);
}

/** Width of a line in cells; not counted without a terminal. */
function widthOf(stamp: string): number | null {
  return process.stdout.isTTY ? Math.max(1, process.stdout.columns - stamp.length) : null;
}

/** `[HH:MM:SS] ` in local time. */
function stampOf({ hasTimestamps }: Display): string {
  return hasTimestamps ? `[${new Date().toTimeString().slice(0, 8)}] ` : "";
}

function hasStatusLine({ isJson, isQuiet }: Display): boolean {
  return process.stderr.isTTY && process.env["TERM"] !== "dumb" && !isJson && !isQuiet;
}

function paintFor(stream: NodeJS.WriteStream): Paint {
  return isColoured(stream.isTTY, process.env) ? painted : unpainted;
}

/** Whether two descriptors lead to one terminal, pipe or file. */
function isSameFile(first: number, second: number): boolean {
  const [one, other] = [fstatSync(first), fstatSync(second)];
  return one.dev === other.dev && one.ino === other.ino && one.rdev === other.rdev;
}
