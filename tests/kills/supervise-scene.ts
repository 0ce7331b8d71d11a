import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTask } from "../supervise/open-task.ts";
import type { OpenScene } from "./scene.ts";

/** A child in a session of its own, with a record of its own, that works a moment longer than its parent. */
const child = `
record() {
  mkdir -p "$TASK_FOLDER/runs/$1"
  printf 'version: 1\\nrun_id: %s\\nparent_run_id: %s\\npid: %s\\npgid: %s\\nstart_time: "%s"\\nend_time: "%s"\\nexit_code: %s\\nstatus: %s\\n' \\
    "$1" "$JRUN_ID" $$ $$ "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$2" "$3" "$4" > "$TASK_FOLDER/runs/$1/.new"
  mv "$TASK_FOLDER/runs/$1/.new" "$TASK_FOLDER/runs/$1/run-info.yaml"
}
record "$1" 0001-01-01T00:00:00Z -1 running
touch "$TASK_FOLDER/$1.begun"
sleep 0.2
record "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" 0 completed
touch "$TASK_FOLDER/$1.finished"`;

/** The first run makes a file, the second starts a child, the third is done; a run that was cut off is made up for. */
const agent = (script: string): string => `
sleep 600 &
sleep 0.05
if [ ! -e "$TASK_FOLDER/step-1" ]; then touch "$TASK_FOLDER/step-1"; exit 0; fi
if [ ! -e "$TASK_FOLDER/step-2" ]; then
  setsid sh '${script}' "child-$n" >/dev/null 2>&1 &
  until [ -e "$TASK_FOLDER/child-$n.begun" ]; do sleep 0.02; done
  touch "$TASK_FOLDER/step-2"
  exit 0
fi
done_now`;

/** `ralph supervise` until DONE, with a registered child that is waited for. */
export const openSuperviseScene: OpenScene = async (atEnd) => {
  const task = openTask({ atEnd });
  const { project } = task;
  const { path } = task.folder;
  const script = join(task.project.root, "child.sh");
  writeFileSync(script, child);
  task.agent(agent(script));
  const place = ["--task-dir", path];
  const start = ["supervise", ...place, "--restart-delay", "20ms", "-p", "Do it"];
  const names = (): string[] => readdirSync(path);
  return {
    project,
    start: [...start, "--json"],
    resume: ["resume", ...place, "--json"],
    again: start,
    // Children with a record of their own stay, and a resume waits for them.
    staying: () => project.living().filter((pid) => isOfChild(pid, script)),
    facts: async () => ({
      done: names().filter((name) => /^DONE|^step-/.test(name)),
      unfinishedChildren: names().filter(
        (name) => name.endsWith(".begun") && !existsSync(join(path, name.replace(".begun", ".finished"))),
      ),
      openRecords: task.records().filter(({ status }) => status !== "completed" && status !== "failed"),
      lastMessage: task.bus().at(-1),
      locks: names().filter((name) => name.includes("lock")),
    }),
  };
};

/** The child itself, or what it started. */
function isOfChild(pid: number, script: string): boolean {
  const read = (of: number | string, name: string): string => {
    try {
      return readFileSync(`/proc/${of}/${name}`, "utf8");
    } catch {
      return "";
    }
  };
  const parent = /^PPid:\s*(\d+)/m.exec(read(pid, "status"))?.[1] ?? "";
  return [pid, parent].some((each) => read(each, "cmdline").split("\0").includes(script));
}
