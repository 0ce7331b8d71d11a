import type { StoreContext } from "../../git/run-git.ts";
import type { CopyHistory } from "./copy-repository.ts";
import { importObjects, type SealStore } from "./seal-store.ts";

/** Packed history up to this size is copied whole: a few seconds. Of a larger one suites see the last commit. */
const historyKibMax = 300 * 1024;
/** Names that suites ask for, as a version; more than these are left out. */
const tagsMax = 1_000;

/** Takes base and history over into the store of a seal, before the first turn. Rejects when git cannot. */
export async function sealBase(seal: SealStore, context: StoreContext, base: string): Promise<CopyHistory> {
  const { git } = context;
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD"]);
  const branch = await git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const name = branch.exitCode === 0 ? branch.stdout.trim() : "main";
  if (head.exitCode !== 0) {
    await importObjects(seal, context, { wanted: [base] });
    return { head: null, branch: name, isShallow: false, tags: {} };
  }
  const commit = head.stdout.trim();
  const isShallow = (await historyKib(context)) > historyKibMax || (await isShallowClone(context));
  if (isShallow) {
    await importObjects(seal, context, { wanted: [commit], isShallow });
    await importObjects(seal, context, { wanted: [base], known: [] });
    return { head: commit, branch: name, isShallow, tags: {} };
  }
  const tags = await readTags(context, commit);
  await importObjects(seal, context, { wanted: [base, commit, ...new Set(Object.values(tags))] });
  return { head: commit, branch: name, isShallow, tags };
}

async function historyKib({ git }: StoreContext): Promise<number> {
  const { stdout } = await git(["count-objects", "-v"]);
  const sizes = [...stdout.matchAll(/^size(?:-pack)?: (\d+)$/gm)];
  return sizes.reduce((sum, match) => sum + Number(match[1]), 0);
}

async function isShallowClone({ git }: StoreContext): Promise<boolean> {
  return (await git(["rev-parse", "--is-shallow-repository"])).stdout.trim() === "true";
}

async function readTags({ git }: StoreContext, commit: string): Promise<Record<string, string>> {
  const format = "--format=%(objectname) %(refname:strip=2)";
  const end = await git(["for-each-ref", `--merged=${commit}`, `--count=${tagsMax}`, format, "refs/tags"]);
  const lines = end.exitCode === 0 ? end.stdout.split("\n") : [];
  const pairs = lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))] as const);
  return Object.fromEntries(pairs.filter(([name, object]) => name !== "" && object !== ""));
}
