import { type BusMessage, createMessage, type MessageDraft } from "../../core/bus/message.ts";
import { type IdMark, nextMessageId } from "../../core/bus/message-id.ts";
import { renderEntry } from "../../core/bus/render-entry.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Clock, SharedFiles } from "../ports.ts";
import { entryCodec } from "./entry-codec.ts";
import type { Identities } from "../lib/lock-file.ts";
import { openForAppend } from "./open-bus.ts";
import { rotateBus } from "./rotate-bus.ts";

/** How messages are written. */
export type BusWriting = {
  files: SharedFiles;
  clock: Clock;
  identities: Identities;
  /** A bus of this size is put aside before the next message. */
  rotateBytes?: number;
};

/** Some 200 000 messages of ordinary size: a reader takes a second for them. */
const rotateBytesDefault = 64 * 1024 * 1024;

/** A disk that takes only a part of an entry gets the whole entry again so many times. */
const triesMax = 3;

/**
 * Appends one message to a bus, making the file when it is not there, and returns it with its id. Any number of
 * processes may do so at once. Throws a `RalphError` with code `bus` when the message did not get onto the disk.
 */
export async function postMessage(path: string, draft: MessageDraft, writing: BusWriting): Promise<BusMessage> {
  if (draft.type.trim() === "" || draft.projectId.trim() === "")
    throw new RalphError("usage", "A message needs a type and a project id that are not empty.");
  const at = writing.clock.now();
  const message = createMessage(draft, { id: newMessageId(at), at });
  const entry = renderEntry(message, entryCodec);
  if (entry === null)
    throw new RalphError("bus", "The message is too long: a body has at most 16 MiB, its fields 64 KiB.");
  for (let tries = 1; ; tries += 1) {
    const written = await appendOnce(path, entry, writing);
    if (written === entry.length) return message;
    if (tries === triesMax) throw new RalphError("bus", `The disk took only a part of a message for ${path}.`);
  }
}

// One for the whole program, so that its ids never meet.
let lastMark: IdMark | null = null;

function newMessageId(now: number): string {
  // The wall clock of Node has milliseconds; the finer digits only part the ids of many processes.
  const atNs = BigInt(now) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  const { id, mark } = nextMessageId(lastMark, { atNs, pid: process.pid });
  lastMark = mark;
  return id;
}

/** One write: the kernel lets no other append come between its bytes. */
async function appendOnce(path: string, entry: Uint8Array, writing: BusWriting): Promise<number> {
  const rotateBytes = writing.rotateBytes ?? rotateBytesDefault;
  let opened = openForAppend(path, writing.files);
  if (opened.entry.bytes >= rotateBytes) {
    opened.close();
    await rotateBus(path, rotateBytes, writing);
    opened = openForAppend(path, writing.files);
  }
  try {
    return opened.append(entry);
  } catch (error) {
    const reason = thrownText(error);
    throw new RalphError("bus", `The message bus ${path} cannot be written: ${reason}`, null, error);
  } finally {
    opened.close();
  }
}
