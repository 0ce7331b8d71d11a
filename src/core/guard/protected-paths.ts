import type { Category, Tier } from "./facts/judgement.ts";

/** A protected path: below `home`, from the `root`, or `anywhere` by its last segments. */
export type PathRule = {
  category: Category;
  tier: Tier;
  from: "home" | "root" | "anywhere";
  path: RegExp;
  reason: string;
  except?: RegExp;
  /** No allow rule opens it. */
  isFinal?: boolean;
};

/** What no tool may write, remove or replace. Compared in lower case: some file systems ignore case. */
export const protectedPaths: readonly PathRule[] = [
  { category: 5, tier: "block", from: "anywhere", path: /\/\.ssh\/authorized_keys2?$/, reason: "gives others a login" },
  { category: 15, tier: "block", from: "home", path: /^\.config\/autostart(\/|$)/, reason: "starts programs at login" },
  { category: 15, tier: "block", from: "home", path: /^\.config\/systemd(\/|$)/, reason: "starts programs at login" },
  {
    category: 15,
    tier: "block",
    from: "anywhere",
    path: /\/library\/launch(agents|daemons)(\/|$)/,
    reason: "starts programs at login",
  },
  {
    category: 15,
    tier: "block",
    from: "anywhere",
    path: /\/\.git\/hooks(\/|$)/,
    reason: "runs with every git command",
  },
  { category: 15, tier: "block", from: "anywhere", path: /\/\.husky(\/|$)/, reason: "runs with every git command" },
  { category: 15, tier: "block", from: "anywhere", path: /\/\.git\/config$/, reason: "can name programs git runs" },
  {
    category: 15,
    tier: "block",
    from: "anywhere",
    path: /\/\.(cursor|codex|gemini|opencode|windsurf|continue|aider[^/]*)(\/|$)/,
    reason: "configures a coding agent",
  },
  {
    category: 15,
    tier: "block",
    from: "home",
    path: /^\.config\/(opencode|amp|github-copilot)(\/|$)/,
    reason: "configures a coding agent",
  },
  {
    category: 15,
    tier: "block",
    from: "root",
    path: /^\/etc\/(rc\.local|rc\.d|init\.d|cron[^/]*|systemd)(\/|$)/,
    reason: "starts programs with the machine",
  },
  {
    category: 11,
    tier: "block",
    from: "home",
    path: /^\.(bashrc|bash_aliases|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|xinitrc|xprofile)$/,
    reason: "is run by every new shell",
  },
  {
    category: 15,
    tier: "block",
    from: "home",
    path: /^\.(vimrc|gvimrc|exrc|vim\/plugin|config\/nvim|emacs|emacs\.d|tmux\.conf|screenrc|gdbinit|lldbinit|pythonrc[^/]*|irbrc|pryrc|rprofile|psqlrc|sqliterc|curlrc|wgetrc|pdbrc|ocamlinit|ghci)(\/|$)/,
    reason: "is run by a program at its start",
  },
  {
    category: 15,
    tier: "block",
    from: "home",
    path: /^\.local\/lib\/python[\d.]+\/site-packages\/([^/]+\.pth|(user|site)customize\.py)$/,
    reason: "is run by every Python",
  },
  {
    category: 15,
    tier: "block",
    from: "home",
    path: /^(\.local\/)?bin\/(git|npm|npx|node|python\d?|pip\d?|sudo|ssh|ls|cat|rm|cp|mv|bash|sh|curl|make|docker|cargo|go|claude|opencode|ralph)$/,
    reason: "would be another program under a trusted name",
  },
  { category: 11, tier: "block", from: "home", path: /^\.config\/fish(\/|$)/, reason: "is run by every new shell" },
  {
    category: 11,
    tier: "block",
    from: "root",
    path: /^\/etc\/(hosts|resolv\.conf|nsswitch\.conf|passwd|group|shadow|fstab|pam\.d|sysctl[^/]*)(\/|$)/,
    reason: "configures the system",
  },
  { category: 7, tier: "block", from: "root", path: /^\/etc\/sudoers(\.d)?(\/|$)/, reason: "gives out rights" },
  { category: 18, tier: "block", from: "root", path: /^\/etc(\/|$)/, reason: "configures the system" },
  {
    category: 18,
    tier: "block",
    from: "home",
    path: /^\.(ssh|aws|gnupg|kube|azure|netrc|pgpass|npmrc|pypirc|git-credentials)(\/|$)/,
    reason: "holds keys",
  },
  { category: 18, tier: "block", from: "home", path: /^\.docker(\/config\.json)?$/, reason: "holds keys" },
  { category: 18, tier: "block", from: "home", path: /^\.config\/(gcloud|gh|git)(\/|$)/, reason: "holds keys" },
  { category: 18, tier: "block", from: "home", path: /^\.gitconfig$/, reason: "can name programs git runs" },
  {
    category: 18,
    tier: "block",
    from: "anywhere",
    path: /\/\.claude(\/|$)/,
    except: /\/\.claude\/rules(\/|$)/,
    reason: "configures a coding agent",
  },
  { category: 18, tier: "block", from: "home", path: /^\.claude\.json$/, reason: "configures a coding agent" },
  {
    category: 18,
    tier: "block",
    from: "anywhere",
    path: /\/\.ralph(\/settings[^/]*\.json|\/guard-allow\.json)?$/,
    isFinal: true,
    reason: "decides what a run may do",
  },
  {
    category: 18,
    tier: "block",
    from: "anywhere",
    path: /\/\.ralph-active$/,
    isFinal: true,
    reason: "says that a run is active",
  },
];

