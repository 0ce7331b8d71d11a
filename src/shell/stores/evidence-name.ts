import { checkSlug } from "../../core/text/slug.ts";

/** The name of a check's output among the artefacts: role, iteration and check. */
export function evidenceName({ role, iteration, label }: { role: string; iteration: number; label: string }): string {
  // Roles are words of ours, but they are read back from the store: none may lead out of the folder.
  const folder = role.replaceAll(/[^\w-]/g, "_").slice(0, roleCharsMax) || "run";
  return `${folder}/${String(iteration).padStart(3, "0")}_${checkSlug(label)}`;
}

const roleCharsMax = 50;
