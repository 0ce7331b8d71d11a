import { commitAll } from "../prd/list-project.ts";
import { completion, external, onWord, openWork } from "../work/open-work.ts";
import { type OpenScene, subjectsOf, treeOf } from "./scene.ts";

const task = (id: string): Record<string, unknown> => ({
  id,
  title: `Make ${id}`,
  completion: completion({
    coder: external("CODED", `test -e ${id}.txt`, { timeout: 60 }),
    reviewer: onWord("REVIEWED"),
  }),
});

/** `ralph work` with two tasks at once, each coded and reviewed in a work tree and merged. */
export const openWorkScene: OpenScene = async (atEnd) => {
  const work = openWork({ atEnd });
  work.write(".gitignore", ".ralph/\n");
  commitAll(work);
  work.worker('sleep 600 &\n[ "$role" = coder ] && echo "$task" > "$task.txt"\nsleep 0.05\nclaim', {
    guardrails: [{ command: "test -e one.txt || test -e two.txt", failAction: "APPEND" }],
    work: { roles: ["coder", "reviewer"] },
  });
  await work.tasks(task("one"), task("two"));
  return {
    project: work,
    start: ["work", "-j", "2", "--worktrees", "--json"],
    resume: ["resume", "--json"],
    again: ["run", "-p", "Do it", "-m", "1"],
    facts: async () => ({ commits: subjectsOf(work), ...treeOf(work), standing: await work.standing() }),
  };
};
