import type { CommandSpec } from "../input/command-spec.ts";
import { json } from "../input/common-flags.ts";

/** `ralph keys` and what can be done with them. */
export const keysCommand: CommandSpec = {
  name: "keys",
  parameters: "",
  sentence: "the keys of this user that sign receipts",
  options: [],
  examples: ["ralph keys create", "ralph keys export > ralph.pub"],
  commands: [
    {
      name: "list",
      parameters: "",
      sentence: "the ids of all keys",
      options: [json],
      examples: ["ralph keys list", "ralph keys list --json"],
      load: () => import("../keys/list.ts"),
    },
    {
      name: "create",
      parameters: "",
      sentence: "make a key, readable for you alone",
      options: [json],
      examples: ["ralph keys create"],
      changes: "keys",
      load: () => import("../keys/create.ts"),
    },
    {
      name: "export",
      parameters: "[id]",
      sentence: "print the public part of a key, for those who check receipts",
      options: [],
      examples: ["ralph keys export > ralph.pub"],
      load: () => import("../keys/export.ts"),
    },
    {
      name: "remove",
      parameters: "<id>",
      sentence: "remove a key for good; receipts that it signed can still be checked with its public part",
      options: [json],
      examples: ["ralph keys remove 3f9a1c"],
      changes: "keys",
      load: () => import("../keys/remove.ts"),
    },
  ],
};
