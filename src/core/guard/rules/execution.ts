import type { Rule } from "../facts/rule.ts";

/** Category 12, beside what shells and interpreters are fed: programs that run a part of their own language. */
export const executionRules: readonly Rule[] = [
  {
    category: 12,
    tier: "block",
    names: ["awk", "gawk", "mawk", "nawk"],
    argument: /\bsystem\s*\(|\|\s*&?\s*"|\|\s*getline|"\s*\|\s*getline/,
    reason: "awk runs commands of its own",
  },
  {
    category: 12,
    tier: "block",
    names: ["sed", "gsed"],
    argument: /^(?:--expression=)?(?:\d+|\$|\/[^/]*\/)?e(?:\s+\S|$)|^s(.).*\1.*\1[gip\d]*e[gip\d]*$/,
    reason: "sed runs commands of its own",
  },
  {
    category: 12,
    tier: "block",
    names: ["tar", "bsdtar", "gtar"],
    argument: /^--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command)=?/,
    reason: "tar runs commands of its own",
  },
  {
    category: 12,
    tier: "block",
    names: ["vim", "vi", "nvim", "ex", "emacs", "ed"],
    argument: /^:?!|:!|--eval|call system\(/,
    reason: "the editor runs commands of its own",
  },
  {
    category: 12,
    tier: "block",
    names: ["zip"],
    flags: ["-TT", "--unzip-command"],
    reason: "zip runs commands of its own",
  },
  {
    category: 12,
    tier: "block",
    names: ["enable"],
    flags: ["-f"],
    reason: "loads code into the shell",
  },
  {
    category: 12,
    tier: "block",
    names: ["hash"],
    flags: ["-p"],
    reason: "makes a command another program",
  },
  {
    category: 12,
    tier: "block",
    names: ["pwsh", "powershell"],
    argument: /^-e(?:c|nc\w*)?$/i,
    reason: "runs a text that was encoded",
  },
  { category: 12, tier: "block", names: ["expect"], flags: ["-c"], reason: "runs a program in its own language" },
  { category: 12, tier: "warn", names: ["osascript"], flags: ["-e"], reason: "runs a program in its own language" },
];
