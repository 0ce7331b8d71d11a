import { roles } from "../../../core/tasks/criteria/role.ts";
import { taskTemplates } from "../../../core/tasks/criteria/templates.ts";
import { json, projectDir } from "../input/common-flags.ts";
import type { CommandSpec, OptionSpec } from "../input/command-spec.ts";
import type { taskCommands } from "./task-commands.ts";

const command = (name: keyof typeof taskCommands) => async () => {
  const { taskCommands: commands } = await import("./task-commands.ts");
  return { default: commands[name] };
};

const common = [json, projectDir];

/** The flags that describe a task (S2-49). */
const definitionFlags: OptionSpec[] = [
  { flags: "--outcome <text>", sentence: "what is true when it is done, in one measurable sentence" },
  { flags: "--acceptance <text>", sentence: "an acceptance criterion; once for each", isRepeatable: true },
  {
    flags: "--template <name>",
    sentence: `criteria for all roles: ${taskTemplates.map(({ name }) => name).join(", ")}`,
  },
  ...roles.flatMap((role) => [
    { flags: `--${role}-promise <text>`, sentence: `what the ${role} claims when done` },
    {
      flags: `--${role}-verify <method>`,
      sentence: `how the ${role}'s claim is verified: string_match, semantic, external or multi_stage`,
    },
    {
      flags: `--${role}-verify-cmd <command>`,
      sentence: `the command that must succeed; several are stages, and a judge of the criteria follows`,
      isRepeatable: true,
    },
    { flags: `--${role}-max-iterations <count>`, sentence: `the limit of the ${role}, instead of its default` },
  ]),
  { flags: "--description <text>", sentence: "the work to do" },
  { flags: "--priority <number>", sentence: "1 is the highest (3)" },
  { flags: "--depends-on <task>", sentence: "a task that must be done first; once for each", isRepeatable: true },
  { flags: "--assignee <name>", sentence: "who is responsible" },
];

/** `ralph task` with everything below it, as data. */
export const taskCommand: CommandSpec = {
  name: "task",
  parameters: "",
  sentence: "tasks with completion criteria: create, follow-up, import, list, show, edit, remove, generate",
  options: [],
  examples: ["ralph task import tasks.yaml", "ralph task list"],
  commands: [
    {
      name: "create",
      parameters: "<id> <spec> <title>",
      sentence: "add a task with its outcome and acceptance criteria",
      options: [...definitionFlags, ...common],
      examples: [
        'ralph task create auth-1 login "Sign in" --outcome "People sign in with a password" \\\n' +
          '    --acceptance "A wrong password is refused" --template node-tests',
        'ralph task create docs-1 manual "Write the manual" --outcome "Every command is explained" \\\n' +
          '    --acceptance "Each command has an example" --coder-verify external --coder-verify-cmd "make docs"',
      ],
      changes: "project",
      load: command("create"),
    },
    {
      name: "follow-up",
      parameters: "<task> [title]",
      sentence: "add a task after another one; of a failed task it takes over what done means",
      options: [
        { flags: "--id <id>", sentence: "its id (that of the task with the next free number)" },
        { flags: "--same-checks", sentence: "take over how the claims of the task's roles are verified" },
        ...definitionFlags,
        ...common,
      ],
      examples: [
        'ralph task follow-up auth-1 "Sign out" --outcome "An old session cannot be used" \\\n' +
          '    --acceptance "A request with the old cookie is answered with 401" --same-checks',
        "ralph task follow-up auth-1 --id auth-1b --json",
      ],
      changes: "project",
      load: command("followUp"),
    },
    {
      name: "import",
      parameters: "<files...>",
      sentence: "add the tasks of YAML or JSON files, all of them or none; - for standard input",
      options: [
        { flags: "--replace", sentence: "make a new version of existing tasks" },
        { flags: "--dry-run", sentence: "check everything and store nothing" },
        ...common,
      ],
      examples: ["ralph task import tasks.yaml", "ralph task import --replace auth.yaml payment.yaml"],
      changes: "project",
      load: command("importTasks"),
    },
    {
      name: "list",
      parameters: "",
      sentence: "tasks: status, role, iterations, priority, what they wait for",
      options: common,
      examples: ["ralph task list", "ralph task list --json"],
      load: command("list"),
    },
    {
      name: "show",
      parameters: "[tasks...]",
      sentence: "tasks with criteria and progress, or as a file to import again",
      options: [{ flags: "--format <format>", sentence: "yaml or json: the definition, for a file" }, ...common],
      examples: ["ralph task show auth-1", "ralph task show --format yaml > tasks.yaml"],
      load: command("show"),
    },
    {
      name: "edit",
      parameters: "<task>",
      sentence: "make a new version of a task, by flags or in your editor; an active run keeps its version",
      options: [{ flags: "--title <text>", sentence: "its title" }, ...definitionFlags, ...common],
      examples: ["ralph task edit auth-1", "ralph task edit auth-1 --priority 1 --depends-on auth-0"],
      changes: "project",
      load: command("edit"),
    },
    {
      name: "remove",
      parameters: "<task>",
      sentence: "remove a task",
      options: [{ flags: "--force", sentence: "also while it is in progress, or others depend on it" }, ...common],
      examples: ["ralph task remove auth-1"],
      changes: "project",
      load: command("remove"),
    },
    {
      name: "generate",
      parameters: "",
      sentence: "let the agent write tasks with criteria from a specification",
      options: [
        { flags: "-f, --file <path>", sentence: "the specification; - for standard input" },
        { flags: "--agent <command>", sentence: "the agent program, instead of agent.command" },
        { flags: "--model <name>", sentence: "the model to ask for" },
        { flags: "-y, --yes", sentence: "store the tasks without a question" },
        ...common,
      ],
      examples: ["ralph task generate -f spec.md", "ralph task generate -f spec.md --yes --json"],
      changes: "project",
      load: () => import("../task/generate.ts"),
    },
  ],
};
