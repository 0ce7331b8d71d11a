import { openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { type OpenScene, subjectsOf, treeOf } from "./scene.ts";

/** An agent that does what its prompt says, and does nothing twice; a prompt that was cut off says nothing. */
const honest = `set -- $(sed -n 's/^You \\([a-z-]*\\) \\([A-Z]*\\),.*/\\1 \\2/p' ../prompts/$n)
count() { tr -d ' \\n' < ralph/tasks.json | sed 's/.*"id":"'$1'"//; s/^[^}]*"reviewCount"://; s/[^0-9].*//'; }
once() { git add -A; git diff --cached --quiet || git commit -q -m "$1"; }
sleep 0.05
case $1 in
implement) grep -qx $2 code.txt || echo $2 >> code.txt; list $2 reviewStatus='"needs_review"' notes='"done"'; once "feat: $2";;
review) list $2 reviewStatus='"approved"' passes=true reviewCount=$(($(count $2) + 1)); once "review: $2";;
*) exit 1;; esac`;

/** `ralph prd run` on a list of two stories, each implemented and reviewed. */
export const openPrdScene: OpenScene = async (atEnd) => {
  const project = openList({
    atEnd,
    stories: ["A", "B"].map((id) => story(id)),
    acts: [honest],
    verifyCommands: ["grep -q first code.txt"],
  });
  return {
    project,
    start: ["prd", "run", "--unsafe", "-n", "12", "--json"],
    resume: ["resume", "--json"],
    again: ["run", "-p", "Do it", "-m", "1"],
    facts: async () => ({ commits: subjectsOf(project), ...treeOf(project), stories: project.stories() }),
  };
};
