import { resolve } from "node:path";
import type { BusMessage, MessageDraft, MessageLink, MessageParent } from "../core/bus/message.ts";
import { isObject } from "../core/text/is-object.ts";
import { RalphError } from "../core/ralph-error.ts";
import { thrownText } from "../core/text/thrown-text.ts";
import { type BusFile, findBus, inferFields, placeOf } from "../shell/bus/find-bus.ts";
import { type FollowedMessages, followMessages, postDraft, readMessages } from "./bus/use-bus.ts";
import {
  abortSignal,
  aFile,
  anyText,
  directory,
  listOf,
  milliseconds,
  type OptionRule,
  type OptionRules,
  readOptions,
  refuseOptions,
  required,
  ruleOf,
  text,
  wholeNumber,
} from "./read-options.ts";

/**
 * Which bus, and what its messages say unless they say otherwise. Give `path` or `projectDir`.
 *
 * @example
 * ```ts
 * import { createMessageBus, type MessageBusOptions } from "ralph";
 *
 * const options: MessageBusOptions = { path: "MESSAGE-BUS.md", projectId: "shop", pollIntervalMs: 100 };
 * console.log(createMessageBus(options).path);
 * ```
 */
export type MessageBusOptions = {
  /** The file; the first message makes it. */
  path?: string;
  /** The nearest bus in this directory or above it: `TASK-MESSAGE-BUS.md`, `PROJECT-MESSAGE-BUS.md`, `MESSAGE-BUS.md`. */
  projectDir?: string;
  /** Of every message; where the path of the bus tells it, that is the default. */
  projectId?: string;
  taskId?: string;
  /** How often a follower looks for new messages, in milliseconds (500). */
  pollIntervalMs?: number;
};

/**
 * A message to post. Its id and its time are given to it.
 *
 * @example
 * ```ts
 * import { createMessageBus, type NewMessage } from "ralph";
 *
 * const message: NewMessage = { type: "ISSUE", body: "The login page is empty.", links: [{ url: "https://example.com" }] };
 * console.log((await createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" }).post(message)).issueId);
 * ```
 */
export type NewMessage = {
  body: string;
  /** `INFO` unless said; FACT, ISSUE, WARNING, ERROR and the like are in use. */
  type?: string;
  projectId?: string;
  taskId?: string;
  runId?: string;
  issueId?: string;
  parents?: readonly (Pick<MessageParent, "messageId"> & Partial<MessageParent>)[];
  links?: readonly (Pick<MessageLink, "url"> & Partial<MessageLink>)[];
  meta?: Readonly<Record<string, string>>;
};

/**
 * Which messages are read. Without `since` and `tail` all of them.
 *
 * @example
 * ```ts
 * import { type BusReadOptions, createMessageBus } from "ralph";
 *
 * const options: BusReadOptions = { tail: 20 };
 * console.log((await createMessageBus({ path: "MESSAGE-BUS.md" }).read(options)).length);
 * ```
 */
export type BusReadOptions = {
  /** Only those after the message with this id. */
  since?: string;
  /** Only the last so many. */
  tail?: number;
  /** Only those of this type. */
  type?: string;
};

/**
 * Which messages are followed. Without `since` and `tail` only those that come.
 *
 * @example
 * ```ts
 * import { type BusFollowOptions } from "ralph";
 *
 * const options: BusFollowOptions = { tail: 10, type: "FACT", signal: AbortSignal.timeout(60_000) };
 * console.log(options.tail);
 * ```
 */
export type BusFollowOptions = BusReadOptions & {
  /** Ends the following; what was read until then is delivered. */
  signal?: AbortSignal;
};

/**
 * Where a bus is, and what its place says about its messages.
 *
 * @example
 * ```ts
 * import { type BusDiscovery, createMessageBus } from "ralph";
 *
 * const found: BusDiscovery = createMessageBus({ path: "shop/task-001/TASK-MESSAGE-BUS.md" }).discover();
 * console.log(found.projectId, found.taskId); // shop task-001
 * ```
 */
export type BusDiscovery = {
  path: string;
  kind: "task" | "project" | "other";
  projectId: string | null;
  taskId: string | null;
};

/**
 * A bus that any number of programs write to at once. Every error is a `RalphError`.
 *
 * @example
 * ```ts
 * import { createMessageBus, type MessageBus } from "ralph";
 *
 * const tell = async (bus: MessageBus, body: string): Promise<string> => (await bus.post({ body })).id;
 * console.log(await tell(createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" }), "It begins."));
 * ```
 */
export type MessageBus = {
  path: string;
  /** Appends one message and returns it with its id. Rejects with code `bus` when it did not get onto the disk. */
  post(message: NewMessage): Promise<BusMessage>;
  /** Messages, oldest first, archives included; none where there is no bus yet. Code `unknown-message` for `since`. */
  read(options?: BusReadOptions): Promise<BusMessage[]>;
  /** Messages as they come, each once, across rotations. A bus that is not there yet is waited for. */
  follow(options?: BusFollowOptions): AsyncIterable<BusMessage>;
  discover(): BusDiscovery;
};

