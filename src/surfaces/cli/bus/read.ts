import { type BusMessage, messageFields } from "../../../core/bus/message.ts";
import { busForReading } from "../../../app/bus/choose-bus.ts";
import { followMessages, readMessages, requireBus } from "../../../app/bus/use-bus.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanBlock, cleanLine } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { countOption, isOn, textOption } from "../input/read-input.ts";
import { askedBus } from "./asked-bus.ts";

/** The default number of messages. */
const tailDefault = 20;

/** `ralph bus read`: messages of a bus, oldest first; with `--follow` also new ones. */
export default async function read({ options }: Input): Promise<number> {
  const { path } = await busForReading(askedBus(options), process.env);
  const type = textOption(options, "type");
  const since = textOption(options, "since");
  const tail = isOn(options, "all") ? null : (countOption(options, "tail", "--tail") ?? tailDefault);
  const show = isOn(options, "json") ? asJson : asText;
  const wanted = type === null ? {} : { type };
  if (isOn(options, "follow")) {
    const start = since === null ? { tail: tail ?? Number.POSITIVE_INFINITY } : { since };
    await printFollowed(followMessages(path, { start, ...wanted, signal: untilStopped() }), show);
    return 0;
  }
  requireBus(path);
  const last = tail === null ? {} : { tail };
  const messages = readMessages(path, { ...wanted, ...(since === null ? last : { since }) });
  for (const message of messages) process.stdout.write(show(message));
  return 0;
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

function asJson(message: BusMessage): string {
  return jsonLine(messageFields(message));
}

function asText({ at, type, body, id, taskId, runId }: BusMessage): string {
  const about = [taskId, runId].filter((each) => each !== null).join(" ");
  const head = cleanLine(`[${at}] ${type}${about === "" ? "" : ` (${about})`} ${id}`);
  return `${head}\n${cleanBlock(body, "  ")}\n\n`;
}
