import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

/** Category 10: settings of git that make it run a program, trust another server or send elsewhere. */
export const gitSettingRules: readonly Rule[] = [
  {
    category: 10,
    tier: "block",
    names: ["git"],
    when: (call) =>
      [...flagValues(call, "-c", "--config-env"), ...clonedWith(call)].some((value) => isPlanting(splitPair(value))),
    reason: "makes git run a program or send elsewhere",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["config"],
    when: (call) => {
      const set = settingOf(call);
      return set !== null && isPlanting(set);
    },
    reason: "makes git run a program or send elsewhere from now on",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["config"],
    when: (call) => hasFlag(call, "-e", "--edit") || call.operands[1] === "edit",
    reason: "lets an editor change any setting of git",
  },
];

type Setting = { key: string; value: string };

function clonedWith(call: Call): string[] {
  return call.operands[0] === "clone" ? flagValues(call, "--config") : [];
}

/** The setting that `git config` writes, in the old and the new form; null for one that only reads or removes. */
function settingOf(call: Call): Setting | null {
  if (call.args.some((word) => /^(?:--get\S*|--list|-l|--unset\S*|--remove-section|--show-\S+)$/.test(word)))
    return null;
  const at = call.args.indexOf("config");
  const words = call.args
    .slice(at + 1)
    .filter((word, index, all) => !word.startsWith("-") && !takesValue(all[index - 1] ?? ""));
  const [first = "", ...rest] = words;
  if (/^(?:get|list|unset|remove-section|rename-section|edit)$/.test(first)) return null;
  const [key = "", value] = first === "set" || first === "add" ? rest : words;
  return value === undefined ? null : { key, value };
}

function takesValue(flag: string): boolean {
  return /^(?:-f|--file|--blob|--type|-t|--default|--comment|--value)$/.test(flag);
}

function splitPair(pair: string): Setting {
  const at = pair.indexOf("=");
  return at === -1 ? { key: pair, value: "true" } : { key: pair.slice(0, at), value: pair.slice(at + 1) };
}

/** Aliases without `!` are subcommands; pagers and editors that only print or edit are ordinary. */
function isPlanting({ key, value }: Setting): boolean {
  if (/^alias\./i.test(key)) return value.startsWith("!");
  if (/^(?:core\.(?:pager|editor|askpass|fsmonitor)|sequence\.editor|pager\..*)$/i.test(key))
    return !ordinary.test(value);
  if (/^(?:branch\..*\.(?:push)?remote|remote\.pushdefault)$/i.test(key)) return /[:/]/.test(value);
  if (/^(?:core\.attributesfile|sendemail\.(?:.*\.)?smtpserver)$/i.test(key)) return /^[/~]/.test(value);
  if (/^http\.(?:.*\.)?sslverify$/i.test(key)) return /^(?:false|0|no|off)$/i.test(value);
  if (/^(?:remote\..*\.|http\.(?:.*\.)?|https\.)proxy$/i.test(key))
    return value !== "" && !/\/\/(?:localhost|127\.)/.test(value);
  if (/^protocol\.(?:ext|.*)\.allow$/i.test(key)) return /ext/i.test(key) || value !== "never";
  return running.test(key);
}

const ordinary = /^(?:cat|less(?:\s+-\w+)*|true|false|:||vim?|nano|delta|code --wait)$/;
const running =
  /^(?:core\.(?:sshcommand|hookspath|gitproxy|alternaterefscommand)|credential\..*|(?:credential)|diff\.external|(?:diff|merge|filter|mergetool|difftool|browser|man|guitool|tar|trailer|submodule)\..*\.(?:command|driver|clean|smudge|process|cmd|textconv|path|update)|trailer\..*\.cmd|gpg\.(?:.*\.)?program|uploadpack\..*|receive\..*hook|include\.path|includeif\..*\.path|interactive\.difffilter|init\.templatedir|url\..*\.(?:push)?insteadof|remote\..*\.(?:pushurl|uploadpack|receivepack|vcs)|sendemail\.\w+cmd|imap\.tunnel)$/i;