/** What no tool may read. */
export const secretPaths: readonly PathRule[] = [
  {
    category: 6,
    tier: "block",
    from: "home",
    path: /^\.ssh(\/|$)/,
    except: /^\.ssh\/(known_hosts[^/]*|config|[^/]+\.pub)$/,
    reason: "holds keys",
  },
  { category: 6, tier: "block", from: "home", path: /^\.(aws|gnupg|kube|azure)(\/|$)/, reason: "holds keys" },
  {
    category: 6,
    tier: "block",
    from: "root",
    path: /^\/(?:root|home\/[^/]+|users\/[^/]+)\/\.(?:ssh|aws|gnupg|kube)(?:\/|$)/,
    except: /\/\.ssh\/(?:known_hosts[^/]*|config|[^/]+\.pub)$/,
    reason: "holds another user's keys",
  },
  { category: 6, tier: "block", from: "home", path: /^\.docker\/config\.json$/, reason: "holds keys" },
  {
    category: 6,
    tier: "block",
    from: "home",
    path: /^\.(netrc|pgpass|npmrc|pypirc|my\.cnf|git-credentials|yarnrc\.yml|vault-token|boto|s3cfg)$/,
    reason: "holds credentials",
  },
  {
    category: 6,
    tier: "block",
    from: "home",
    path: /^\.(gem\/credentials|cargo\/credentials(\.toml)?|config\/(gcloud|gh|hub|doctl|rclone)(\/|$))/,
    reason: "holds credentials",
  },
  { category: 6, tier: "block", from: "home", path: /^\.[a-z_]*_?history$/, reason: "is a history of commands" },
  { category: 6, tier: "block", from: "home", path: /^\.claude\/\.credentials\.json$/, reason: "holds credentials" },
  {
    category: 6,
    tier: "block",
    from: "home",
    path: /^(\.mozilla|\.thunderbird|\.config\/(google-chrome|chromium|bravesoftware|microsoft-edge)|library\/application support\/(google|firefox|bravesoftware)|\.local\/share\/keyrings|\.password-store)(\/|$)/,
    reason: "holds passwords and sessions",
  },
  { category: 6, tier: "block", from: "home", path: /^library\/keychains(\/|$)/, reason: "holds keys" },
  {
    category: 6,
    tier: "block",
    from: "root",
    path: /^\/etc\/(shadow|gshadow|sudoers|master\.passwd)-?$/,
    reason: "holds passwords",
  },
  { category: 6, tier: "block", from: "root", path: /^\/etc\/ssh\/ssh_host_[^/]*key$/, reason: "holds keys" },
  {
    category: 6,
    tier: "block",
    from: "root",
    path: /^\/proc\/[^/]+\/environ$/,
    reason: "is the environment of a process",
  },
  {
    category: 6,
    tier: "warn",
    from: "anywhere",
    path: /\/\.env(\.(local|production|prod|staging|development))?$/,
    reason: "often holds secrets",
  },
  {
    category: 6,
    tier: "warn",
    from: "anywhere",
    path: /\/(id_(rsa|dsa|ecdsa|ed25519)|[^/]+\.(key|p12|pfx|jks))$/,
    reason: "may be a private key",
  },
];

/** Secret files that a pattern such as `/etc/shad*` may match. `~` is the home. */
export const secretExamples: readonly string[] = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/proc/self/environ",
  "~/.ssh",
  "~/.ssh/id_rsa",
  "~/.ssh/id_ed25519",
  "~/.aws/credentials",
  "~/.kube/config",
  "~/.docker/config.json",
  "~/.npmrc",
  "~/.netrc",
  "~/.pgpass",
  "~/.bash_history",
];

/** Protected paths that a pattern such as `.r*` may match in a write or removal; `.` is the work tree. */
export const protectedExamples: readonly string[] = [
  "./.ralph",
  "./.ralph-active",
  "./.ralph/settings.json",
  "./.ralph/guard-allow.json",
  "./.claude",
  "./.claude/settings.json",
  "./.git/hooks",
  "~/.ssh",
  "~/.ssh/config",
  "~/.aws",
  "~/.bashrc",
  "~/.claude",
];
