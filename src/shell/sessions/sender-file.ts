import { join } from "node:path";
import { count, hasShape, list, nullable, objectOf, text } from "../../core/shape/shape.ts";
import type { ProcessIdentity } from "../ports.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";
import { sessionFileName } from "./session-file-name.ts";

/** Who sends the events of a session, and which ones were not believed since people last heard of them. */
export type KnownSender = { host: ProcessIdentity | null; disbelieved: readonly string[] };

/** It beside the session's state. Nothing here throws: where it cannot be kept, nobody is known. */
export type SenderFile = { read(): KnownSender; write(known: KnownSender): void };

/** Opens the file of a session. */
export function openSenderFile(sessionsFolder: string, sessionId: string): SenderFile {
  const path = join(sessionsFolder, sessionFileName(sessionId).replace(/^session-/, "sender-"));
  return {
    read() {
      try {
        const value: unknown = JSON.parse(readTextFile(path, { bytesMax, links: "refuse" }) ?? "");
        return hasShape(shape, value) ? value : nobody;
      } catch {
        return nobody;
      }
    },
    write({ host, disbelieved }) {
      try {
        writeAtomicNow(path, JSON.stringify({ host, disbelieved: [...new Set(disbelieved)].slice(-sentencesMax) }));
      } catch {
        // Inside a sandbox the folder cannot be written.
      }
    },
  };
}

const nobody: KnownSender = { host: null, disbelieved: [] };

const shape = objectOf({ host: nullable(objectOf({ pid: count, startTime: text })), disbelieved: list(text) });

/** A process and a few sentences. */
const bytesMax = 64 * 1024;

/** There are four kinds of events, from two kinds of senders. */
const sentencesMax = 8;
