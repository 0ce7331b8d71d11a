import { z } from "zod";
import { compareIds, idsIn } from "./requirement-ids.ts";

/** `docs/requirements.json`: each group with its issue, each id with the groups that must cover it. */
export type Requirements = z.infer<typeof requirementsSchema>;

/** Reads `docs/requirements.json`; throws on anything unexpected. */
export function parseRequirements(text: string): Requirements {
  return requirementsSchema.parse(JSON.parse(text));
}

/** The ids of a group that no test title names, in the order of the documents. */
export function findGaps(requirements: Requirements, titles: readonly string[], group: string): string[] {
  const named = new Set(titles.flatMap(idsIn));
  return idsOfGroup(requirements, group).filter((id) => !named.has(id));
}

/** The ids a group must cover. */
export function idsOfGroup(requirements: Requirements, group: string): string[] {
  return Object.keys(requirements.ids)
    .filter((id) => requirements.ids[id]?.includes(group) === true)
    .toSorted(compareIds);
}

/** Ids in titles that no document knows: a slip of the pen that would count for nothing. */
export function unknownIds(requirements: Requirements, titles: readonly string[]): string[] {
  const ids = new Set(titles.flatMap(idsIn));
  return [...ids].filter((id) => requirements.ids[id] === undefined).toSorted(compareIds);
}

const requirementsSchema = z.strictObject({
  groups: z.record(z.string(), z.number().nullable()),
  ids: z.record(z.string(), z.array(z.string()).min(1)),
});
