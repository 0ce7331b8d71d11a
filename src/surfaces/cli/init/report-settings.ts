import { type InitialSettings, missingPrograms, permissionModeOf } from "../../../app/setup/first-settings.ts";

/** What was written, what it means, what this machine lacks, and what to type next. */
export async function reportSettings(
  settings: InitialSettings,
  place: { env: NodeJS.ProcessEnv; projectDir: string },
): Promise<string[]> {
  const { agent, guardrails, scm } = settings;
  const mode = permissionModeOf(agent);
  const missing = await missingPrograms(settings, place);
  return [
    `  agent: ${[agent.command, ...agent.flags].join(" ")}`,
    ...(mode === null ? [] : [`    It ${mode.meaning}.`]),
    ...(guardrails.length === 0
      ? ["  guardrails: none, so a run believes its agent; add a check to guardrails when there is one"]
      : guardrails.map(({ command }) => `  guardrail: ${command}`)),
    `  delivery: ${scm === undefined ? "none, changes stay in the work tree" : `${scm.command} ${scm.tasks.join(", ")}`}`,
    "  also written: .ralph/settings.schema.json, .ralph/.gitignore, .gitignore",
    ...missing.map(
      ({ program, neededBy }) => `Not found on this machine: ${program}, needed by ${neededBy}. Install it.`,
    ),
    'Next: ralph run -p "What to do"',
  ];
}
