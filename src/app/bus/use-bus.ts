import type { BusMessage, MessageDraft } from "../../core/bus/message.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { listArchives } from "../../shell/bus/archives.ts";
import { followBus, type FollowStart } from "../../shell/bus/follow-bus.ts";
import { openForReading } from "../../shell/bus/open-bus.ts";
import { postMessage } from "../../shell/bus/post-message.ts";
import { readAll, readSince, readTail } from "../../shell/bus/read-bus.ts";
import { realClock } from "../../shell/lib/real-clock.ts";
import { createSharedFiles } from "../../shell/lib/shared-files.ts";
import { createIdentities } from "../../shell/processes/identities.ts";

/** Which messages are read: those after `since`, else the last `tail`, else all; of one type, where it is given. */
export type WantedMessages = { since?: string; tail?: number; type?: string };

/** Which messages are followed, and until when. */
export type FollowedMessages = { start: FollowStart; type?: string; signal: AbortSignal; pollMs?: number };

/** Appends one message and returns it with its id. */
export function postDraft(path: string, draft: MessageDraft): Promise<BusMessage> {
  return postMessage(path, draft, { files: createSharedFiles(), clock: realClock, identities: createIdentities() });
}

/** Messages of a bus, oldest first, archives included; none where there is no bus yet. */
export function readMessages(path: string, { since, tail, type }: WantedMessages): BusMessage[] {
  const reading = { files: createSharedFiles(), ...wantedOf(type) };
  if (since !== undefined) return readSince(path, since, reading);
  return tail === undefined ? readAll(path, reading) : readTail(path, tail, reading);
}

/** Messages as they come, each once, across rotations. A bus that is not there yet is waited for. */
export function followMessages(path: string, { type, ...following }: FollowedMessages): AsyncIterable<BusMessage> {
  return followBus(path, { ...following, ...wantedOf(type), files: createSharedFiles(), clock: realClock });
}

/** Refuses a bus that is not there, neither itself nor an archive of it. */
export function requireBus(path: string): void {
  const files = createSharedFiles();
  const opened = openForReading(path, files);
  opened?.close();
  if (opened !== null || listArchives(path, files).length > 0) return;
  throw new RalphError("not-found", `There is no message bus ${path}.`, "`ralph bus discover` looks for one.");
}

function wantedOf(type: string | undefined): { isWanted?: (message: BusMessage) => boolean } {
  return type === undefined ? {} : { isWanted: (message) => message.type === type };
}
