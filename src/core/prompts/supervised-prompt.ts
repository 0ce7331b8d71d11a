/** The text before the task of a supervised agent. */
export type SupervisedPrompt = {
  /** The variables of its environment that it should know. */
  variables: Readonly<Record<string, string>>;
  outputPath: string;
  donePath: string;
  waitPath: string;
  /** How it starts a sub-agent; null: it cannot. */
  subAgentCommand: string | null;
  task: string;
  /** It ran before: another attempt, or a resumed run. */
  isRestart: boolean;
};

/** The whole prompt: where the agent is, how it reports, how it ends, a line of dashes, then the task. */
export function composeSupervisedPrompt(prompt: SupervisedPrompt): string {
  return `${renderPreamble(prompt)}\n---\n\n${prompt.isRestart ? withRestartPrefix(prompt.task) : prompt.task}`;
}

/** The task for an agent that continues it. */
export function withRestartPrefix(task: string): string {
  return `Continue working on the following:\n\n${task}`;
}

function renderPreamble(prompt: SupervisedPrompt): string {
  const { variables, outputPath, donePath, waitPath, subAgentCommand } = prompt;
  const lines = [
    ...Object.entries(variables)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${value}`),
    "",
    `Write your final answer to ${outputPath}.`,
    'Report on the message bus: ralph bus post --type PROGRESS --body "..." (or FACT, DECISION, QUESTION, ERROR).',
    ...(subAgentCommand === null ? [] : [`Start a sub-agent: ${subAgentCommand}`]),
    `When the whole task is done and verified, and not before, create the file ${donePath}. Until then you are started again.`,
    `When you must wait for a person or an event, create the file ${waitPath} or exit with code 42.`,
  ];
  return `${lines.join("\n")}\n`;
}
