import type { Call, Rule } from "../facts/rule.ts";

const managers = ["npm", "pnpm", "yarn", "bun"];

/** Category 9: settings of package managers, which decide what runs at every install, and packages from files. */
export const packageSettingRules: readonly Rule[] = [
  {
    category: 9,
    tier: "block",
    names: managers,
    when: (call) => settingsOf(call).some((key) => !harmless.test(key)),
    reason: "changes where packages come from or what runs with them",
  },
  {
    category: 9,
    tier: "block",
    names: ["npm"],
    words: ["config|c", "edit"],
    reason: "changes what runs with packages",
  },
  {
    category: 9,
    tier: "block",
    names: ["go"],
    words: ["env"],
    flags: ["-w"],
    argument: /^(?:GOPROXY|GOFLAGS|GONOSUM\w*|GOSUMDB|GOINSECURE|CC|CXX)=/,
    reason: "changes where packages come from or what runs with them",
  },
  {
    category: 9,
    tier: "block",
    names: ["bundle", "gem", "composer", "conda", "poetry", "uv", "cargo"],
    words: ["config|sources|source"],
    argument: /(?:mirror|repo|channel|index|source)\S*$|^https?:\/\//i,
    when: ({ args }) => args.some((word) => /^https?:\/\//.test(word)),
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["conda", "mamba"],
    words: ["install|create|update"],
    argument: /^https?:\/\//,
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["dpkg", "rpm", "installer"],
    argument: /^(?:-i|-U|-Uvh|-ivh|--install|-pkg)$/,
    reason: "installs a file as root would",
  },
  {
    category: 9,
    tier: "block",
    names: ["snap", "flatpak"],
    flags: ["--dangerous", "--devmode", "--classic"],
    reason: "installs without checks",
  },
  {
    category: 9,
    tier: "block",
    names: ["apt-key", "add-apt-repository", "rpm-key"],
    reason: "trusts another source of packages",
  },
  {
    category: 9,
    tier: "block",
    names: managers,
    words: ["install|i|add"],
    when: ({ operands }) => operands.slice(1).some((word) => fromElsewhere.test(word)),
    reason: "installs from an address instead of a registry",
  },
];

/** The settings that `config set` writes, in the spellings of the managers. */
function settingsOf({ operands }: Call): string[] {
  const words = /^(?:config|c)$/.test(operands[0] ?? "") ? operands.slice(1) : operands;
  if (words[0] !== "set" || words.length < 2) return [];
  const isPaired = words.slice(1).some((word) => word.includes("="));
  return isPaired ? words.slice(1).map((word) => word.split("=")[0] ?? "") : [words[1] ?? ""];
}

/** Settings that only change what is shown or how it is saved. */
const harmless =
  /^(?:fund|audit|loglevel|progress|color|save-exact|save-prefix|engine-strict|update-notifier|init[.-](?!module)\S+|package-lock|prefer-offline|offline|legacy-peer-deps|auto-install-peers|node-linker|nodeLinker|enableTelemetry|store-dir|cache|maxsockets|fetch-\S+|ignore-scripts)$/;
/** The short form of a repository on a forge, or a file that anybody could have written. */
const fromElsewhere = /^(?:github:|gitlab:|bitbucket:|gist:)|^[\w-]+\/[\w.-]+(?:#\S+)?$|^\/(?:tmp|var\/tmp|dev\/shm)\//;
