import { mergeLayers } from "../../../core/text/merge.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import type { OptionSpec } from "./command-spec.ts";
import { listOf } from "../../../core/text/list-of.ts";
import {
  amountOption,
  countOption,
  durationTextOption,
  listOption as givenListOption,
  type Options,
  textOption,
} from "./read-input.ts";

/** A flag of `ralph run` that sets a setting: the only place that connects both names. */
export type SettingFlag = OptionSpec & {
  /** Such as `budget.spend`. */
  key: string;
  /** Null when the flag was not given; a wrong value is a usage error naming `flag`. */
  read: (options: Options, name: string, flag: string) => unknown;
};

/** Limits of a run; `ralph resume` has them too. */
export const limitFlags: SettingFlag[] = [
  {
    key: "maximumIterations",
    flags: "-m, --maximum-iterations <count>",
    sentence: "iterations at most",
    read: iterations,
  },
  {
    key: "maximumIterations",
    flags: "--max-iterations <count>",
    sentence: "the same",
    aliasOf: "maximumIterations",
    read: iterations,
  },
  { key: "budget.spend", flags: "--max-cost <usd>", sentence: "US dollars at most", read: amountOption },
  { key: "budget.tokens", flags: "--max-tokens <count>", sentence: "tokens at most", read: countOption },
  {
    key: "budget.time",
    flags: "--max-time <duration>",
    sentence: 'time at most, such as "90s", "30m" or "2h"',
    read: durationTextOption,
  },
];

/** Flags about the agent. */
export const agentFlags: SettingFlag[] = [
  {
    key: "completionResponse",
    flags: "-c, --completion-response <text>",
    sentence: "the text a claim must carry (DONE)",
    read: textOption,
  },
  {
    key: "agent.command",
    flags: "--agent <command>",
    sentence: "the agent program, instead of agent.command",
    read: textOption,
  },
  {
    key: "agent.flags",
    flags: "--agent-flags <flags>",
    sentence: "its flags, comma-separated, instead of agent.flags",
    read: listOption,
  },
  { key: "agent.model", flags: "--model <name>", sentence: "the model to ask for", read: textOption },
  { key: "agent.guard", flags: "--guard", sentence: "judge the agent's commands before they run", read: switchOption },
  { key: "agent.guard", flags: "--no-guard", sentence: "do not judge them", read: switchOption },
];

/** Flags about what a claim is held to. */
export const sealFlags: SettingFlag[] = [
  {
    key: "seal.allow",
    flags: "--allow-tests <glob...>",
    sentence: "tests that the agent may change although they are sealed",
    read: givenListOption,
  },
];

/** Flags about its output. */
export const streamFlags: SettingFlag[] = [
  {
    key: "streamAgentOutput",
    flags: "--stream-agent-output",
    sentence: "show the agent's output while it works",
    read: switchOption,
  },
  { key: "streamAgentOutput", flags: "--no-stream-agent-output", sentence: "do not show it", read: switchOption },
];

/** Every flag that sets a setting. */
export const settingFlags: readonly SettingFlag[] = [...agentFlags, ...limitFlags, ...sealFlags, ...streamFlags];

/** Only flags that were given become settings: an absent flag never overrides (S1-06). */
export function readSettingFlags(options: Options): SettingsLayer {
  const value = settingFlags.reduce<unknown>((all, { key, flags, aliasOf, read }) => {
    const flag = longName(flags);
    const given = aliasOf === undefined ? (read(options, optionName(flag), flag) ?? null) : null;
    if (given === null) return all;
    const layer = key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), given);
    return mergeLayers(all, layer);
  }, {});
  return { source: "command line", value };
}

function longName(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** The name commander gives an option: `--no-x` switches `--x` off. */
function optionName(flag: string): string {
  return flag.replace(/^--(?:no-)?/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function iterations(options: Options, name: string, flag: string): unknown {
  const text = textOption(options, name);
  return text === "unbounded" ? text : countOption(options, name, flag);
}

/** Split at commas, as `ralph init` does; a part with spaces is split later, as a shell would. */
function listOption(options: Options, name: string): unknown {
  const text = textOption(options, name);
  return text === null ? null : listOf(text);
}

function switchOption(options: Options, name: string): unknown {
  return options[name];
}
