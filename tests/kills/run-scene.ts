import { commitAll } from "../prd/list-project.ts";
import { openProject } from "../run/scratch-project.ts";
import { type OpenScene, subjectsOf, treeOf } from "./scene.ts";

const iterations = 3;

/** Each turn makes the file of its iteration and leaves a process; the last one claims. Asked for a message, it names the file. */
const agent = (prompts: string): string => `
case " $* " in *" text "*) echo "Add $(ls file-*.txt | tail -1)"; exit;; esac
i=$(sed -n 's/^Iteration \\([0-9]*\\) of.*/\\1/p' '${prompts}/'$n)
[ -n "$i" ] || exit 1
sleep 600 &
echo "$i" > "file-$i.txt"
sleep 0.05
[ "$i" -ge ${iterations} ] && claim
say "Iteration $i."`;

const criteria = {
  outcome: "All files are there.",
  acceptance_criteria: ["All files are there"],
  coder: {
    promise: "DONE",
    verification_method: "external",
    verification_config: { command: `test -e file-${iterations}.txt` },
  },
};

/** `ralph run` with a guardrail, a criterion of the project and a commit for each iteration. */
export const openRunScene: OpenScene = async (atEnd) => {
  const project = openProject({ isGit: true, atEnd });
  project.write(".gitignore", ".ralph/\n");
  project.write("ralph/criteria.yaml", JSON.stringify(criteria));
  commitAll(project);
  project.claude(agent(`${project.root}/prompts`), {
    maximumIterations: iterations,
    includeIterationCountInPrompt: true,
    guardrails: [{ command: "test -e file-1.txt", failAction: "APPEND" }],
    scm: { command: "git", tasks: ["commit"] },
  });
  return {
    project,
    start: ["run", "-p", "Do it", "--json"],
    resume: ["resume", "--json"],
    again: ["run", "-p", "Do it", "-m", "1"],
    facts: async () => ({ commits: subjectsOf(project), ...treeOf(project) }),
  };
};
