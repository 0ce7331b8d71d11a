import { claimsInMessages, detectCompletionPromise as isClaimed } from "../core/session/detect-promise.ts";
import type { MessagePart, SessionMessage } from "../core/session/session-message.ts";
import { isObject } from "../core/text/is-object.ts";
import { anyText, requireOption, ruleOf } from "./read-options.ts";
import { readTextFile } from "../shell/lib/read-text-file.ts";

/** A transcript is a conversation; a larger file is something else. */
const transcriptBytesMax = 256 * 1024 * 1024;

/**
 * Whether a text claims the promise, by the rules of every claim (S0-16, CB-01).
 *
 * @example
 * ```ts
 * import { detectCompletionPromise } from "ralph";
 *
 * console.log(detectCompletionPromise("All tests pass.\n<promise>DONE</promise>", "DONE")); // true
 * ```
 */
export function detectCompletionPromise(text: string, promise: string): boolean {
  requireOption("detectCompletionPromise", "text", { value: text, rule: anyText });
  return isClaimed(text, promiseOf("detectCompletionPromise", promise));
}

/**
 * Whether the agent's own words, from message `since` on, claim the promise.
 *
 * @example
 * ```ts
 * import { detectInMessages } from "ralph";
 *
 * const messages = [{ role: "user", content: "Fix it." }, { role: "assistant", content: "<promise>DONE</promise>" }];
 * console.log(await detectInMessages(messages, "DONE")); // true
 * ```
 */
export async function detectInMessages(
  messages: readonly SessionMessage[],
  promise: string,
  since = 0,
): Promise<boolean> {
  requireOption("detectInMessages", "messages", { value: messages, rule: ruleOf("a list", Array.isArray) });
  const said = messages.slice(since);
  return claimsInMessages(said, { promise: promiseOf("detectInMessages", promise), prompts: [] }).isPromised;
}

/**
 * Whether the agent claims the promise in a transcript. In a file with one JSON object per line only the text of the
 * assistant's own messages counts; any other file is taken as the agent's words. False without a path, and when the file is
 * not there or cannot be read.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { detectInTranscript } from "ralph";
 *
 * writeFileSync("transcript.jsonl", '{"role":"assistant","content":"<promise>DONE</promise>"}\n');
 * console.log(detectInTranscript("transcript.jsonl", "DONE")); // true
 * ```
 */
export function detectInTranscript(transcriptPath: string | undefined, promise: string): boolean {
  promiseOf("detectInTranscript", promise);
  const content = transcriptPath === undefined ? null : readOrNull(transcriptPath);
  if (content === null) return false;
  const entries = content.split("\n").flatMap(entryOf);
  const messages = entries.length > 0 ? entries.flatMap(messageOf) : [{ role: "assistant", content }];
  return claimsInMessages(messages, { promise, prompts: [] }).isPromised;
}

function promiseOf(caller: string, promise: string): string {
  return requireOption(caller, "promise", { value: promise, rule: anyText });
}

function readOrNull(path: string): string | null {
  try {
    return readTextFile(path, { bytesMax: transcriptBytesMax, links: "follow" });
  } catch {
    // As with a file that is not there: nothing is claimed.
    return null;
  }
}

type Entry = Readonly<Record<string, unknown>>;

function entryOf(line: string): Entry[] {
  if (!line.startsWith("{")) return [];
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    // A half-written line is nobody's words.
    return [];
  }
}

/** The message itself, or what an entry holds under `message`. A sub-agent's words are not the agent's. */
function messageOf(entry: Entry): SessionMessage[] {
  const message = isObject(entry["message"]) ? entry["message"] : entry;
  const role = message["role"] ?? entry["type"];
  if (role !== "assistant" || entry["isSidechain"] === true) return [];
  const { content } = message;
  if (typeof content === "string") return [{ role, content }];
  return Array.isArray(content) ? [{ role, content: content.filter(isPart) }] : [];
}

function isPart(value: unknown): value is MessagePart {
  return isObject(value) && typeof value["type"] === "string";
}
