/**
 * A message that answers or follows another one.
 *
 * @example
 * ```ts
 * import { type MessageParent } from "ralph";
 *
 * const parent: MessageParent = { messageId: "MSG-1", kind: "answers", meta: {} };
 * console.log(parent.kind);
 * ```
 */
export type MessageParent = { messageId: string; kind: string | null; meta: Record<string, string> };

/**
 * A place a message points to.
 *
 * @example
 * ```ts
 * import { type MessageLink } from "ralph";
 *
 * const link: MessageLink = { url: "https://example.com/build/7", label: "build 7", kind: null };
 * console.log(link.label);
 * ```
 */
export type MessageLink = { url: string; label: string | null; kind: string | null };

/**
 * One message of a bus. Types are free text; INFO, WARNING, ERROR, FACT and the like are in use.
 *
 * @example
 * ```ts
 * import { type BusMessage, createMessageBus } from "ralph";
 *
 * const bus = createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" });
 * const message: BusMessage = await bus.post({ type: "FACT", body: "The build is green." });
 * console.log(message.id, message.at);
 * ```
 */
export type BusMessage = {
  id: string;
  /** UTC, as the file has it. */
  at: string;
  type: string;
  /** Empty only in messages of the old one-line form. */
  projectId: string;
  taskId: string | null;
  runId: string | null;
  issueId: string | null;
  parents: MessageParent[];
  links: MessageLink[];
  meta: Record<string, string>;
  body: string;
};

/** What a writer says; id and time are given to it when it is appended. */
export type MessageDraft = Pick<BusMessage, "type" | "projectId" | "body"> &
  Partial<Omit<BusMessage, "id" | "at" | "type" | "projectId" | "body">>;

/** Makes a message of a draft. An ISSUE is its own issue unless it names another. */
export function createMessage(draft: MessageDraft, { id, at }: { id: string; at: number }): BusMessage {
  return {
    id,
    at: new Date(at).toISOString(),
    type: draft.type,
    projectId: draft.projectId,
    taskId: draft.taskId ?? null,
    runId: draft.runId ?? null,
    issueId: draft.issueId ?? (draft.type === "ISSUE" ? id : null),
    parents: draft.parents ?? [],
    links: draft.links ?? [],
    meta: draft.meta ?? {},
    body: draft.body,
  };
}

/** A message with the names of its header, as `bus read --json` prints it. What is not there is left out. */
export function messageFields(message: BusMessage): Record<string, unknown> {
  const { parents, links, meta } = message;
  const fields = {
    msg_id: message.id,
    ts: message.at,
    type: message.type,
    project_id: message.projectId,
    task_id: message.taskId,
    run_id: message.runId,
    issue_id: message.issueId,
    parents: parents.map((parent) =>
      withoutEmpty({ msg_id: parent.messageId, kind: parent.kind, meta: nullIfEmpty(parent.meta) }),
    ),
    links: links.map((link) => withoutEmpty(link)),
    meta: nullIfEmpty(meta),
    body: message.body,
  };
  return withoutEmpty({
    ...fields,
    parents: parents.length === 0 ? null : fields.parents,
    links: links.length === 0 ? null : fields.links,
  });
}

function nullIfEmpty(map: Record<string, string>): Record<string, string> | null {
  return Object.keys(map).length === 0 ? null : map;
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
