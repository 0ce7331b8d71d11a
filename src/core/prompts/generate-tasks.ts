/** What the agent gets: the specification and the existing tasks. */
export type GenerationInput = { specification: string; existingIds: readonly string[] };

/** Asks for task definitions with criteria (S2-56). */
export function generationPrompt({ specification, existingIds }: GenerationInput): string {
  const existing = existingIds.length === 0 ? "none" : existingIds.join(", ");
  return `${guidance}
Ids that are taken already (use others; dependencies may name them): ${existing}

Change no file. Answer with one fenced yaml block and nothing else.

The specification:

${specification.trim()}
`;
}

/** Asks again, with every problem of the answer. */
export function repairPrompt(input: GenerationInput, answer: string, problems: string): string {
  return `${generationPrompt(input)}
Your former answer could not be used:

${problems}

Your former answer was:

${answer}

Answer with the whole corrected yaml block.
`;
}

/** The YAML of an answer: its fenced blocks, else all of it. */
export function yamlOf(answer: string): string {
  const blocks = Array.from(
    answer.matchAll(/^```(?:ya?ml|json)?[ \t]*\n([^]*?)^```[ \t]*$/gm),
    ([, block]) => block ?? "",
  );
  return blocks.length === 0 ? answer : blocks.join("\n---\n");
}

const guidance = `Break the specification below into tasks for a coding agent and write them as YAML.

Rules:
- Each task is small enough for one person's day, and says in its description what to do and where.
- outcome: one measurable sentence that says what is true when the task is done.
- acceptance_criteria: a specific, verifiable list; each item can be checked by reading code or running a command.
- dependencies: ids of tasks that must be done first; no cycles.
- priority: 1 is the highest.
- Verify by a command wherever one can tell (external), by a judge where it cannot (semantic), by stages where both matter (multi_stage).
- A command must exist in this project or be made by the task itself.
- Leave a role out when the defaults will do.

IMPORTANT: Tasks without completion criteria will fail during Ralph loop execution.

Format:

\`\`\`yaml
tasks:
  - id: short-id-001
    spec: name-of-the-specification
    title: One line
    description: |
      What is to be done.
    priority: 1
    dependencies: []
    completion:
      outcome: One measurable sentence.
      acceptance_criteria:
        - A specific, verifiable statement
      coder:
        promise: SHORT_ID_IMPLEMENTED
        description: What the coder has to reach.
        verification_method: external
        verification_config:
          command: npm test
      reviewer:
        promise: SHORT_ID_REVIEWED
        description: What the reviewer has to see.
        verification_method: semantic
        verification_config:
          check_for:
            - "{{acceptance_criteria}}"
\`\`\`
`;