/**
 * Opens the message bus of a task or a project.
 *
 * @example
 * ```ts
 * import { createMessageBus } from "ralph";
 *
 * const bus = createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" });
 * const first = await bus.post({ body: "It begins." });
 * await bus.post({ type: "FACT", body: "The build is green.", parents: [{ messageId: first.id }] });
 * for await (const { type, body } of bus.follow({ since: first.id })) {
 *   console.log(type, body); // FACT The build is green.
 *   break;
 * }
 * ```
 */
export function createMessageBus(options: MessageBusOptions): MessageBus {
  const given = readOptions("createMessageBus", options, busRules);
  const place = placeOfBus(given);
  const { path, kind } = place;
  const inferred = inferFields(place);
  const ids = { projectId: given.projectId ?? inferred.projectId, taskId: given.taskId ?? inferred.taskId };
  return {
    path,
    post: (message) =>
      asRalphError(path, () => {
        const draft = draftOf(readOptions("post", message, messageRules), ids);
        return postDraft(path, draft);
      }),
    read: (reading = {}) =>
      asRalphError(path, async () => {
        const wanted = readOptions("read", reading, readRules);
        const messages = readMessages(path, wanted);
        return wanted.since === undefined ? messages : lastOf(messages, wanted.tail);
      }),
    follow: (following = {}) => {
      const { since, tail = 0, type, signal } = readOptions("follow", following, followRules);
      return follow(path, {
        start: since === undefined ? { tail } : { since },
        ...(type === undefined ? {} : { type }),
        signal: signal ?? new AbortController().signal,
        ...(given.pollIntervalMs === undefined ? {} : { pollMs: given.pollIntervalMs }),
      });
    },
    discover: () => ({ path, kind, ...inferred }),
  };
}

const busRules: OptionRules<MessageBusOptions> = {
  path: aFile,
  projectDir: directory,
  projectId: text,
  taskId: text,
  pollIntervalMs: milliseconds(1),
};

const messageRules: OptionRules<NewMessage> = {
  body: required(anyText),
  type: text,
  projectId: text,
  taskId: text,
  runId: text,
  issueId: text,
  parents: listOf(withText("messageId")),
  links: listOf(withText("url")),
  meta: ruleOf("an object whose values are texts", areTexts),
};

const readRules: OptionRules<BusReadOptions> = { since: text, tail: wholeNumber(0), type: text };
const followRules: OptionRules<BusFollowOptions> = { ...readRules, signal: abortSignal };

function withText(name: string): OptionRule {
  return ruleOf(`an object with the text ${name}`, (value) => isObject(value) && text.isMet(value[name]));
}

function areTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === "string");
}

function placeOfBus({ path, projectDir }: MessageBusOptions): BusFile {
  if ((path === undefined) === (projectDir === undefined)) {
    const found =
      path === undefined ? "neither of the options path and projectDir is" : "options path and projectDir are both";
    throw refuseOptions("createMessageBus", `${found} given, expected one of them`);
  }
  if (path !== undefined) return placeOf(resolve(path));
  const folder = resolve(projectDir ?? ".");
  const place = findBus(folder);
  if (place !== null) return place;
  throw new RalphError(
    "not-found",
    `There is no message bus in ${folder} or above it.`,
    "Give option path; posting makes the file.",
  );
}

function draftOf(message: NewMessage, ids: { projectId: string | null; taskId: string | null }): MessageDraft {
  const { body, type = "INFO", parents = [], links = [], meta = {} } = message;
  const projectId = message.projectId ?? ids.projectId;
  if (projectId === null)
    throw refuseOptions("post", "option projectId is missing, and the path of the bus tells none");
  return {
    body,
    type,
    projectId,
    taskId: message.taskId ?? ids.taskId,
    runId: message.runId ?? null,
    issueId: message.issueId ?? null,
    parents: parents.map((parent) => ({ kind: null, meta: {}, ...parent })),
    links: links.map((link) => ({ label: null, kind: null, ...link })),
    meta: { ...meta },
  };
}

function lastOf(messages: BusMessage[], tail: number | undefined): BusMessage[] {
  return tail === undefined ? messages : messages.slice(Math.max(0, messages.length - tail));
}

async function* follow(path: string, following: FollowedMessages): AsyncGenerator<BusMessage> {
  try {
    yield* followMessages(path, following);
  } catch (error) {
    throw busError(path, error);
  }
}

async function asRalphError<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw busError(path, error);
  }
}

function busError(path: string, error: unknown): RalphError {
  if (error instanceof RalphError) return error;
  const reason = thrownText(error);
  return new RalphError("bus", `The message bus ${path} cannot be used: ${reason}`, null, error);
}
