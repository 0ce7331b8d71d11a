import { isForeignScript } from "./facts/call-context.ts";
import { hasUnknown, withoutUnknown } from "./facts/marks.ts";
import { programName, type Call } from "./facts/rule.ts";
import { forkScope, report, resolveIn, type Scope } from "./facts/scope.ts";
import { interpreters, shells } from "./shells.ts";

/** Judges a command line that another program starts as its helper, such as a pager; `what` names it in the reason. */
export function judgeHelper(scope: Scope, text: string, what: string): void {
  if (withoutUnknown(text).trim() === "") return;
  scope.walk.runText(text, forkScope(scope), "");
  const words = withoutUnknown(text).trim().split(/\s+/);
  const name = programName(words[0] ?? "");
  const isShell = (shells.has(name) || interpreters.has(name)) && words.some((word) => /^-\w*[ce]$/.test(word));
  if (isShell) report(scope, { category: 12, tier: "block", reason: `${what} would be a shell with commands` }, words);
  judgeForeignFile(scope, words[0] ?? "", what);
}

/** Refuses a program or script from where downloads and other programs leave their files. */
export function judgeForeignFile(scope: Scope, word: string, what: string): void {
  if (!word.includes("/") || hasUnknown(word) || scope.files.has(resolveIn(scope, word))) return;
  if (!isForeignScript(resolveIn(scope, word), scope.walk.place)) return;
  const reason = `${what} would run ${word}, which anybody could have written`;
  report(scope, { category: 12, tier: "block", reason }, [word]);
}

/**
 * Judges a text that is a command only perhaps: nobody knows every program. Only a clear danger counts, not a text that
 * cannot be read.
 */
export function guessText(scope: Scope, text: string): void {
  guess(scope, () => scope.walk.runText(text, forkScope(scope), ""));
}

/** Judges the arguments of a program that may run them: those from the first one that names a dangerous program. */
export function guessArguments(call: Call): void {
  if (silent.has(call.name)) return;
  const at = call.args.findIndex((word, index) => starters.has(programName(word)) && index < call.args.length - 1);
  if (at !== -1) guess(call.scope, () => call.scope.walk.runWords(call.words.slice(at), forkScope(call.scope), ""));
}

function guess(scope: Scope, run: () => void): void {
  const { walk } = scope;
  if (walk.isGuessing === true) return;
  const { failure } = walk.budget;
  const before = walk.findings.length;
  walk.isGuessing = true;
  run();
  walk.isGuessing = false;
  walk.budget.failure = failure;
  const found = walk.findings.splice(before);
  walk.findings.push(...found.filter(({ tier, category }) => tier === "block" && category !== 12));
}

/** Programs that do harm by their own arguments; a program that gets one of them as a word may run it. */
const starters = new Set(
  "rm shred dd sh bash zsh dash ksh sudo su doas curl wget nc ncat socat chmod chown kill pkill killall find perl python busybox env git".split(
    " ",
  ),
);

/** Programs whose words are names, texts or places in a container, however they are spelled. */
const silent = new Set(
  (
    "echo printf print test [ ls stat du tree which whereis type whatis apropos man info tldr help cat cp mv ln touch mkdir rm chmod " +
    "grep egrep fgrep rg ag ack sed gsed awk gawk jq yq git gh glab hg diff sort uniq head tail wc cut tr column fold basename dirname " +
    "apt apt-get apt-cache apk yum dnf pacman brew port snap dpkg rpm npm npx pnpm yarn bun bunx pip pipx uv uvx poetry cargo gem " +
    "bundle go conda docker podman nerdctl docker-compose kubectl oc helm vagrant lxc multipass crictl ctr ralph claude codespell " +
    "pytest jest vitest mocha python pypy node nodejs deno perl ruby php lua export declare local readonly typeset set unset alias " +
    "read for cd pushd command hash true false : source . trap eval kill pkill killall pgrep pidof make gmake ssh scp rsync curl wget"
  ).split(" "),
);
