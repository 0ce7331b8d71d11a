import type { Command, Script } from "./syntax/script.ts";

/** Whether a function starts itself in a pipe or in the background: a fork bomb. */
export function bombs(body: Command, name: string): boolean {
  return scriptsOf(body).some((script) =>
    script.some(
      ({ commands, isBackground }) =>
        (commands.length > 1 || isBackground) && commands.some((command) => isCallOf(command, name)),
    ),
  );
}

/** Whether an endless loop writes to a file or starts background programs without a pause. */
export function endlessLoop(loop: Extract<Command, { type: "loop" }>): boolean {
  if (!hasConstantCondition(loop)) return false;
  const pipelines = loop.body;
  const commands = pipelines.flatMap((pipeline) => pipeline.commands);
  const isPaused = commands.some(
    (command) => pauses.some((name) => isCallOf(command, name)) || command.type === "branch",
  );
  const isGrowing =
    pipelines.some((pipeline) => pipeline.isBackground) ||
    commands.some((command) => writesFile(command) || growing.some((name) => isCallOf(command, name)));
  return isGrowing && !isPaused;
}

function hasConstantCondition({ condition, each }: Extract<Command, { type: "loop" }>): boolean {
  const command = condition[0]?.commands[0];
  if (command === undefined) return false;
  const text = textOf(command);
  if (each !== null) return /^[^;]*;\s*;/.test(text);
  return /^(?:true|false|:|\[ (?:1|true) \]|1)$/.test(text);
}

/** The plain text of a command; the inner of `((..))` for an arithmetic one. */
function textOf(command: Command): string {
  if (command.type !== "simple" && command.type !== "branch") return "";
  return command.words.map((word) => word.map((part) => (part.type === "text" ? part.text : "?")).join("")).join(" ");
}

function scriptsOf(command: Command): Script[] {
  switch (command.type) {
    case "simple":
      return [];
    case "group":
      return withInner([command.body]);
    case "branch":
      return withInner(command.parts);
    case "loop":
      return withInner([command.condition, command.body]);
    case "function":
      return scriptsOf(command.body);
  }
}

function withInner(scripts: readonly Script[]): Script[] {
  const inner = scripts.flatMap((script) => script.flatMap((pipeline) => pipeline.commands.flatMap(scriptsOf)));
  return [...scripts, ...inner];
}

function isCallOf(command: Command, name: string): boolean {
  if (command.type !== "simple") return false;
  const first = command.words[0] ?? [];
  return first.map((part) => (part.type === "text" ? part.text : "")).join("") === name;
}

function writesFile(command: Command): boolean {
  if (command.type === "function") return false;
  return command.redirects.some(
    ({ operator, target }) =>
      (operator === ">" || operator === ">>") &&
      !target.some((part) => part.type === "text" && part.text.startsWith("/dev/")),
  );
}

const growing = ["mkdir", "cp", "fallocate", "dd"];
const pauses = ["sleep", "wait", "break", "read", "exit", "return"];
