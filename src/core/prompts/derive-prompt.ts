/** Asks for the stories of a finished PRD as JSON and nothing else; `planning` is the planning text with its rules (S4-87). */
export function derivePrompt({ planning, prd, project }: { planning: string; prd: string; project: string }): string {
  return [
    `Derive the stories of a feature from its PRD, for the project "${project}".`,
    "Look at the project as far as you need to, but change no file.",
    "Answer with the JSON of tasks.json and nothing else: no sentence before it, none after it.",
    `# Rules\n\n${sectionOf(planning, "Derive the stories")}`,
    `# The PRD\n\n${prd.trim()}`,
  ].join("\n\n");
}

/** Repeats the question with the errors of the answer. */
export function deriveAgainPrompt(prompt: string, problems: readonly string[]): string {
  const list = problems
    .slice(0, problemsMax)
    .map((problem) => `- ${problem}`)
    .join("\n");
  return `${prompt}\n\n# Your last answer could not be used\n\n${list}\n\nAnswer with the whole corrected JSON.`;
}

/** More problems would hide the rules. */
const problemsMax = 20;

/** The text below a heading of the second level, up to the next one. */
function sectionOf(text: string, heading: string): string {
  const from = text.indexOf(`## ${heading}\n`);
  if (from === -1) return text.trim();
  const body = text.slice(from + heading.length + 4);
  const next = body.search(/^## /m);
  return (next === -1 ? body : body.slice(0, next)).trim();
}
