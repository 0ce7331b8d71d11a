import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { type MessageDraft, messageFields, type MessageLink, type MessageParent } from "../../../core/bus/message.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { type BusFile, inferFields } from "../../../shell/bus/find-bus.ts";
import { postMessage } from "../../../shell/bus/post-message.ts";
import { createIdentities } from "../../../shell/processes/identities.ts";
import { createSharedFiles } from "../../../shell/lib/shared-files.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, type Options, textOption } from "../input/read-input.ts";
import { postTarget } from "./bus-target.ts";

/** `ralph bus post`: appends one message to a bus and prints its id. */
export default async function post({ options }: Input): Promise<number> {
  const target = postTarget(options, process.env);
  const asked = textOption(options, "bus");
  if (asked !== null && target.path !== resolve(asked))
    process.stderr.write(cleanLines([`ralph: JRUN_MESSAGE_BUS is set, so the message goes to ${target.path}`]));
  const draft = { ...draftOf(options, target), body: textOption(options, "body") ?? (await readBody()) };
  const writing = { files: createSharedFiles(), clock: realClock, identities: createIdentities() };
  const message = await postMessage(target.path, draft, writing);
  process.stdout.write(isOn(options, "json") ? jsonLine(messageFields(message)) : `${message.id}\n`);
  return 0;
}

/** Fields come from flags, then from the path, then from the agent's environment. */
function draftOf(options: Options, target: BusFile): Omit<MessageDraft, "body"> {
  const inferred = inferFields(target);
  const { env } = process;
  const projectId = textOption(options, "project") ?? inferred.projectId ?? env["JRUN_PROJECT_ID"] ?? "";
  if (projectId.trim() === "")
    throw new RalphError("usage", "A message needs a project id.", "Give it with --project, or set JRUN_PROJECT_ID.");
  const type = textOption(options, "type") ?? "INFO";
  if (type.trim() === "") throw new RalphError("usage", "--type must not be empty.");
  return {
    type,
    projectId,
    taskId: textOption(options, "task") ?? inferred.taskId ?? filled(env["JRUN_TASK_ID"]),
    runId: textOption(options, "run") ?? filled(env["JRUN_ID"]),
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
