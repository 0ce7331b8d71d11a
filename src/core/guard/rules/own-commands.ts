import { agentPrograms } from "../facts/agent-programs.ts";
import type { Judgement } from "../facts/judgement.ts";
import type { Call, Rule } from "../facts/rule.ts";

const hookReason = "only the host calls ralph's hooks";

/** Whether a call would start a hook of ralph, whatever else it does. */
export function isHookCall({ findings }: Pick<Judgement, "findings">): boolean {
  return findings.some(({ reason }) => reason === hookReason);
}

/** Category 18 besides paths: an agent does not speak for the person who drives it, nor change who drives and guards it. */
export const ownCommandRules: readonly Rule[] = [
  rule(/^hook$/, hookReason),
  rule(/^(?:cancel|pause)$/, "an agent does not end or pause the run that drives it"),
  rule(/^plugin (?:install|uninstall|remove|disable|update)$/, "an agent does not change what guards it"),
  {
    category: 18,
    tier: "block",
    names: ["node", "nodejs", "bun"],
    argument: /(?:^|\/)(?:hook(?:-events)?|run)\.cjs$/,
    when: ({ args }) => args.some((word) => hookWord.test(word)),
    reason: hookReason,
  },
  {
    category: 18,
    tier: "block",
    names: agentPrograms,
    argument: /^--(?:dangerously\S*|yolo|full-auto|permission-mode=bypassPermissions)$/,
    reason: "starts an agent that nothing guards",
  },
  {
    category: 18,
    tier: "block",
    names: agentPrograms,
    when: ({ operands }) =>
      /^(?:mcp (?:add\S*|remove)|plugins? (?:install|uninstall|remove|disable|enable|add)|config (?:set|add|remove))(?: |$)/.test(
        operands.join(" "),
      ),
    reason: "changes how an agent is set up",
  },
];

/** The events that a hook program is told, and what else only its host says to it. */
const hookWord = /^(?:hook|--host|session-start|user-prompt-submit|pre-tool-use|post-tool-use|stop|session-end)$/;

/** The rule for a command of ralph, called by its name or by its script. */
function rule(command: RegExp, reason: string): Rule {
  return {
    category: 18,
    tier: "block",
    names: ["ralph", "ralph.js", "node", "nodejs", "bun", "npx", "bunx", "pnpx"],
    when: (call) => commandOf(call).some((words) => command.test(words)),
    reason,
  };
}

/** The command, and the command with its subcommand; options do not count. */
function commandOf({ name, operands, args }: Call): string[] {
  const at = args.findIndex((word) => /(?:^|\/)ralph(?:\.js)?$/.test(word));
  const after = at === -1 ? [] : args.slice(at + 1).filter((word) => !word.startsWith("-"));
  const [first = "", second = "", third = ""] = name.startsWith("ralph") ? operands : after;
  // The value of an option may stand before the command.
  return [first, second, `${first} ${second}`, `${second} ${third}`];
}
