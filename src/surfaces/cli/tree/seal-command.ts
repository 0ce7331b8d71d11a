import type { CommandSpec } from "../input/command-spec.ts";
import { json, projectDir } from "../input/common-flags.ts";

/** `ralph seal held-out` and its commands. */
const heldOutCommand: CommandSpec = {
  name: "held-out",
  parameters: "",
  sentence: "checks that the agent never sees: it learns only that one failed, or your hint",
  options: [],
  examples: ["ralph seal held-out list"],
  commands: [
    {
      name: "add",
      parameters: "<name>",
      sentence: "add a check of this project; everybody sees its name, nobody else its command and files",
      options: [
        { flags: "--command <text>", sentence: "the command; it runs in a copy of its own and must exit with 0" },
        {
          flags: "--file <path>",
          sentence: "a file or folder outside of the project, found in .held-out/; may be repeated",
          isRepeatable: true,
        },
        { flags: "--hint <text>", sentence: "what the agent is told when it fails (only that one failed)" },
        { flags: "--task <id>", sentence: "only for this task; may be repeated", isRepeatable: true },
        json,
        projectDir,
      ],
      examples: [
        'ralph seal held-out add edges --command "node --test .held-out/edges.test.js" --file ~/edges.test.js',
      ],
      changes: "project",
      load: () => import("../seal/held-out-add.ts"),
    },
    {
      name: "list",
      parameters: "",
      sentence: "the names of the held-out checks of this project",
      options: [json, projectDir],
      examples: ["ralph seal held-out list", "ralph seal held-out list --json"],
      load: () => import("../seal/held-out-list.ts"),
    },
    {
      name: "remove",
      parameters: "<name>",
      sentence: "remove a held-out check; runs that have begun keep it",
      options: [json, projectDir],
      examples: ["ralph seal held-out remove edges"],
      changes: "project",
      load: () => import("../seal/held-out-remove.ts"),
    },
  ],
};

/** `ralph seal` and its commands. */
export const sealCommand: CommandSpec = {
  name: "seal",
  parameters: "",
  sentence: "sealed checks: what they protect here and why, and checks that the agent never sees",
  options: [],
  examples: ["ralph seal explain", "ralph seal held-out list"],
  commands: [
    {
      name: "explain",
      parameters: "",
      sentence:
        "what a run here would protect and why, its checks, programs, dependencies and isolation; starts nothing",
      options: [json, projectDir],
      examples: ["ralph seal explain", "ralph seal explain --json"],
      load: () => import("../seal/explain.ts"),
    },
    heldOutCommand,
  ],
};
