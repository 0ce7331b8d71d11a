import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { type MessageDraft, messageFields, type MessageLink, type MessageParent } from "../../../core/bus/message.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { addressMessage } from "../../../app/bus/address-message.ts";
import { busForPost, type ChosenBus } from "../../../app/bus/choose-bus.ts";
import { postDraft } from "../../../app/bus/use-bus.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, type Options, textOption } from "../input/read-input.ts";
import { askedBus } from "./asked-bus.ts";

/** `ralph bus post`: appends one message to a bus and prints its id. */
export default async function post({ options }: Input): Promise<number> {
  const target = await busForPost(askedBus(options), process.env);
  const asked = textOption(options, "bus");
  if (asked !== null && target.path !== resolve(asked))
    process.stderr.write(cleanLines([`ralph: JRUN_MESSAGE_BUS is set, so the message goes to ${target.path}`]));
  const draft = { ...draftOf(options, target), body: textOption(options, "body") ?? (await readBody()) };
  const message = await postDraft(target.path, draft);
  process.stdout.write(isOn(options, "json") ? jsonLine(messageFields(message)) : `${message.id}\n`);
  return 0;
}

function draftOf(options: Options, target: ChosenBus): Omit<MessageDraft, "body"> {
  const given = {
    projectId: textOption(options, "project"),
    taskId: textOption(options, "task"),
    runId: textOption(options, "run"),
  };
  const address = addressMessage(given, target, process.env);
  const type = textOption(options, "type") ?? "INFO";
  if (type.trim() === "") throw new RalphError("usage", "--type must not be empty.");
  return {
    type,
    ...address,
    issueId: textOption(options, "issue"),
    parents: listOption(options, "parent").map(readParent),
    links: listOption(options, "link").map(readLink),
    meta: Object.fromEntries(listOption(options, "meta").map(readPair)),
  };
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

function listOption(options: Options, name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** `ID` or `ID:kind`. */
function readParent(text: string): MessageParent {
  const [messageId = "", ...kind] = text.split(":");
  if (messageId === "") throw new RalphError("usage", `--parent takes a message id, found "${text}".`);
  return { messageId, kind: filled(kind.join(":")), meta: {} };
}

/** The address, and after a blank its label. */
function readLink(text: string): MessageLink {
  const [url = "", ...label] = text.trim().split(/\s+/);
  if (url === "") throw new RalphError("usage", "--link must not be empty.");
  return { url, label: filled(label.join(" ")), kind: null };
}

function readPair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new RalphError("usage", `--meta takes name=value, found "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readBody(): Promise<string> {
  if (process.stdin.isTTY)
    throw new RalphError("usage", "The message has no body.", "Give --body TEXT, or pipe it in.");
  const bytes = await buffer(process.stdin);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new RalphError(
      "usage",
      "The body is not UTF-8 text.",
      "Put binary content into a file and --link to it.",
      error,
    );
  }
}
