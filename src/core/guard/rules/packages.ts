import { flagValues, type Call, type Rule } from "../facts/rule.ts";

/** Category 9: what is published, and where packages come from. */
export const packageRules: readonly Rule[] = [
  {
    category: 9,
    tier: "block",
    names: ["npm", "pnpm", "bun", "yarn"],
    words: ["publish|unpublish|deprecate|dist-tag|owner|access|adduser|login"],
    without: ["--dry-run"],
    reason: "publishes or changes who may",
  },
  {
    category: 9,
    tier: "block",
    names: ["yarn"],
    words: ["npm", "publish|login|logout"],
    reason: "publishes or changes who may",
  },
  {
    category: 9,
    tier: "block",
    names: ["lerna", "changeset", "poetry", "uv", "flit", "hatch", "dotnet", "semantic-release", "release-it"],
    words: ["publish"],
    without: ["--dry-run"],
    reason: "publishes packages",
  },
  {
    category: 9,
    tier: "block",
    names: ["cargo"],
    words: ["publish|yank|owner|login"],
    without: ["--dry-run", "-n"],
    reason: "publishes packages",
  },
  { category: 9, tier: "block", names: ["twine"], words: ["upload"], reason: "publishes packages" },
  { category: 9, tier: "block", names: ["gem"], words: ["push|yank|owner"], reason: "publishes packages" },
  {
    category: 9,
    tier: "block",
    names: ["mvn", "gradle", "gradlew", "mvnw"],
    words: ["deploy|publish"],
    reason: "publishes packages",
  },
  { category: 9, tier: "warn", names: ["docker", "podman"], words: ["push"], reason: "publishes an image" },
  {
    category: 9,
    tier: "block",
    names: ["npm", "pnpm", "yarn"],
    words: ["config", "set", "registry|npmRegistryServer"],
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["npm", "pnpm", "yarn"],
    words: ["config", "set"],
    argument: /registry=|:registry$/,
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["npm", "pnpm", "yarn", "bun"],
    flags: ["--registry"],
    when: (call) => flagValues(call, "--registry").some((value) => !isLocal(value)),
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["pip", "pipx", "uv"],
    flags: ["--index-url", "-i", "--extra-index-url", "--trusted-host", "--find-links", "--index"],
    when: (call) => isInstall(call),
    reason: "takes packages from elsewhere",
  },
  { category: 9, tier: "block", names: ["pip"], words: ["config", "set"], reason: "takes packages from elsewhere" },
  {
    category: 9,
    tier: "block",
    names: [
      "pip",
      "pipx",
      "uv",
      "npm",
      "pnpm",
      "yarn",
      "bun",
      "gem",
      "easy_install",
      "brew",
      "apt",
      "apt-get",
      "dnf",
      "yum",
      "rpm",
      "dpkg",
    ],
    argument: /^(?:[\w-]+ ?@ ?)?(?:git\+)?(?:https?|git|ssh|ftp):\/\//,
    when: (call) => isInstall(call),
    reason: "installs from an address instead of a registry",
  },
  {
    category: 9,
    tier: "block",
    names: ["cargo"],
    words: ["install"],
    flags: ["--git", "--index", "--registry"],
    reason: "installs from an address instead of a registry",
  },
  {
    category: 9,
    tier: "block",
    names: ["gem"],
    flags: ["--source", "-s"],
    argument: /^http:/,
    reason: "takes packages from elsewhere",
  },
  {
    category: 9,
    tier: "block",
    names: ["go"],
    words: ["run|install|get"],
    argument: /^(?:https?|git|ssh):\/\//,
    reason: "installs from an address instead of a registry",
  },
  {
    category: 9,
    tier: "warn",
    names: ["go"],
    words: ["run"],
    when: ({ operands }) => /^[\w.-]+\.\w+\/\S*@/.test(operands[1] ?? ""),
    reason: "may download and run a package",
  },
  {
    category: 9,
    tier: "warn",
    names: ["npx", "bunx", "uvx", "pnpx"],
    unless: /^--(?:help|version|no|no-install|offline)$/,
    reason: "may download and run a package",
  },
  { category: 9, tier: "warn", names: ["pnpm", "yarn"], words: ["dlx"], reason: "may download and run a package" },
  { category: 9, tier: "warn", names: ["pipx"], words: ["run"], reason: "may download and run a package" },
];

function isInstall(call: Call): boolean {
  return /^(?:install|i|add|ci|update|upgrade|download|pip|sync|tap|-i|-U|create)$/.test(
    call.operands[0] ?? call.args[0] ?? "",
  );
}

function isLocal(address: string): boolean {
  return /^https?:\/\/(?:localhost|127\.)/.test(address);
}
