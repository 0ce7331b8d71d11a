import type { CommandSpec } from "../input/command-spec.ts";
import { json, projectDir } from "../input/common-flags.ts";

const scopes = [
  { flags: "--user", sentence: "for all your projects (the default)" },
  { flags: "--project", sentence: "for this project only" },
];

/** `ralph plugin` and its commands. */
export const pluginCommand: CommandSpec = {
  name: "plugin",
  parameters: "",
  sentence: "the loop inside a living session: /ralph in Claude Code (claude-code) and OpenCode (opencode)",
  options: [],
  examples: ["ralph plugin install claude-code", "ralph plugin status"],
  commands: [
    {
      name: "install",
      parameters: "<host>",
      sentence: "install or update the plugin of claude-code or opencode; your settings stay",
      options: [
        ...scopes,
        { flags: "--guard <when>", sentence: "always: guard commands in every session, not only in loops" },
        json,
        projectDir,
      ],
      examples: ["ralph plugin install claude-code", "ralph plugin install opencode --project --guard always"],
      changes: "plugins",
      load: () => import("../plugin/install.ts"),
    },
    {
      name: "uninstall",
      parameters: "<host>",
      sentence: "remove an installation completely",
      options: [...scopes, json, projectDir],
      examples: ["ralph plugin uninstall claude-code", "ralph plugin uninstall opencode --project"],
      changes: "plugins",
      load: () => import("../plugin/uninstall.ts"),
    },
    {
      name: "status",
      parameters: "[host]",
      sentence: "where plugins are installed, and whether they are complete and current",
      options: [...scopes, json, projectDir],
      examples: ["ralph plugin status", "ralph plugin status opencode --json"],
      load: () => import("../plugin/status.ts"),
    },
  ],
};
