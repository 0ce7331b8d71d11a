import { readFileSync } from "node:fs";
import { shippedPath } from "../../lib/package-folder.ts";

/** What is shipped in `templates/`. */
export type TemplateName = "prompt.md" | "prd-template.md" | "tasks-template.json" | "progress-template.md" | "plan.md";

/** Reads a template from beside this program. */
export function readTemplate(name: TemplateName): string {
  return readFileSync(shippedPath("templates", name), "utf8");
}
