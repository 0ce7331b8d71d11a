import { type BusMessage, messageFields } from "../../../core/bus/message.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { listArchives } from "../../../shell/bus/archives.ts";
import { type FollowStart, followBus } from "../../../shell/bus/follow-bus.ts";
import type { SharedFiles } from "../../../shell/ports.ts";
import { openForReading } from "../../../shell/bus/open-bus.ts";
import { type BusReading, readAll, readSince, readTail } from "../../../shell/bus/read-bus.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import { createSharedFiles } from "../../../shell/lib/shared-files.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanBlock, cleanLine } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { countOption, isOn, textOption } from "../input/read-input.ts";
import { readTarget } from "./bus-target.ts";

/** The default number of messages. */
const tailDefault = 20;

/** `ralph bus read`: messages of a bus, oldest first; with `--follow` also new ones. */
export default async function read({ options }: Input): Promise<number> {
  const { path } = readTarget(options, process.env);
  const type = textOption(options, "type");
  const isWanted = (message: BusMessage): boolean => type === null || message.type === type;
  const files = createSharedFiles();
  const since = textOption(options, "since");
  const tail = isOn(options, "all")
    ? Number.POSITIVE_INFINITY
    : (countOption(options, "tail", "--tail") ?? tailDefault);
  const show = isOn(options, "json") ? asJson : asText;
  if (isOn(options, "follow")) {
    const start: FollowStart = since === null ? { tail } : { since };
    await printFollowed(followBus(path, { start, isWanted, files, clock: realClock, signal: untilStopped() }), show);
    return 0;
  }
  assertThere(path, files);
  const reading = { files, isWanted };
  const messages = since === null ? readLast(path, tail, reading) : readSince(path, since, reading);
  for (const message of messages) process.stdout.write(show(message));
  return 0;
}

function readLast(path: string, tail: number, reading: BusReading): BusMessage[] {
  return Number.isFinite(tail) ? readTail(path, tail, reading) : readAll(path, reading);
}

async function printFollowed(
  messages: AsyncIterable<BusMessage>,
  show: (message: BusMessage) => string,
): Promise<void> {
  for await (const message of messages) {
    // The reader has closed the pipe and needs no more messages.
    if (process.stdout.destroyed) return;
    process.stdout.write(show(message));
  }
}

function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort());
  process.stdout.once("error", () => stop.abort());
  return stop.signal;
}

function assertThere(path: string, files: SharedFiles): void {
  const opened = openForReading(path, files);
  opened?.close();
  if (opened !== null || listArchives(path, files).length > 0) return;
  throw new RalphError("not-found", `There is no message bus ${path}.`, "`ralph bus discover` looks for one.");
}

function asJson(message: BusMessage): string {
  return jsonLine(messageFields(message));
}

function asText({ at, type, body, id, taskId, runId }: BusMessage): string {
  const about = [taskId, runId].filter((each) => each !== null).join(" ");
  const head = cleanLine(`[${at}] ${type}${about === "" ? "" : ` (${about})`} ${id}`);
  return `${head}\n${cleanBlock(body, "  ")}\n\n`;
}
